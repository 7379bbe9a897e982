/**
 * Fuzz corpora, seeded from the test vectors: the fuzzer starts from bytes that get far into the
 * code.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { at, readJson } from './repo.mjs'

/** @typedef {{ kind: string, chainId: number, genesisHash: string }} Chain */
/** @typedef {{ format: string, paramsDigest?: string }} Config */
/** @typedef {{ header: { hash: string, rlps: string[] } } | { root: { number: string, bytes: string } }} Source */
/** @typedef {{ source: Source, query: string, variant: string, proof: string }} Vector */
/** @typedef {{ chain: Chain, config: Config, tests: Vector[] }} Group */

/** @param {string} hex with 0x; an odd digit count, as of quantities, gets a leading zero */
function bytes(hex) {
  const digits = hex.slice(2)
  return Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex')
}

/** @param {string} hex a quantity, as RLP wants it: minimal, zero empty */
function quantity(hex) {
  return BigInt(hex) === 0n ? Buffer.alloc(0) : bytes(`0x${BigInt(hex).toString(16)}`)
}

/**
 * @param {unknown} value a buffer, or a list of such values
 * @returns {Buffer}
 */
function rlp(value) {
  const list = Array.isArray(value)
  const payload = list ? Buffer.concat(value.map(rlp)) : /** @type {Buffer} */ (value)
  if (!list && payload.length === 1 && (payload[0] ?? 0) < 0x80) return payload
  const base = list ? 0xc0 : 0x80
  if (payload.length < 56) return Buffer.concat([Buffer.of(base + payload.length), payload])
  const length = quantity(`0x${payload.length.toString(16)}`)
  return Buffer.concat([Buffer.of(base + 55 + length.length), length, payload])
}

/** @param {Source} source */
function headersOf(source) {
  return 'header' in source ? source.header.rlps.map(bytes) : []
}

/**
 * The claims of the WebAssembly entry, one vector each.
 *
 * @param {Vector} vector
 */
function claims({ source, query, variant, proof }) {
  const from =
    'header' in source
      ? [Buffer.from('header'), bytes(source.header.hash), headersOf(source)]
      : [Buffer.from('root'), quantity(source.root.number), bytes(source.root.bytes)]
  return rlp([[from, bytes(query), Buffer.from(variant), bytes(proof)]])
}

/**
 * @param {Group} group
 * @returns {Buffer[]}
 */
function chainConfig({ chain, config }) {
  const id = quantity(`0x${chain.chainId.toString(16)}`)
  const digest = config.paramsDigest === undefined ? Buffer.alloc(0) : bytes(config.paramsDigest)
  return [
    rlp([Buffer.from(chain.kind), id, bytes(chain.genesisHash)]),
    rlp([Buffer.from(config.format), digest]),
  ]
}

/**
 * Targets whose input is not a byte string of the vectors as it stands.
 *
 * @type {Record<string, (group: Group) => Buffer[]>}
 */
const MADE = {
  claims: ({ tests }) => tests.map(claims),
  chain_config: chainConfig,
  header: ({ tests }) => tests.flatMap(({ source }) => headersOf(source)),
  query: ({ tests }) => tests.map(({ query }) => bytes(query)),
}

/** @typedef {{ steps: { bytes: string, expected: { result: string } }[] }} HeadersTest */
/** @typedef {{ chain: { consensus?: unknown }, tests: HeadersTest[] }} HeadersGroup */

/**
 * Targets whose input is not of proofs.
 *
 * @type {Record<string, () => Buffer[]>}
 */
const APART = {
  light_beacon: () =>
    [0, 1, 2].flatMap((form) => [0, 1, 2, 3, 4].map((shape) => Buffer.of(form, shape, 0, 0, 9, 1))),
  evm_call: calls,
  light_steps: () =>
    acceptedSteps().map((step, number) => Buffer.concat([word(number), Buffer.of(0xff), step])),
}

/**
 * Calls for `evm_call`: under each of its rules, contracts that read all, create, and call each
 * other.
 */
function calls() {
  const codes = [
    `5f545f5260015460205260073160405273${'01'.repeat(20)}3f60605260806000f3`,
    '6000600060006000f53f60005260206000f3',
    `5f5f5f5f5f73${'02'.repeat(20)}5af15f5260205ff3`,
    '4360024303405f5241424544484a60205260406000f3',
    '365f5f375f5f365f5f60025af1503d5f5f3e3d5ff3',
    '60017fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff098055',
  ]
  return [0, 1, 2, 3, 4].flatMap((rules) =>
    codes.map((code, index) => {
      const contract = bytes(`0x${code}`)
      return Buffer.concat([Buffer.of(rules, index, contract.length), contract, word(index)])
    }),
  )
}

/** @param {number} number of two bytes */
function word(number) {
  return Buffer.of(number >> 8, number & 0xff)
}

/** Bytes of the steps that the target knows by their number: those up to a case's first refusal. */
function acceptedSteps() {
  /** @type {{ groups: HeadersGroup[] }} */
  const { groups } = readJson('test-vectors', 'headers.json')
  return groups
    .flatMap(({ tests }) => tests)
    .flatMap(({ steps }) => {
      const end = steps.findIndex(({ expected }) => expected.result !== 'valid')
      return end < 0 ? steps : steps.slice(0, end)
    })
    .map((step) => bytes(step.bytes))
}

/** @param {Group} group */
function proofs({ tests }) {
  return tests.map(({ proof }) => bytes(proof))
}

/** @returns {Group[]} */
function groups() {
  return readdirSync(at('test-vectors'))
    .filter((name) => name.endsWith('.json'))
    .map((name) => readJson('test-vectors', name))
    .filter(({ kind }) => kind === 'vectors')
    .flatMap((file) => file.groups)
}

/**
 * Writes the seeds of a target into its corpus and returns how many there are.
 *
 * @param {string} target
 * @param {string} dir
 */
export function seedCorpus(target, dir) {
  mkdirSync(dir, { recursive: true })
  const all = APART[target]?.() ?? groups().flatMap(MADE[target] ?? proofs)
  const hash = (/** @type {Buffer} */ seed) => createHash('sha256').update(seed).digest('hex')
  const seeds = new Map(all.map((seed) => [hash(seed).slice(0, 16), seed]))
  for (const [name, seed] of seeds) writeFileSync(path.join(dir, name), seed)
  return seeds.size
}
