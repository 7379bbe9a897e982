/** A long chain of a geth of our own: a transaction a block, and some transfers of a token. */

import {
  deployToken,
  FRIENDS,
  moving,
  rpc,
  send,
  startDevGeth,
} from '../../examples/tour/devGeth.mjs'

/** Blocks behind the head in which transfers are looked for, and how many of them have one. */
export const LOGS = { blocks: 1_000, transfers: 10 }

/**
 * @typedef {object} LongChain
 * @property {string} url
 * @property {string} genesisHash
 * @property {number} head
 * @property {string} headHash
 * @property {string} token
 * @property {string} receiver of the transfers
 * @property {readonly number[]} transfers their blocks
 */

/**
 * Makes at least so many blocks.
 *
 * @param {string} geth the program
 * @param {number} blocks
 * @returns {Promise<LongChain>}
 */
export async function makeLongChain(geth, blocks) {
  const { url } = await startDevGeth(geth)
  const token = await deployToken(url)
  const [receiver = '', other = ''] = FRIENDS
  const every = LOGS.blocks / LOGS.transfers
  const requests = Array.from({ length: blocks }, (_, i) => {
    const isTransfer = blocks - i <= LOGS.blocks && i % every === 0
    return isTransfer ? moving(token, receiver, 1n) : { to: other, value: 1n }
  })
  const receipts = await send(url, requests)
  const moved = receipts.filter((_, i) => requests[i]?.to === token)
  const transfers = moved.map(({ blockNumber }) => Number(blockNumber))
  const newest = await rpc(url, 'eth_getBlockByNumber', ['latest', false])
  const { hash: genesisHash } = await rpc(url, 'eth_getBlockByNumber', ['0x0', false])
  const [head, headHash] = [Number(newest.number), newest.hash]
  return { url, genesisHash, head, headHash, token, receiver, transfers }
}

/**
 * A `fetch` that counts what is asked and answered.
 *
 * @param {string} [refused] a method that the node does not have
 */
export function countingFetch(refused) {
  const tally = { requests: 0, bytes: 0 }
  /** @type {typeof fetch} */
  const counting = async (input, init) => {
    tally.requests++
    const asked = [JSON.parse(String(init?.body))].flat()
    if (asked.some(({ method }) => method === refused)) {
      const error = { code: -32601, message: `no ${refused}` }
      const answers = asked.map(({ id }) => ({ jsonrpc: '2.0', id, error }))
      return Response.json(answers.length === 1 ? answers[0] : answers)
    }
    const response = await fetch(input, init)
    const body = await response.arrayBuffer()
    tally.bytes += body.byteLength
    return new Response(body, response)
  }
  return { fetch: counting, tally }
}
