/**
 * A block's receipts: the root of their trie is rebuilt, and the logs of one contract are found.
 */

import { createMPT } from '@ethereumjs/mpt'
import { rootOf as rootByEthers } from '../engines/ethers-trie.mjs'
import { checkOf } from '../lib/harness.mjs'
import { measure, median, pairedRatio } from '../lib/measure.mjs'
import { madeReceipts, recordedReceipts, recordOf } from '../lib/receipts.mjs'
import { encode, integer, toHex } from '../lib/rlp.mjs'

/** @typedef {import('../lib/receipts.mjs').Receipts} Receipts */

const ENGINES = [
  { id: 'body-wasm', title: 'verify, wasm' },
  { id: 'body-ethereumjs', title: '@ethereumjs/mpt, root alone' },
  { id: 'body-ethers', title: 'ethers + JS trie, root alone' },
]

/**
 * A busy block of mainnet's receipts where they are recorded, and made ones: as many, and four
 * times as many.
 */
export function blocks() {
  const recorded = recordedReceipts()
  return [...(recorded === undefined ? [] : [recorded]), madeReceipts(215), madeReceipts(860)]
}

/** @type {import('../lib/types.js').OwnSuite} */
export const suite = {
  system: 'body',
  title: 'receipts of a block',
  about:
    'Processor time, medians; in brackets, how many times the first column’s in the same round. ' +
    'Ours decodes every receipt, rebuilds the root and finds one contract’s logs; the others ' +
    'rebuild the root from the same bytes. The target for 215 receipts is 3 ms.',
  async run({ rounds, log }) {
    const rows = []
    const all = blocks()
    for (const block of all) {
      log(`body: ${block.title}`)
      const { ours, others, bytes } = await checksOf(block)
      const results = await measure([ours, ...others], rounds)
      const [own] = results
      if (own === undefined) throw new Error('no samples')
      const us = (/** @type {number} */ value) => Math.round(value * 100) / 100
      for (const [i, { samples, runs }] of results.entries()) {
        rows.push({
          ...{ system: 'body', case: block.id, proofBytes: bytes },
          engine: ENGINES[i]?.id ?? '',
          medianUs: us(median(samples)),
          ratioToOurs: i === 0 ? null : us(pairedRatio(samples, own.samples)),
          runs,
        })
      }
    }
    const engines = Object.fromEntries(ENGINES.map(({ id, title }) => [id, title]))
    const cases = Object.fromEntries(all.map(({ id, title }) => [id, title]))
    return { rows, titles: { cases, engines } }
  },
}

/**
 * Every engine's check of a block, ours first. Where no header says the root, it is that of the
 * first other engine.
 *
 * @param {Receipts} block
 */
export async function checksOf(block) {
  const root = block.root ?? (await rootOf(block.list))
  const record = recordOf(block, root)
  const ours = await checkOf('body', { id: block.id, ...record })
  const expected = toHex(root)
  /** @param {string} found */
  const same = (found) => {
    if (found !== expected) throw new Error(`another root: ${found}`)
  }
  const byEthereumjs = async () => same(toHex(await rootOf(block.list)))
  const byEthers = () => same(rootByEthers(block.list))
  const bytes = record.proof.length / 2 - 1
  return { ours, others: [byEthereumjs, byEthers], record, bytes }
}

/** @param {readonly Uint8Array[]} list */
async function rootOf(list) {
  const trie = await createMPT()
  for (const [i, value] of list.entries()) await trie.put(encode(integer(BigInt(i))), value)
  return trie.root()
}
