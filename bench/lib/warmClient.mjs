/** A client whose node is a function: what it costs to ask, without a network. */

import { createClient, defineChain, getBalance, proven } from 'lightproof'
import { blockOver } from '../../scripts/lib/oneBlock.mjs'
import { partsOf } from './record.mjs'
import { toHex } from './rlp.mjs'

/** @typedef {import('./types.js').BenchCase} BenchCase */
/** @typedef {{ id: number, method: string }} Call */

const CHAIN_ID = 1337

/**
 * The check of an account's balance by a warm client: its block and its node are known.
 *
 * @param {BenchCase} bench a proof of an account that is there
 * @param {{ cacheBytes: number }} options 0 asks the node each time
 * @returns {Promise<() => Promise<void>>} throws if the balance is not proven, or is another one
 */
export async function prepareBalance(bench, { cacheBytes }) {
  const { account } = /** @type {import('./types.js').Fact} */ (bench.expected)
  if (account === null) throw new Error(`${bench.id}: no account`)
  const { address: bytes, accountProof } = partsOf(bench.record)
  const address = toHex(bytes)
  const block = blockOver(bench.record.source.root.bytes)
  /** @type {Record<string, unknown>} */
  const results = {
    eth_chainId: quantity(BigInt(CHAIN_ID)),
    eth_getBlockByHash: block,
    eth_getProof: {
      address,
      accountProof: accountProof.map(toHex),
      ...account,
      nonce: quantity(account.nonce),
      balance: quantity(account.balance),
      storageProof: [],
    },
  }
  const answer = (/** @type {Call} */ { id, method }) => ({
    jsonrpc: '2.0',
    id,
    result: results[method],
  })
  // Made once: what a node takes to write its answer is not the client's.
  const single = JSON.stringify(answer({ id: 0, method: 'eth_getProof' }))
  const fetch = async (/** @type {unknown} */ _, /** @type {{ body?: unknown }} */ init = {}) => {
    const asked = JSON.parse(String(init.body))
    const text = Array.isArray(asked)
      ? JSON.stringify(asked.map(answer))
      : single.replace('"id":0', `"id":${asked.id}`)
    return new Response(text, { headers: { 'content-type': 'application/json' } })
  }
  const genesisHash = block.hash
  const chain = defineChain({ name: 'local', kind: 'ethereum', chainId: CHAIN_ID, genesisHash })
  const client = createClient({
    ...{ chain, anchor: { block: block.hash }, nodes: ['http://node.invalid'], cacheBytes },
    fetch: /** @type {typeof globalThis.fetch} */ (fetch),
  })
  const check = async () => {
    const balance = proven(await getBalance(client, { address }))
    if (balance !== account.balance) throw new Error(`balance ${balance}, not ${account.balance}`)
  }
  await check()
  return check
}

/** @param {bigint} value */
function quantity(value) {
  return `0x${value.toString(16)}`
}
