/**
 * A block's receipts: the root of their trie is rebuilt, and the logs of one contract are found.
 */

import { createMPT } from '@ethereumjs/mpt'
import { checkOf } from '../lib/harness.mjs'
import { measure, median, pairedRatio } from '../lib/measure.mjs'
import { receipts, recordOf } from '../lib/receipts.mjs'
import { encode, integer, toHex } from '../lib/rlp.mjs'

const OURS = { id: 'body-wasm', title: 'verify, wasm' }
const PEER = { id: 'body-ethereumjs', title: '@ethereumjs/mpt, root alone' }

/** Receipts of a block: a busy one of mainnet, and one of four times as many. */
const COUNTS = [215, 860]

/** @type {import('../lib/types.js').OwnSuite} */
export const suite = {
  system: 'body',
  title: 'receipts of a block, made',
  about:
    'Ours decodes every receipt, rebuilds the root and finds one contract’s logs; the other rebuilds the root from the same bytes.',
  async run({ rounds, log }) {
    const rows = []
    for (const count of COUNTS) {
      log(`body: ${count} receipts`)
      const { ours, theirs, bytes } = await checksOf(count)
      const results = await measure([ours, theirs], rounds)
      const [own, peer] = results.map(({ samples, runs }) => ({ samples, runs }))
      if (own === undefined || peer === undefined) throw new Error('an engine gave no samples')
      const base = { system: 'body', case: `receipts-${count}`, proofBytes: bytes }
      const us = (/** @type {number} */ value) => Math.round(value * 100) / 100
      const ratioToOurs = us(pairedRatio(peer.samples, own.samples))
      rows.push(
        {
          ...base,
          engine: OURS.id,
          runs: own.runs,
          medianUs: us(median(own.samples)),
          ratioToOurs: null,
        },
        {
          ...base,
          engine: PEER.id,
          runs: peer.runs,
          medianUs: us(median(peer.samples)),
          ratioToOurs,
        },
      )
    }
    const engines = [OURS, PEER].map(({ id, title }) => [id, title])
    const cases = COUNTS.map((count) => [`receipts-${count}`, `${count} receipts`])
    return {
      rows,
      titles: { cases: Object.fromEntries(cases), engines: Object.fromEntries(engines) },
    }
  },
}

/**
 * Both engines' checks of a block of so many receipts.
 *
 * @param {number} count
 */
export async function checksOf(count) {
  const list = receipts(count)
  const root = await rootOf(list)
  const record = recordOf(list, root)
  const ours = await checkOf('body', { id: `receipts-${count}`, ...record })
  const expected = toHex(root)
  const theirs = async () => {
    if (toHex(await rootOf(list)) !== expected) throw new Error('another root')
  }
  return { ours, theirs, record, bytes: record.proof.length / 2 - 1 }
}

/** @param {readonly Uint8Array[]} list */
async function rootOf(list) {
  const trie = await createMPT()
  for (const [i, value] of list.entries()) await trie.put(encode(integer(BigInt(i))), value)
  return trie.root()
}
