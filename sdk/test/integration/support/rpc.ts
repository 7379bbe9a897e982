/** JSON-RPC without ceremony: what the tests take from a node out of band, as an oracle. */

import { isRecord } from './json.js'

/** @throws if the node answers with an error. */
export async function rpc(
  url: string,
  method: string,
  params: readonly unknown[] = [],
): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body })
  const reply: unknown = await response.json()
  if (!isRecord(reply) || !('result' in reply)) {
    throw new Error(`${method}: ${JSON.stringify(reply)}`)
  }
  return reply['result']
}

/**
 * The results of many calls of one method, in their order.
 *
 * @throws if one of them failed.
 */
export async function rpcBatch(
  url: string,
  method: string,
  params: readonly (readonly unknown[])[],
): Promise<readonly unknown[]> {
  const calls = params.map((of, id) => ({ jsonrpc: '2.0', id, method, params: of }))
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(calls) })
  const replies: unknown = await response.json()
  const results = new Map(
    (Array.isArray(replies) ? replies.filter(isRecord) : []).map((reply) => [reply['id'], reply]),
  )
  return calls.map(({ id }) => {
    const reply = results.get(id)
    if (reply === undefined || !('result' in reply)) {
      throw new Error(`${method}: ${JSON.stringify(reply ?? replies)}`)
    }
    return reply['result']
  })
}

/** The block parameter of a number. */
export function quantity(number: number): string {
  return `0x${number.toString(16)}`
}

/** The JSON of a block. */
export async function blockJson(
  url: string,
  number: number | 'latest',
): Promise<Record<string, unknown>> {
  const at = number === 'latest' ? number : quantity(number)
  const block = await rpc(url, 'eth_getBlockByNumber', [at, false])
  if (!isRecord(block)) throw new Error(`no block ${number}`)
  return block
}

/** The hash of a block: the anchor that a user would get from a source they trust. */
export async function hashOf(url: string, number: number): Promise<string> {
  return String((await blockJson(url, number))['hash'])
}
