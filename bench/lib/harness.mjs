/**
 * The prover's own benchmarks: runs one, and checks the proofs that it leaves by our modules as
 * they are shipped.
 */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import * as listed from 'lightproof/systems'
import { cargoBench } from '../../scripts/lib/cargo.mjs'
import { startModule } from './glue.mjs'
import { ascii, encode, fromHex, integer, toHex } from './rlp.mjs'

/**
 * A proof with its parameters.
 *
 * @typedef {object} ProofRecord
 * @property {string} id
 * @property {{ kind: string, chainId: number, genesisHash: string }} chain
 * @property {{ format: string, paramsDigest: string, params: string }} config
 * @property {{ root: { number: string, bytes: string } }} source
 * @property {string} query
 * @property {string} variant
 * @property {string} proof
 */

/** @typedef {{ verify(claims: Uint8Array, fresh: Uint8Array): string }} Verifier */
/** @typedef {new (chain: Uint8Array, config: Uint8Array, params: Uint8Array) => Verifier} VerifierClass */
/** @typedef {{ status: string, code?: string, fact?: unknown }} Verdict */

/**
 * With what the published types leave out.
 *
 * @type {{ systems: readonly { name: string, module: string, verifier: string }[] }}
 */
const { systems } = /** @type {any} */ (listed)

/**
 * Runs the benchmark of `prover/benches` that measures a system and the core natively.
 *
 * @template Row
 * @param {string} bench
 * @param {string} profile cargo's
 * @param {readonly string[]} options
 * @param {boolean} [proves] whether it also makes proofs
 * @returns {Promise<{ rows: Row[], records: Map<string, ProofRecord> }>} records by the id of their
 *   row
 */
export async function runHarness(bench, profile, options, proves = true) {
  const dir = mkdtempSync(path.join(tmpdir(), 'lightproof-bench-'))
  try {
    const file = path.join(dir, 'records.json')
    const own = proves ? [...options, '--records', file] : options
    const rows = await cargoBench('lightproof-prover', bench, profile, own)
    /** @type {ProofRecord[]} */
    const records = proves ? JSON.parse(readFileSync(file, 'utf8')) : []
    return {
      rows,
      records: new Map(records.map((record) => [record.id, record])),
    }
  } finally {
    rmSync(dir, { recursive: true })
  }
}

/** @type {Map<string, Promise<Verifier>>} by their parameters, which take seconds to read where there are thousands of points */
const verifiers = new Map()

/**
 * What a record asks of our module.
 *
 * @param {string} system
 * @param {ProofRecord} record
 * @param {Uint8Array} [proof] in place of the record's
 * @returns {import('../browser/types.js').ProofQuestion}
 */
export function questionOf(system, record, proof = fromHex(record.proof)) {
  const { chain, config, source, query, variant } = record
  const place = systems.find(({ name }) => name === system)
  if (place === undefined) throw new Error(`no system ${system}`)
  const { module, verifier } = place
  const pinned = [ascii(chain.kind), integer(BigInt(chain.chainId)), fromHex(chain.genesisHash)]
  const root = [ascii('root'), integer(BigInt(source.root.number)), fromHex(source.root.bytes)]
  return {
    kind: 'proof',
    module,
    verifier,
    chain: toHex(encode(pinned)),
    config: toHex(encode([ascii(config.format), fromHex(config.paramsDigest)])),
    params: config.params,
    claims: toHex(encode([[root, fromHex(query), ascii(variant), proof]])),
    // As the SDK does: only equations over curves are combined at random.
    isCombined: !['hash', 'mpt'].includes(module),
  }
}

/**
 * The questions of rows that have a record.
 *
 * @param {string} system
 * @param {Map<string, ProofRecord>} records by the id of their row
 * @param {readonly { case: string }[]} rows
 */
export function questionsOf(system, records, rows) {
  const shown = new Set(rows.map((row) => row.case))
  const asked = [...records].filter(([id]) => shown.has(id))
  return new Map(asked.map(([id, record]) => [id, questionOf(system, record)]))
}

/**
 * What our module says of a record, or of another proof in its place.
 *
 * @param {string} system
 * @param {ProofRecord} record
 * @param {Uint8Array} [proof]
 * @returns {Promise<() => Verdict>}
 */
export async function verdictOf(system, record, proof) {
  const question = questionOf(system, record, proof)
  const { module, verifier, chain, config, isCombined } = question
  const key = [module, verifier, chain, config].join(' ')
  const known = verifiers.get(key) ?? load(question)
  verifiers.set(key, known)
  const ours = await known
  const [claims, none] = [fromHex(question.claims), new Uint8Array(32)]
  return () => {
    const fresh = isCombined ? crypto.getRandomValues(new Uint8Array(32)) : none
    return JSON.parse(ours.verify(claims, fresh))[0]
  }
}

/**
 * The check of a proof; it throws if the proof does not hold.
 *
 * @param {string} system
 * @param {ProofRecord} record
 * @returns {Promise<() => unknown>}
 */
export async function checkOf(system, record) {
  const ask = await verdictOf(system, record)
  return () => {
    const { status, code, fact } = ask()
    if (status !== 'proven') throw new Error(code)
    return fact
  }
}

/** @param {import('../browser/types.js').ProofQuestion} question */
async function load({ module, verifier, chain, config, params }) {
  const glue = await startModule(module)
  /** @type {VerifierClass} */
  const Verifier = glue[verifier]
  return new Verifier(fromHex(chain), fromHex(config), fromHex(params))
}
