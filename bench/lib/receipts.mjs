/** Receipts of a block: a recorded one of mainnet, or made with as many logs and bytes. */

import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { at } from '../../scripts/lib/repo.mjs'
import { ascii, encode, fromHex, integer, toHex } from './rlp.mjs'

/** @typedef {import('./types.js').RlpItem} RlpItem */
/**
 * All receipts of a block, and a question about them.
 *
 * @typedef {object} Receipts
 * @property {string} id
 * @property {string} title
 * @property {readonly Uint8Array[]} list as the trie holds them
 * @property {Uint8Array} contract whose logs are asked for
 * @property {number} logs of it
 * @property {Uint8Array} [root] of the trie, where a header says it
 */
/** @typedef {{ address: string, topics: readonly string[], data: string }} RecordedLog */
/**
 * @typedef {{ type: string, status: string, cumulativeGasUsed: string, logsBloom: string,
 *   logs: readonly RecordedLog[] }} RecordedReceipt
 */

/**
 * Bytes that follow from a name.
 *
 * @param {string} name
 * @param {number} length at most 32
 */
function filler(name, length) {
  return Uint8Array.from(createHash('sha256').update(name).digest().subarray(0, length))
}

/** One of the contracts that write logs. */
const CONTRACT = filler('contract 0', 20)

/**
 * Envelopes of type 2. Every fourth has no log, others have up to six, of 7 contracts.
 *
 * @param {number} count
 * @returns {Receipts}
 */
export function madeReceipts(count) {
  let asked = 0
  const list = Array.from({ length: count }, (_, i) => {
    const logs = i % 4 === 0 ? 0 : 1 + (i % 6)
    const all = Array.from({ length: logs }, (_, at) => {
      const contract = (i + at) % 7
      if (contract === 0) asked++
      return logOf(`${i} ${at}`, contract)
    })
    const gas = integer(BigInt(90_000 * (i + 1)))
    const fields = [integer(1n), gas, new Uint8Array(256).fill(i % 256), all]
    return Uint8Array.of(2, ...encode(fields))
  })
  const title = `${count} receipts, made`
  return { id: `made-${count}`, title, list, contract: CONTRACT, logs: asked }
}

/**
 * The 215 receipts of mainnet's block 22,432,102, and its busiest contract; undefined where the
 * folder of reference vectors is not there.
 *
 * @returns {Receipts | undefined}
 */
export function recordedReceipts() {
  const vectors = process.env['LIGHTPROOF_REFERENCE_VECTORS'] ?? at('..', 'shared', 'vectors')
  const file = path.join(vectors, 'eth-blocks', '22432102-prague.json')
  if (!existsSync(file)) return undefined
  /** @type {{ number: number, block: { receiptsRoot: string }, receipts: RecordedReceipt[] }} */
  const { number, block, receipts } = JSON.parse(readFileSync(file, 'utf8'))
  /** @type {Map<string, number>} */
  const counts = new Map()
  for (const { address } of receipts.flatMap(({ logs }) => logs))
    counts.set(address, (counts.get(address) ?? 0) + 1)
  const [busiest] = [...counts].sort(([, a], [, b]) => b - a)
  if (busiest === undefined) throw new Error(`block ${number}: no logs`)
  const [contract, logs] = busiest
  return {
    id: 'recorded',
    title: `${receipts.length} receipts of mainnet’s block ${number.toLocaleString('en')}`,
    list: receipts.map(envelope),
    contract: fromHex(contract),
    logs,
    root: fromHex(block.receiptsRoot),
  }
}

/**
 * A receipt as the trie holds it.
 *
 * @param {RecordedReceipt} receipt
 */
function envelope({ type, status, cumulativeGasUsed, logsBloom, logs }) {
  const quantity = (/** @type {string} */ hex) => integer(BigInt(hex))
  const list = logs.map(({ address, topics, data }) => [
    fromHex(address),
    topics.map(fromHex),
    fromHex(data),
  ])
  const rlp = encode([quantity(status), quantity(cumulativeGasUsed), fromHex(logsBloom), list])
  const kind = Number(type)
  return kind === 0 ? rlp : Uint8Array.of(kind, ...rlp)
}

/**
 * @param {string} name
 * @param {number} contract
 * @returns {RlpItem}
 */
function logOf(name, contract) {
  const topics = ['transfer', `from ${name}`, `to ${name}`].map((topic) => filler(topic, 32))
  return [filler(`contract ${contract}`, 20), topics, filler(`amount ${name}`, 32)]
}

/**
 * The claim that these are all receipts of a block, and the question for one contract's logs.
 *
 * @param {Receipts} receipts
 * @param {Uint8Array} root of the trie over the list
 * @returns {Omit<import('./types.js').ProofRecord, 'config'> & { config: { format: string,
 *   paramsDigest: string, params: string } }}
 */
export function recordOf({ list, contract }, root) {
  const committed = encode([new Uint8Array(32), root, new Uint8Array(256).fill(255)])
  return {
    chain: { kind: 'ethereum', chainId: 1, genesisHash: toHex(new Uint8Array(32)) },
    system: 'body',
    config: { format: 'body/1', paramsDigest: '0x', params: '0x' },
    source: { root: { number: '0x1', bytes: toHex(committed) } },
    query: toHex(encode([ascii('logs'), [contract], [], integer(0n)])),
    variant: 'plain',
    proof: toHex(encode([list])),
  }
}
