/**
 * Ethereum accounts and slots. Proofs over a large state are made here. More are mainnet's, if they
 * were recorded: from the folder of reference vectors (LIGHTPROOF_REFERENCE_VECTORS, default
 * ../shared/vectors beside the repository), which stays outside the repository.
 */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { at } from '../../scripts/lib/repo.mjs'
import { generate } from '../lib/generator.mjs'
import { factOf, mainnetRecord } from '../lib/record.mjs'

/** @typedef {import('../lib/types.js').BenchCase} BenchCase */
/** @typedef {{ stateRoot: string, accountExists: boolean, proof: import('../lib/record.mjs').GetProof }} Answer */

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
  async cases({ profile, accounts }) {
    return [...recordedCases(), ...(await madeCases(profile, accounts))]
  },
}

/** @returns {BenchCase[]} none where the folder is not there */
function recordedCases() {
  const vectors = process.env['LIGHTPROOF_REFERENCE_VECTORS'] ?? at('..', 'shared', 'vectors')
  const dir = path.join(vectors, 'eth-getproof', 'real')
  if (existsSync(dir)) {
    return MAINNET.map(({ id, title, file }) =>
      caseOf(id, title, JSON.parse(readFileSync(path.join(dir, file), 'utf8'))),
    )
  }
  if (process.env['LIGHTPROOF_REFERENCE_VECTORS'] === undefined) return []
  throw new Error(`LIGHTPROOF_REFERENCE_VECTORS: no directory ${dir}`)
}

/**
 * @param {string} profile
 * @param {number} accounts
 */
async function madeCases(profile, accounts) {
  const options = ['--accounts', String(accounts)]
  /** @type {(Answer & { id: string, title: string })[]} */
  const made = await generate('state', profile, options)
  const state = `of ${accounts.toLocaleString('en')}, made`
  return made.map((answer) => caseOf(answer.id, `${answer.title} (${state})`, answer))
}

/**
 * @param {string} id
 * @param {string} title
 * @param {Answer} answer
 * @returns {BenchCase}
 */
function caseOf(id, title, { proof, stateRoot, accountExists }) {
  const expected = factOf(proof, accountExists)
  return { id, title, record: mainnetRecord(proof, stateRoot), expected }
}
