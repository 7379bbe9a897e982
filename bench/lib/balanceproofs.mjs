/** Rows of balanceproofs: prover and core natively, and the proofs for our module. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { run } from '../../scripts/lib/run.mjs'
import { ascii, decode, encode, fromHex, integer } from './rlp.mjs'

/** @typedef {{ id: string, us?: number, bytes?: number, proveUs?: number, decodeUs?: number, verifyUs?: number }} NativeRow */
/** @typedef {import('./cole.mjs').ColeRecord} Record */
/** @typedef {InstanceType<import('./cole.mjs').VerifierClass>} Verifier */

/**
 * Proves, and measures prover and core natively.
 *
 * @param {{ profile: string, counts: readonly number[] }} how cargo's profile, and positions of a claim
 * @returns {Promise<{ rows: NativeRow[], records: Map<string, Record> }>} records by the id of their row
 */
export async function measureNativeBalances({ profile, counts }) {
  const dir = mkdtempSync(path.join(tmpdir(), 'lightproof-bench-'))
  try {
    const file = path.join(dir, 'records.json')
    const bench = ['bench', '--locked', '-p', 'lightproof-prover', '--bench', 'balanceproofs']
    const options = ['--counts', counts.join(','), '--records', file]
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

/** @type {Map<string, Verifier>} by the digest of their parameters, which take seconds to read where there are thousands */
const verifiers = new Map()

/**
 * The check of a proof by our module as it is shipped, and its decoding alone: that of the same proof with a byte more, which is
 * noticed when everything else is read.
 *
 * @param {Record} record
 * @returns {Promise<{ verify: () => void, decode: () => void }>} they throw if something else comes out
 */
export async function balanceChecksOf(record) {
  const verifier = verifiers.get(record.config.paramsDigest) ?? (await verifierOf(record))
  verifiers.set(record.config.paramsDigest, verifier)
  const { source, query, variant } = record
  const root = [ascii('root'), integer(BigInt(source.root.number)), fromHex(source.root.bytes)]
  const check = (/** @type {Uint8Array} */ proof, /** @type {string} */ expected) => {
    const claims = encode([[root, fromHex(query), ascii(variant), proof]])
    return () => {
      const fresh = crypto.getRandomValues(new Uint8Array(32))
      const [{ status, code = status }] = JSON.parse(verifier.verify(claims, fresh))
      if (code !== expected) throw new Error(code)
    }
  }
  const proof = fromHex(record.proof)
  const [values, points] = /** @type {Uint8Array[]} */ (decode(proof))
  if (values === undefined || points === undefined) throw new Error('a proof of another form')
  // One byte more than points have: read to the end, then refused.
  const surplus = new Uint8Array(points.length + 1)
  surplus.set(points)
  const longer = encode([values, surplus])
  return { verify: check(proof, 'proven'), decode: check(longer, 'decode.shape') }
}

/**
 * @param {Record} record
 * @returns {Promise<Verifier>}
 */
async function verifierOf({ chain, config }) {
  const entry = import.meta.resolve('lightproof')
  const glue = await import(new URL('../generated/bls12_381.js', entry).href)
  await glue.default({
    module_or_path: await readFile(new URL('../generated/bls12_381_bg.wasm', entry)),
  })
  return new glue.BalanceProofsVerifier(
    encode([ascii(chain.kind), integer(BigInt(chain.chainId)), fromHex(chain.genesisHash)]),
    encode([ascii(config.format), fromHex(config.paramsDigest)]),
    fromHex(config.params),
  )
}
