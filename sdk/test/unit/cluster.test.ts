/** Machines of one chain behind one URL, of which some are behind: what a question costs then. */

import { describe, expect, test } from 'vitest'
import {
  type Client,
  createClient,
  fetchProof,
  getBalance,
  getBlock,
  getCode,
  proven,
} from '../../src/entry/node.js'
import { reportNodes } from '../../src/entry/nodes.js'
import { CODE, honest, makeChain, OWNER, type TestChain } from '../support/chain.js'
import { ASKING } from '../support/client.js'
import { ScriptedError, scriptedFetch } from '../support/rpc.js'

const LENGTH = 12
const wallet = { address: OWNER }
const KINDS = ['devnet', 'ethereum'] as const

/** The machine of each request, in order; the last one takes all that follow. */
type Turns = readonly ('ahead' | 'behind' | 'pruned')[]

/** A client of one URL before two machines, and of nodes of their own beside it. */
function clusterOf(chain: TestChain, turns: Turns, beside: readonly (typeof turns)[number][] = []) {
  const blocks = chain.blocks.slice(0, -1)
  const old: TestChain = { ...chain, blocks, head: chain.at(LENGTH - 2) }
  const machines = {
    ahead: honest(chain),
    behind: honest(old, {
      eth_getProof: (address: never, slots: never, id: { blockHash: string }) => {
        const known = blocks.some(({ hash }) => hash === id.blockHash)
        if (!known) throw new ScriptedError(-32011, 'unknown block')
        return honest(old)['eth_getProof']?.(address, slots, id as never)
      },
    }),
    // The newest of them: its window has moved on.
    pruned: honest(chain, {
      eth_getProof: () => {
        throw new ScriptedError(-32012, 'blocks 0xc to 0xff are kept')
      },
    }),
  }
  const calls: string[] = []
  let taken = 0
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const { origin } = new URL(String(input))
    const own = beside[Number(origin.slice(-1)) - 2]
    const turn = own ?? turns[Math.min(taken++, turns.length - 1)] ?? 'ahead'
    const { fetch: ask, calls: asked } = scriptedFetch({ [origin]: machines[turn] })
    const answer = await ask(input, init)
    calls.push(...asked.map((method) => `${own === undefined ? turn : origin} ${method}`))
    return answer
  }
  const client = createClient({
    chain: chain.chain,
    anchor: { block: chain.head.hash },
    nodes: ['http://n1', ...beside.map((_, i) => `http://n${i + 2}`)],
    fetch,
    retries: 0,
    batchSize: 1,
    ...ASKING,
  })
  return { client, calls }
}

const count = (calls: readonly string[], what: string): number =>
  calls.filter((call) => call.endsWith(what)).length
const expectUnblamed = (client: Client): void => {
  expect(reportNodes(client)).toMatchObject([{ state: 'healthy', badProof: undefined }])
}

describe.each(KINDS)('one URL, two heads: %s', (kind) => {
  const chain = makeChain(LENGTH, kind)
  const header = kind === 'devnet' ? 'lp_getHeader' : 'eth_getBlockByHash'

  test('behavior: a machine that does not know the block is asked once more, and another answers', async () => {
    const { client, calls } = clusterOf(chain, ['ahead', 'behind', 'ahead'])
    const result = await getBlock(client)
    expect(proven(result).hash).toBe(chain.head.hash)
    expect(result).toMatchObject({
      trust: { servedBy: 'http://n1', tried: [{ node: 'http://n1' }] },
    })
    expect(count(calls, header)).toBe(2)
    expectUnblamed(client)
  })

  test('behavior: a proof is asked for once more, the header that is known is not', async () => {
    const { client, calls } = clusterOf(chain, ['ahead', 'ahead', 'behind', 'ahead'])
    expect(proven(await getBalance(client, wallet))).toBe(chain.head.balance)
    expect(calls.filter((call) => call.startsWith('behind'))).toEqual(['behind eth_getProof'])
    expect([count(calls, header), count(calls, 'eth_getProof')]).toEqual([1, 2])
    expectUnblamed(client)
    // By its hash also later: the number would be answered by any of the machines.
    await getBalance(client, { ...wallet, at: chain.at(LENGTH - 2) })
    expect(proven(await getCode(client, wallet))).toBe(CODE)
  })

  test('unavailable: after one repetition, with a code; and nobody is blamed', async () => {
    const { client, calls } = clusterOf(chain, ['ahead', 'ahead', 'behind'])
    await getBlock(client)
    const tried = [
      { node: 'http://n1', code: 'rpc.block' },
      { node: 'http://n1', code: 'rpc.block' },
    ]
    expect(await getBalance(client, wallet)).toMatchObject({
      status: 'unavailable',
      error: { code: 'block' },
      tried,
    })
    expect(count(calls, 'eth_getProof')).toBe(2)
    expectUnblamed(client)
    await expect(fetchProof(client, wallet)).rejects.toMatchObject({ code: 'block' })
    expect(count(calls, 'eth_getProof')).toBe(4)
  })

  test('behavior: older blocks need no repetition', async () => {
    const { client, calls } = clusterOf(chain, ['ahead', 'ahead', 'behind'])
    await getBlock(client)
    const at = { ...wallet, at: LENGTH - 2 }
    expect(proven(await getBalance(client, at))).toBe(chain.at(LENGTH - 2).balance)
    expect(count(calls, 'eth_getProof')).toBe(1)
  })

  test('behavior: other nodes come first', async () => {
    const { client, calls } = clusterOf(chain, ['ahead', 'behind'], ['ahead'])
    expect(proven(await getBalance(client, wallet))).toBe(chain.head.balance)
    expect(calls.filter((call) => call.startsWith('behind')).length).toBeLessThanOrEqual(2)
    expect(calls.at(-1)).toBe('http://n2 eth_getProof')
    const [first] = reportNodes(client)
    expect(first).toMatchObject({ state: 'healthy', badProof: undefined })
  })

  test('behavior: a machine that has pruned the block refuses, is not blamed, and another proves it', async () => {
    const turns: Turns[number][] = ['ahead', 'ahead', 'pruned']
    const { client, calls } = clusterOf(chain, turns)
    await getBlock(client)
    expect(await getBalance(client, wallet)).toMatchObject({
      status: 'unavailable',
      error: { code: 'window' },
      tried: [{ node: 'http://n1', code: 'rpc.window' }],
    })
    expect(count(calls, 'pruned eth_getProof')).toBeLessThanOrEqual(2)
    expectUnblamed(client)
    // What one machine said of its window is not held against the next one.
    turns.splice(0, 3, 'ahead')
    expect(proven(await getBalance(client, wallet))).toBe(chain.head.balance)
    expectUnblamed(client)
  })

  test('error: an abort ends the wait before the repetition', async () => {
    const { client, calls } = clusterOf(chain, ['ahead', 'ahead', 'behind'])
    await getBlock(client)
    const stop = new AbortController()
    const asked = getBalance(client, { ...wallet, signal: stop.signal })
    await expect.poll(() => count(calls, 'eth_getProof')).toBe(1)
    stop.abort(new Error('enough'))
    await expect(asked).rejects.toThrow('enough')
    expect(count(calls, 'eth_getProof')).toBe(1)
  })
})
