/** LVMT's rows: the prover and the core natively, and the proofs for our module. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { run } from '../../scripts/lib/run.mjs'
import { ascii, encode, fromHex, integer } from './rlp.mjs'

/** @typedef {{ id: string, us?: number, fillUs?: number, keys?: number, ratio?: number, peak?: number, bytes?: number, proveUs?: number, verifyUs?: number }} NativeRow */
/** @typedef {import('./cole.mjs').ColeRecord} Record */
/** @typedef {import('./cole.mjs').VerifierClass} VerifierClass */

/**
 * Fills one prover, and measures it and the core natively.
 *
 * @param {{ profile: string, keys: number, tree: string, flags?: readonly string[] }} how cargo's profile, keys of the state, kept proof tree
 * @returns {Promise<{ rows: NativeRow[], records: Map<string, Record> }>} records by the id of their row
 */
export async function measureNativeLvmt({ profile, keys, tree, flags = [] }) {
  const dir = mkdtempSync(path.join(tmpdir(), 'lightproof-bench-'))
  try {
    const file = path.join(dir, 'records.json')
    const bench = ['bench', '--locked', '-p', 'lightproof-prover', '--bench', 'lvmt']
    const wanted = flags.includes('--records') ? [file] : []
    const options = ['--keys', String(keys), '--tree', tree, ...flags, ...wanted]
    const output = await run('cargo', [...bench, '--profile', profile, '--', ...options])
    const lines = output.split('\n').filter((line) => line.startsWith('{'))
    /** @type {Record[]} */
    const records = wanted.length === 0 ? [] : JSON.parse(readFileSync(file, 'utf8'))
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
 * @param {Record} record
 * @returns {Promise<() => unknown>}
 */
export async function lvmtVerifierOf({ chain, config, source, query, variant, proof }) {
  const entry = import.meta.resolve('lightproof')
  const glue = await import(new URL('../generated/bn254.js', entry).href)
  await glue.default({
    module_or_path: await readFile(new URL('../generated/bn254_bg.wasm', entry)),
  })
  /** @type {VerifierClass} */
  const Verifier = glue.LvmtVerifier
  const verifier = new Verifier(
    encode([ascii(chain.kind), integer(BigInt(chain.chainId)), fromHex(chain.genesisHash)]),
    encode([ascii(config.format), fromHex(config.paramsDigest)]),
    fromHex(config.params),
  )
  const root = [ascii('root'), integer(BigInt(source.root.number)), fromHex(source.root.bytes)]
  const claims = encode([[root, fromHex(query), ascii(variant), fromHex(proof)]])
  return () => {
    const fresh = crypto.getRandomValues(new Uint8Array(32))
    const [verdict] = JSON.parse(verifier.verify(claims, fresh))
    if (verdict.status !== 'proven') throw new Error(verdict.code)
    return verdict.fact
  }
}
