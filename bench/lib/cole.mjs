/** COLE's rows: the engine and the core natively, and the proofs for our module. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { run } from '../../scripts/lib/run.mjs'
import { ascii, encode, fromHex, integer } from './rlp.mjs'

/** @typedef {{ id: string, bytes: number, insertUs?: number, proveUs?: number, verifyUs?: number }} NativeRow */

/**
 * A proof with its parameters.
 *
 * @typedef {object} ColeRecord
 * @property {string} id
 * @property {{ kind: string, chainId: number, genesisHash: string }} chain
 * @property {{ format: string, paramsDigest: string, params: string }} config
 * @property {{ root: { number: string, bytes: string } }} source
 * @property {string} query
 * @property {string} variant
 * @property {string} proof
 */

/** @typedef {new (chain: Uint8Array, config: Uint8Array, params: Uint8Array) => { verify(claims: Uint8Array, fresh: Uint8Array): string }} VerifierClass */

/**
 * Fills engines of both formats and systems, and measures them and the core natively.
 *
 * @param {{ profile: string, blocks: number }} how cargo's profile, and the length of the chain
 * @returns {Promise<{ rows: NativeRow[], records: Map<string, ColeRecord> }>} records by the id of their row
 */
export async function measureNativeCole({ profile, blocks }) {
  const dir = mkdtempSync(path.join(tmpdir(), 'lightproof-bench-'))
  try {
    const file = path.join(dir, 'records.json')
    const bench = ['bench', '--locked', '-p', 'lightproof-prover', '--bench', 'cole']
    const options = ['--blocks', String(blocks), '--records', file]
    const output = await run('cargo', [...bench, '--profile', profile, '--', ...options])
    const lines = output.split('\n').filter((line) => line.startsWith('{'))
    /** @type {ColeRecord[]} */
    const records = JSON.parse(readFileSync(file, 'utf8'))
    return {
      rows: lines.map((line) => JSON.parse(line)),
      records: new Map(records.map((record) => [record.id, record])),
    }
  } finally {
    rmSync(dir, { recursive: true })
  }
}

/**
 * The check of a proof by our module as it is shipped; it throws if the proof does not hold.
 *
 * @param {ColeRecord} record
 * @returns {Promise<() => unknown>}
 */
export async function verifierOf({ chain, config, source, query, variant, proof }) {
  const entry = import.meta.resolve('lightproof')
  const glue = await import(new URL('../generated/hash.js', entry).href)
  await glue.default({
    module_or_path: await readFile(new URL('../generated/hash_bg.wasm', entry)),
  })
  /** @type {VerifierClass} */
  const Verifier = glue.ColeVerifier
  const verifier = new Verifier(
    encode([ascii(chain.kind), integer(BigInt(chain.chainId)), fromHex(chain.genesisHash)]),
    encode([ascii(config.format), fromHex(config.paramsDigest)]),
    fromHex(config.params),
  )
  const root = [ascii('root'), integer(BigInt(source.root.number)), fromHex(source.root.bytes)]
  const claims = encode([[root, fromHex(query), ascii(variant), fromHex(proof)]])
  // Stands in for random bytes: a system that only hashes draws none.
  const fresh = new Uint8Array(32)
  return () => {
    const [verdict] = JSON.parse(verifier.verify(claims, fresh))
    if (verdict.status !== 'proven') throw new Error(verdict.code)
    return verdict.fact
  }
}
