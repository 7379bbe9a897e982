import { describe, expect, test } from 'vitest'
import { toHex } from '../../src/encoding/hex.js'
import {
  createClient,
  getBalance,
  getBlock,
  proven,
  verifyProofFile,
} from '../../src/entry/node.js'
import { honest, makeChain, OWNER } from '../support/chain.js'
import { clientOf } from '../support/client.js'
import { ScriptedError } from '../support/rpc.js'

const devnet = makeChain(12)
const ethereum = makeChain(70, 'ethereum')

describe('header walks', () => {
  test('behavior: Ethereum blocks are asked for in batches of 32', async () => {
    const { client, exchanges } = clientOf(ethereum, [honest(ethereum)])
    proven(await getBlock(client, { block: 0 }))
    // The third finds no contract that keeps hashes; of the next, one asks for a header alone.
    expect(exchanges).toEqual([1, 1, 1, 32, 32, 6])
  })

  describe('headers without their blocks', () => {
    const long = makeChain(200, 'ethereum')
    const blocks = honest(long)
    const alone = (tell: (number: number) => unknown) => {
      const calls: string[] = []
      const noted = (method: string, answer: (params: string) => unknown) => (number: string) => {
        calls.push(method)
        return answer(number)
      }
      const of = blocks['eth_getBlockByNumber'] as (number: string) => unknown
      const methods = honest(long, {
        eth_getBlockByNumber: noted('block', of),
        eth_getHeaderByNumber: noted('header', (number) => tell(Number(number))),
      })
      return { calls, methods }
    }
    const headerOf = (number: number): unknown => {
      const { transactions: _, uncles: _u, size: _s, ...header } = long.at(number).json
      return header
    }
    const first = async (methods: typeof blocks) =>
      getBlock(clientOf(long, [methods]).client, { block: 0 })

    test('behavior: a node that serves them is asked for them on a long way', async () => {
      const { calls, methods } = alone(headerOf)
      expect(proven(await first(methods)).hash).toBe(long.at(0).hash)
      const counts = [calls.filter((method) => method === 'block').length, calls.length]
      expect(counts).toEqual([31, 199])
    })

    test('behavior: on a short way it is not', async () => {
      const { calls, methods } = alone(headerOf)
      const { client } = clientOf(long, [methods])
      proven(await getBlock(client, { block: 199 - 20 }))
      expect(calls).not.toContain('header')
    })

    test('error: a false one is found out, and nothing below it is believed', async () => {
      const lie = (number: number) => ({ ...(headerOf(number) as object), gasUsed: '0x1' })
      const { methods } = alone((number) => (number === 100 ? lie(number) : headerOf(number)))
      // By number a node tells its own chain; by hash it has the true one.
      expect(proven(await first(methods)).hash).toBe(long.at(0).hash)
      const { methods: liar } = alone((number) => lie(number))
      const result = await first({ ...liar, eth_getBlockByHash: () => lie(100) })
      expect(result).toMatchObject({ status: 'invalid', error: { code: 'verify.header' } })
    })

    test.each([null, 'junk', {}])('error: %j in the place of a header', async (junk) => {
      const { methods } = alone((number) => (number < 100 ? junk : headerOf(number)))
      const result = await first(methods)
      const expected =
        junk === null
          ? { status: 'present' }
          : { status: 'invalid', error: { code: 'decode.response' } }
      expect(result).toMatchObject(expected)
    })

    test('behavior: one that serves them no more is asked for blocks', async () => {
      let left = 50
      const { methods } = alone((number) => {
        if (left-- > 0) return headerOf(number)
        throw new ScriptedError(-32601, 'no such method')
      })
      expect(proven(await first(methods)).hash).toBe(long.at(0).hash)
    })
  })

  test('behavior: a node that refuses batches is asked one by one', async () => {
    const { client, fetch } = clientOf(ethereum, [honest(ethereum)])
    let refused = 0
    const single: typeof fetch = (input, init) => {
      if (!String(init?.body).startsWith('[')) return fetch(input, init)
      refused++
      const error = { code: -32600, message: 'batches are not allowed' }
      return Promise.resolve(Response.json({ jsonrpc: '2.0', id: null, error }))
    }
    const options = { ...client, anchor: { block: ethereum.head.hash }, nodes: ['http://n1'] }
    const { chain, anchor, nodes } = options
    const alone = createClient({ chain, anchor, nodes, fetch: single })
    expect(proven(await getBlock(alone, { block: 60 })).hash).toBe(ethereum.at(60).hash)
    expect(refused).toBe(1)
  })

  test('behavior: a node whose chain left the pin behind is asked by hash', async () => {
    const fork = makeChain(3, 'ethereum')
    const methods = honest(ethereum, { eth_getBlockByNumber: () => fork.at(1).json })
    const { client } = clientOf(ethereum, [methods])
    expect(proven(await getBlock(client, { block: 66 })).hash).toBe(ethereum.at(66).hash)
  })

  test('error: a header that is not the pinned one is invalid, with evidence', async () => {
    const methods = honest(devnet, { lp_getHeader: () => toHex(devnet.at(3).rlp) })
    const { client } = clientOf(devnet, [methods])
    const result = await getBalance(client, { address: OWNER })
    expect(result).toMatchObject({
      status: 'invalid',
      error: { name: 'ProofError', code: 'verify.header', kind: 'verify', node: 'http://n1' },
      evidence: [{ kind: 'evidence', expected: { result: 'invalid', code: 'verify.header' } }],
    })
    if (result.status !== 'invalid') throw new Error('unreachable')
    const anchor = { block: devnet.head.hash }
    const again = await verifyProofFile(result.evidence[0], { anchor })
    expect(again).toMatchObject({ status: 'invalid', error: { code: 'verify.header' } })
  })

  test('error: a false ancestor is invalid', async () => {
    const bad = toHex(devnet.at(3).rlp)
    const lies = { lp_getHeaders: () => [bad], lp_getHeader: liesBelowHead(bad) }
    const { client } = clientOf(devnet, [honest(devnet, lies)])
    const result = await getBlock(client, { block: 8 })
    expect(result).toMatchObject({ status: 'invalid', error: { code: 'verify.header' } })
  })

  test('error: a gap among the fields of a header names the field', async () => {
    const gap = { ...ethereum.head.json, baseFeePerGas: null, withdrawalsRoot: ethereum.head.hash }
    const { client } = clientOf(ethereum, [honest(ethereum, { eth_getBlockByHash: () => gap })])
    const result = await getBlock(client)
    expect(result).toMatchObject({ status: 'invalid', error: { code: 'decode.response' } })
    expect(result).toHaveProperty('error.message', expect.stringContaining('baseFeePerGas'))
  })

  test('behavior: fields of an unknown fork are fetched raw', async () => {
    const { json, rlp, hash } = ethereum.head
    const { baseFeePerGas, ...old } = json
    const later = { ...old, newFee: baseFeePerGas }
    const lies = {
      eth_getBlockByHash: () => later,
      debug_getRawHeader: (id: string) => (id === hash ? toHex(rlp) : null),
    }
    const { client } = clientOf(ethereum, [honest(ethereum, lies)])
    expect(proven(await getBlock(client)).hash).toBe(hash)
  })

  test('error: fields of an unknown fork and no raw headers is no lie', async () => {
    const { baseFeePerGas, ...old } = ethereum.head.json
    const later = { ...old, newFee: baseFeePerGas }
    const { client } = clientOf(ethereum, [honest(ethereum, { eth_getBlockByHash: () => later })])
    const result = await getBlock(client)
    expect(result).toMatchObject({ status: 'unavailable', error: { code: 'unsupported' } })
    expect(result).toHaveProperty('error.message', expect.stringContaining('newFee'))
  })
})

/** Serves the true header of the head, and the given one for every other hash. */
function liesBelowHead(bad: string): (hash: string) => string {
  return (hash) => (hash === devnet.head.hash ? toHex(devnet.head.rlp) : bad)
}
