/**
 * Ethereum accounts and slots. The proofs are mainnet's, from the folder of reference vectors (LIGHTPROOF_REFERENCE_VECTORS,
 * default ../shared/vectors beside the repository), which stays outside the repository; where it is absent, the devnet's, from test-vectors/.
 */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { at } from '../../scripts/lib/repo.mjs'
import { factOf, mainnetRecord } from '../lib/record.mjs'
import { bytes, decode, fromHex, list, toHex } from '../lib/rlp.mjs'

/** @typedef {import('../lib/types.js').BenchCase} BenchCase */
/** @typedef {import('../lib/types.js').Fact} Fact */
/** @typedef {import('../lib/types.js').ProofRecord} ProofRecord */

/** Files of `eth-getproof/real/`: what mainnet nodes answered. */
const MAINNET = [
  {
    id: 'mainnet-account',
    title: 'mainnet account',
    file: 'colibri-eth_getBalance1-95222290-3f1ea5.json',
  },
  {
    id: 'mainnet-slot',
    title: 'mainnet account and 1 slot',
    file: 'colibri-eth_getStorageAt_electra-a0b86991-77b08a.json',
  },
  {
    id: 'mainnet-3-slots',
    title: 'mainnet account and 3 slots',
    file: 'colibri-eth_call_electra-a0b86991-18e0b8.json',
  },
  {
    id: 'mainnet-absent-slot',
    title: 'mainnet account, slot absent',
    file: 'axiom-noninclusion_extension_pf.json',
  },
  {
    id: 'mainnet-absent-account',
    title: 'mainnet account absent (block 0)',
    file: 'axiom-mainnet-genesis-absent.json',
  },
]

/** @type {import('../lib/types.js').Suite} */
export const suite = {
  system: 'mpt',
  engines: ['lightproof-wasm', 'lightproof-sdk', 'ethereumjs-mpt', 'ethers-trie', 'viem-trie'],
  cases() {
    const vectors = process.env['LIGHTPROOF_REFERENCE_VECTORS'] ?? at('..', 'shared', 'vectors')
    const dir = path.join(vectors, 'eth-getproof', 'real')
    if (existsSync(dir))
      return MAINNET.map((entry) => mainnetCase(entry, path.join(dir, entry.file)))
    if (process.env['LIGHTPROOF_REFERENCE_VECTORS'] !== undefined) {
      throw new Error(`LIGHTPROOF_REFERENCE_VECTORS: no directory ${dir}`)
    }
    return devnetCases(JSON.parse(readFileSync(at('test-vectors', 'mpt.json'), 'utf8')))
  },
}

/**
 * @param {{ id: string, title: string }} entry
 * @param {string} file
 * @returns {BenchCase}
 */
function mainnetCase({ id, title }, file) {
  const { proof, stateRoot, accountExists } = JSON.parse(readFileSync(file, 'utf8'))
  const expected = factOf(proof, accountExists)
  return { id, title, record: mainnetRecord(proof, stateRoot), expected }
}

/**
 * What the benchmark reads of `test-vectors/mpt.json`.
 *
 * @typedef {object} Vector
 * @property {{ header?: { rlps: string[] }, root?: { number: string, bytes: string } }} source
 * @property {string} query
 * @property {string} variant
 * @property {string} proof
 * @property {{ result: string, fact?: FactJson }} expected
 */

/**
 * @typedef {object} FactJson
 * @property {{ status: string, nonce: string, balance: string, storageHash: string, codeHash: string }} account
 * @property {{ value?: string }[]} slots
 * @property {string} [code]
 */

/** @typedef {{ chain: ProofRecord['chain'], config: ProofRecord['config'], tests: Vector[] }} Group */

/** Kinds of proof to look for; of each the longest. */
const DEVNET = [
  {
    id: 'devnet-account',
    title: 'devnet account',
    fits: (/** @type {FactJson} */ { account, slots }) =>
      account.status === 'present' && slots.length === 0,
  },
  {
    id: 'devnet-slots',
    title: 'devnet account and slots',
    fits: (/** @type {FactJson} */ { slots }) => slots.some(({ value }) => value !== undefined),
  },
  {
    id: 'devnet-absent-account',
    title: 'devnet account absent',
    fits: (/** @type {FactJson} */ { account, slots }) =>
      account.status === 'absent' && slots.length === 0,
  },
]

/**
 * @param {{ groups: Group[] }} file
 * @returns {BenchCase[]}
 */
function devnetCases({ groups }) {
  const all = groups.flatMap(({ chain, config, tests }) =>
    tests.map((test) => ({ ...test, chain, config })),
  )
  return DEVNET.map(({ id, title, fits }) => {
    const [longest] = all
      .filter(
        ({ expected: { fact } }) => fact !== undefined && fact.code === undefined && fits(fact),
      )
      .sort((a, b) => b.proof.length - a.proof.length)
    if (longest?.expected.fact === undefined) throw new Error(`test-vectors/mpt.json: no ${title}`)
    const { chain, config, source, query, variant, proof } = longest
    const root = { number: '0x0', bytes: stateRoot(source, chain.kind) }
    const record = { chain, system: 'mpt', config, source: { root }, query, variant, proof }
    return { id, title, record, expected: fact(longest.expected.fact) }
  })
}

/**
 * @param {FactJson} json
 * @returns {Fact}
 */
function fact({ account, slots }) {
  const { status, nonce, balance, storageHash, codeHash } = account
  return {
    account:
      status === 'absent'
        ? null
        : { nonce: BigInt(nonce), balance: BigInt(balance), storageHash, codeHash },
    slots: slots.map(({ value = '0x0' }) => BigInt(value)),
  }
}

/**
 * The root that engines without headers start from.
 *
 * @param {Vector['source']} source
 * @param {string} kind
 */
function stateRoot({ header, root }, kind) {
  if (root !== undefined) return root.bytes
  const fields = list(decode(fromHex(header?.rlps.at(-1) ?? '0xc0')))
  if (kind === 'ethereum') return toHex(bytes(fields[3]))
  const commitments = list(fields[5]).map((entry) => list(entry).map(bytes))
  const [, mpt] = commitments.find(([system]) => new TextDecoder().decode(system) === 'mpt') ?? []
  return toHex(bytes(mpt))
}
