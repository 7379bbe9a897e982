/**
 * Raw transactions: sent once, their hash computed here, and no node's word taken for what became
 * of them.
 */

import { describe, expect, test } from 'vitest'
import { fromHex, toHex } from '../../src/encoding/hex.js'
import { createProvider, ProviderRpcError } from '../../src/entry/eip1193.js'
import { createClient } from '../../src/entry/node.js'
import { reportNodes } from '../../src/entry/nodes.js'
import { loadHash } from '../../src/wasm/module.js'
import { honest, makeChain } from '../support/chain.js'
import { ScriptedError } from '../support/rpc.js'

const chain = makeChain(3)
const RAW = '0x02c0'
const { keccak256 } = await loadHash()
const HASH = toHex(keccak256(fromHex(RAW) ?? new Uint8Array(0)))

type Send = () => unknown
const refuse =
  (code: number, message: string): Send =>
  () => {
    throw new ScriptedError(code, message)
  }
const takes: Send = () => HASH

/** A provider over nodes that answer `eth_sendRawTransaction` so; what each of them was sent. */
function sending(sends: readonly (Send | 'down' | 'lost' | Response)[], verify = {}) {
  const sent: string[] = []
  const origins = sends.map((_, i) => `http://n${i + 1}`)
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const { origin } = new URL(String(input))
    const send = sends[origins.indexOf(origin)]
    if (send === 'down') throw new TypeError('fetch failed')
    const body: unknown = JSON.parse(String(init?.body))
    const { id, method } = body as { id: number; method: string }
    if (method !== 'eth_sendRawTransaction') {
      return Response.json({ jsonrpc: '2.0', id, result: honest(chain)[method]?.() })
    }
    sent.push(origin)
    if (send === 'lost') throw new TypeError('socket hang up')
    if (send instanceof Response) return send
    try {
      return Response.json({ jsonrpc: '2.0', id, result: send?.() })
    } catch (error) {
      const { rpcCode, message } = error as ScriptedError
      return Response.json({ jsonrpc: '2.0', id, error: { code: rpcCode, message } })
    }
  }
  const anchor = { block: chain.head.hash }
  // With the default of retries: none of them may send twice.
  const client = createClient({ chain: chain.chain, anchor, nodes: origins, fetch })
  const provider = createProvider(client, { verify })
  const request = { method: 'eth_sendRawTransaction', params: [RAW] }
  return { send: () => provider.request(request), sent, client }
}

async function failure(work: Promise<unknown>): Promise<ProviderRpcError> {
  const error = await work.then(
    (value) => new Error(`passed: ${String(value)}`),
    (thrown: unknown) => thrown,
  )
  if (error instanceof ProviderRpcError) return error
  throw error
}

describe('success', () => {
  test.each<[string, Send]>([
    ['its hash', takes],
    ['its hash in capitals', () => HASH.toUpperCase().replace('0X', '0x')],
    ['"already known" (geth, reth)', refuse(-32000, 'already known')],
    ['"AlreadyKnown" (Nethermind)', refuse(-32010, 'AlreadyKnown')],
    ['"Known transaction" (Besu)', refuse(-32000, 'Known transaction')],
    ['"already imported"', refuse(-32010, 'Transaction with the same hash was already imported.')],
  ])('behavior: the node answers %s', async (_, send) => {
    const { send: run, sent } = sending([send, takes])
    expect(await run()).toBe(HASH)
    expect(sent).toEqual(['http://n1'])
  })

  test.each<[string, Send | 'down' | Response]>([
    ['is down', 'down'],
    ['lacks the method', refuse(-32601, 'no such method')],
    ['has no quota left', refuse(-32005, 'too many')],
    ['answers HTTP 429', new Response('', { status: 429 })],
  ])('behavior: a node that %s has not taken it, so the next one is asked', async (_, send) => {
    const { send: run, sent } = sending([send, takes])
    expect(await run()).toBe(HASH)
    expect(sent.at(-1)).toBe('http://n2')
  })

  test('behavior: a blob transaction is hashed without its blobs', async () => {
    const { keccak256: hash } = await loadHash()
    const fields = '0xc101'
    const own = toHex(hash(fromHex(`0x03${fields.slice(2)}`) ?? new Uint8Array(0)))
    const { client } = sending([() => own])
    const provider = createProvider(client)
    const params = [`0x03c6${fields.slice(2)}c20203c0`]
    const request = { method: 'eth_sendRawTransaction', params }
    expect(await provider.request(request)).toBe(own)
  })
})

describe('failure', () => {
  test.each<[string, 'lost' | Response, number]>([
    ['no answer', 'lost', 4900],
    ['HTTP 502', new Response('', { status: 502 }), 4900],
    ['no JSON', new Response('<html>'), 4900],
    ['no JSON-RPC', Response.json([]), 4900],
  ])('error: after %s it may be on its way: nobody else is asked', async (_, answer, code) => {
    const { send, sent } = sending([answer, takes])
    const error = await failure(send())
    expect(error).toMatchObject({ code, data: { hash: HASH } })
    expect(error.message).toContain(`look for ${HASH} before you send it again`)
    expect(sent).toEqual(['http://n1'])
  })

  test.each([
    [-32000, 'nonce too low', -32000],
    [-32000, 'replacement transaction underpriced', -32000],
    [-32003, 'insufficient funds', -32003],
    [4001, 'user rejected', -32071],
    [-32070, 'bad proof', -32071],
  ])('error: refused by the node (%i %s)', async (rpcCode, message, code) => {
    const { send, sent, client } = sending([refuse(rpcCode, message), takes])
    expect(await failure(send())).toMatchObject({ code, data: { rpcCode, hash: HASH } })
    expect(sent).toEqual(['http://n1'])
    // It is the transaction that is at fault.
    expect(reportNodes(client)[0]).toMatchObject({ state: 'healthy' })
  })

  test('invalid: a node that names another hash lies, and is told', async () => {
    const { send, sent, client } = sending([() => chain.head.hash, takes])
    const data = { code: 'verify.claim', node: 'http://n1', hash: HASH }
    expect(await failure(send())).toMatchObject({ code: -32070, data })
    expect(sent).toEqual(['http://n1'])
    expect(reportNodes(client)[0]).toMatchObject({ state: 'setAside' })
  })

  test('error: nobody can be reached, no hex, and not allowed', async () => {
    const down = await failure(sending(['down']).send())
    expect(down).toMatchObject({ code: 4900, data: { hash: HASH } })
    expect(down.message).not.toContain('on its way')
    const provider = createProvider(sending([takes]).client)
    const request = { method: 'eth_sendRawTransaction', params: ['signed'] }
    expect(await failure(provider.request(request))).toMatchObject({ code: -32602 })
    const strict = sending([takes], { eth_sendRawTransaction: 'require' })
    expect(await failure(strict.send())).toMatchObject({ code: 4200 })
    expect(strict.sent).toEqual([])
  })
})
