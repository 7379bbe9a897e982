/** Verkle's rows: the tree and the core natively, and the proofs for our module. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { run } from '../../scripts/lib/run.mjs'
import { ascii, encode, fromHex, integer } from './rlp.mjs'

/** @typedef {{ id: string, us?: number, bytes?: number, merkleBytes?: number, proveUs?: number, verifyUs?: number }} NativeRow */
/** @typedef {import('./cole.mjs').ColeRecord} Record */
/** @typedef {import('./cole.mjs').VerifierClass} VerifierClass */

/**
 * Builds trees, and measures them and the core natively.
 *
 * @param {{ profile: string, leaves: number, trees: readonly string[] }} how cargo's profile, the size of the trees, and their formats
 * @returns {Promise<{ rows: NativeRow[], records: Map<string, Record> }>} records by the id of their row
 */
export async function measureNativeVerkle({ profile, leaves, trees }) {
  const dir = mkdtempSync(path.join(tmpdir(), 'lightproof-bench-'))
  try {
    const file = path.join(dir, 'records.json')
    const bench = ['bench', '--locked', '-p', 'lightproof-prover', '--bench', 'verkle']
    const options = ['--leaves', String(leaves), '--trees', trees.join(','), '--records', file]
    const output = await run('cargo', [...bench, '--profile', profile, '--', ...options])
    const lines = output.split('\n').filter((line) => line.startsWith('{'))
    /** @type {Record[]} */
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
 * Verifiers by the digest of their parameters: cf's take seconds to load at k = 1,024.
 *
 * @type {Map<string, Promise<InstanceType<VerifierClass>>>}
 */
const verifiers = new Map()

/**
 * The check of a proof by our module as it is shipped; it throws if the proof does not hold.
 *
 * @param {Record} record
 * @returns {Promise<() => unknown>}
 */
export async function verkleVerifierOf(record) {
  const { config, source, query, variant, proof } = record
  const known = verifiers.get(config.paramsDigest) ?? load(record)
  verifiers.set(config.paramsDigest, known)
  const verifier = await known
  const root = [ascii('root'), integer(BigInt(source.root.number)), fromHex(source.root.bytes)]
  const claims = encode([[root, fromHex(query), ascii(variant), fromHex(proof)]])
  return () => {
    const fresh = crypto.getRandomValues(new Uint8Array(32))
    const [verdict] = JSON.parse(verifier.verify(claims, fresh))
    if (verdict.status !== 'proven') throw new Error(verdict.code)
    return verdict.fact
  }
}

/** @param {Record} record */
async function load({ chain, config }) {
  const entry = import.meta.resolve('lightproof')
  const glue = await import(new URL('../generated/bls12_381.js', entry).href)
  await glue.default({
    module_or_path: await readFile(new URL('../generated/bls12_381_bg.wasm', entry)),
  })
  /** @type {VerifierClass} */
  const Verifier = glue.VerkleVerifier
  return new Verifier(
    encode([ascii(chain.kind), integer(BigInt(chain.chainId)), fromHex(chain.genesisHash)]),
    encode([ascii(config.format), fromHex(config.paramsDigest)]),
    fromHex(config.params),
  )
}
