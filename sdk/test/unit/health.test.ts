/**
 * A ranked list of nodes: who is asked first after failures and lies, what is remembered of each,
 * and who is reported.
 */

import { afterEach, describe, expect, test, vi } from 'vitest'
import { type BadProof, getBalance, proven, verifyProofFile } from '../../src/entry/node.js'
import { type NodeReport, probeNodes, reinstateNode, reportNodes } from '../../src/entry/nodes.js'
import { honest, makeChain, OWNER, proofJson } from '../support/chain.js'
import { ASKING, clientOf } from '../support/client.js'
import { type Methods, ScriptedError } from '../support/rpc.js'

const devnet = makeChain(12)
const ethereum = makeChain(70, 'ethereum')
const wallet = { address: OWNER }

const liar = honest(devnet, {
  eth_getProof: (address: string, slots: readonly string[]) => ({
    ...proofJson(devnet.head, address, slots),
    balance: '0xffff',
  }),
})

const refusing = (rpcCode: number, message = 'no'): Methods =>
  honest(devnet, {
    eth_getProof: () => {
      throw new ScriptedError(rpcCode, message)
    },
  })

const states = (client: Parameters<typeof reportNodes>[0]): NodeReport['state'][] =>
  reportNodes(client).map(({ state }) => state)

afterEach(() => {
  vi.useRealTimers()
})

describe('a node that sent a bad proof', () => {
  test('behavior: is set aside, and asked only if no other node proves the answer', async () => {
    const { client, calls } = clientOf(devnet, [liar, honest(devnet)], ASKING)
    expect(states(client)).toEqual(['untried', 'untried'])
    proven(await getBalance(client, wallet))
    expect(states(client)).toEqual(['setAside', 'healthy'])
    const before = calls.length
    expect(await getBalance(client, wallet)).toMatchObject({
      status: 'present',
      trust: { servedBy: 'http://n2', tried: [] },
    })
    expect(calls.slice(before)).toEqual(['eth_getProof'])
  })

  test('behavior: is asked if it is all there is, and can be taken back', async () => {
    let lies = true
    const turned: Methods = honest(devnet, {
      eth_getProof: (address: string, slots: readonly string[]) => {
        const proof = proofJson(devnet.head, address, slots)
        return lies ? { ...proof, nonce: '0x9' } : proof
      },
    })
    const { client } = clientOf(devnet, [turned])
    expect(await getBalance(client, wallet)).toMatchObject({ status: 'invalid' })
    lies = false
    expect(proven(await getBalance(client, wallet))).toBe(devnet.head.balance)
    expect(states(client)).toEqual(['setAside'])
    reinstateNode(client, 'http://n1')
    expect(states(client)).toEqual(['healthy'])
    const unknown = (): void => reinstateNode(client, 'http://n2')
    expect(unknown).toThrow(expect.objectContaining({ code: 'input.node', argument: 'name' }))
  })

  test('behavior: is reported with a file that anybody can check offline', async () => {
    const told: BadProof[] = []
    const onBadProof = (bad: BadProof): void => void told.push(bad)
    const { client } = clientOf(devnet, [liar, honest(devnet)], { onBadProof })
    expect(await getBalance(client, wallet)).toMatchObject({ status: 'present' })
    const [report] = reportNodes(client)
    expect(told).toEqual([report?.badProof])
    expect(told[0]).toMatchObject({ node: 'http://n1', error: { code: 'verify.claim' } })
    // A file is JSON text: header, question, bytes and code are all in it.
    const file: unknown = JSON.parse(JSON.stringify(told[0]?.evidence))
    expect(file).toMatchObject({ kind: 'evidence', expected: { code: 'verify.claim' } })
    const anchor = { block: devnet.head.hash }
    const checked = await verifyProofFile(file, { anchor })
    expect(checked).toMatchObject({ status: 'invalid', error: { code: 'verify.claim' } })
  })

  test('behavior: what is no proof at all is reported without a file', async () => {
    const told: BadProof[] = []
    const onBadProof = (bad: BadProof): void => void told.push(bad)
    const garbage = honest(devnet, { eth_getProof: () => 'proof' })
    const { client } = clientOf(devnet, [garbage, honest(devnet)], { onBadProof })
    proven(await getBalance(client, wallet))
    expect(told).toMatchObject([{ error: { code: 'decode.response' }, evidence: undefined }])
    expect(states(client)).toEqual(['setAside', 'healthy'])
  })

  test('error: a listener that is none', () => {
    const make = (): unknown => clientOf(devnet, [liar], { onBadProof: 'log' as never })
    expect(make).toThrow(expect.objectContaining({ argument: 'onBadProof' }))
  })
})

describe('a node that fails', () => {
  test('behavior: rests, longer each time, and comes back', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    let down = true
    const { calls, fetch } = clientOf(devnet, [honest(devnet), honest(devnet)])
    const flaky: typeof fetch = (input, init) => {
      if (!down || !String(input).startsWith('http://n1')) return fetch(input, init)
      return Promise.reject(new TypeError('fetch failed'))
    }
    const flakyClient = clientOf(devnet, [], {
      nodes: ['http://n1', 'http://n2'],
      fetch: flaky,
      ...ASKING,
    })
    const servedBy = async (): Promise<string> => {
      const result = await getBalance(flakyClient.client, wallet)
      return result.status === 'present' ? result.trust.servedBy : result.status
    }
    expect(await servedBy()).toBe('http://n2')
    expect(states(flakyClient.client)).toEqual(['resting', 'healthy'])
    const [first] = reportNodes(flakyClient.client)
    expect(first).toMatchObject({ failed: 1, served: 0, lastCode: 'transport.network' })
    const before = calls.length
    await servedBy()
    expect(calls.slice(before)).toEqual(['eth_getProof'])
    vi.advanceTimersByTime(2_001)
    await servedBy()
    vi.advanceTimersByTime(2_001)
    expect(states(flakyClient.client)).toEqual(['resting', 'healthy'])
    vi.advanceTimersByTime(2_001)
    down = false
    expect(await servedBy()).toBe('http://n1')
    expect(states(flakyClient.client)).toEqual(['healthy', 'healthy'])
  })

  test.each([
    [-32005, 'resting'],
    [-32000, 'resting'],
    [-32012, 'healthy'],
    [-32011, 'healthy'],
    [-32601, 'healthy'],
  ])('behavior: after JSON-RPC error %i it is %s', async (rpcCode, state) => {
    const { client } = clientOf(devnet, [refusing(rpcCode), honest(devnet)])
    proven(await getBalance(client, wallet))
    expect(states(client)).toEqual([state, 'healthy'])
  })

  test('behavior: a node of another chain rests', async () => {
    const other = honest(devnet, { lp_status: () => ({ chainId: '0x1' }) })
    const { client } = clientOf(devnet, [other, honest(devnet)])
    proven(await getBalance(client, wallet))
    expect(states(client)).toEqual(['resting', 'healthy'])
  })
})

describe('what a node serves', () => {
  const status = (systems: object): Methods =>
    honest(devnet, {
      lp_status: () => ({
        chainId: '0x4c50',
        genesisHash: devnet.chain.genesisHash,
        limits: { headers: 4 },
        systems,
      }),
    })
  const mpt = (from: string, variants = ['plain']): object => ({
    mpt: { format: 'mpt/1', variants, window: [from, '0xb'], shard: null },
  })

  test.each<[string, Methods, string]>([
    ['another system', status({ cole: {} }), 'unsupported'],
    ['another variant', status(mpt('0x0', ['hinted'])), 'unsupported'],
    ['newer blocks', status(mpt('0x6')), 'window'],
  ])('behavior: a node of %s is not asked for the proof', async (_, methods, code) => {
    const { client, calls } = clientOf(devnet, [methods])
    const result = await getBalance(client, { ...wallet, at: 5 })
    expect(result).toMatchObject({ status: 'unavailable', error: { code } })
    expect(calls).not.toContain('eth_getProof')
  })

  test('behavior: blocks within its window, and what it says nothing readable of, are asked for', async () => {
    const odd = { mpt: { window: ['now', {}], shard: 7, variants: 'all' } }
    for (const systems of [mpt('0x5'), { mpt: 1 }, odd]) {
      const { client } = clientOf(devnet, [status(systems)])
      proven(await getBalance(client, { ...wallet, at: 5 }))
    }
  })

  test('behavior: a method that it does not know is asked for once', async () => {
    const { client, calls } = clientOf(devnet, [refusing(-32601), honest(devnet)], ASKING)
    const tried = [{ node: 'http://n1', code: 'rpc.method' }]
    for (const _ of [1, 2, 3]) {
      expect(await getBalance(client, wallet)).toMatchObject({ trust: { tried } })
    }
    expect(calls.filter((method) => method === 'eth_getProof')).toHaveLength(1 + 3)
  })

  test('behavior: it is asked again after ten minutes', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { client, calls } = clientOf(devnet, [honest(devnet)], ASKING)
    const probes = (): number => calls.filter((method) => method === 'lp_status').length
    for (const _ of [1, 2]) proven(await getBalance(client, wallet))
    expect(probes()).toBe(1)
    vi.advanceTimersByTime(600_001)
    proven(await getBalance(client, wallet))
    expect(probes()).toBe(2)
  })
})

describe('probeNodes', () => {
  /** An Ethereum node that keeps proofs of the newest blocks. */
  function pruned(blocks: number): Methods {
    const oldest = ethereum.blocks.length - blocks
    const find = (id: string | { blockHash: string }) =>
      typeof id === 'string'
        ? ethereum.blocks[Number(id)]
        : ethereum.blocks.find(({ hash }) => hash === id.blockHash)
    return honest(ethereum, {
      eth_getBlockByNumber: (id: string) => (id === 'latest' ? ethereum.head.json : null),
      eth_getProof: (address: string, slots: readonly string[], id: string) => {
        const block = find(id)
        if (block !== undefined && block.number >= oldest) return proofJson(block, address, slots)
        throw new ScriptedError(-32000, 'missing trie node')
      },
    })
  }

  test('default: how far back each Ethereum node proves, and what it lacks', async () => {
    const none: Methods = {
      ...pruned(1),
      eth_getProof: () => {
        throw new ScriptedError(-32601, 'no such method')
      },
    }
    const { client, calls } = clientOf(ethereum, [pruned(9), pruned(70), pruned(1), none, {}])
    const reports = await probeNodes(client)
    const windows = reports.map(({ profile }) => profile?.systems?.get('mpt')?.window?.from)
    expect(windows).toEqual([61n, 0n, 69n, undefined, undefined])
    expect(reports.map(({ profile }) => [...(profile?.lacks.keys() ?? [])])).toEqual([
      [],
      [],
      [],
      ['eth_getProof'],
      [],
    ])
    expect(reports[4]).toMatchObject({ lastCode: 'rpc.method', profile: undefined })
    expect(reports[0]).toMatchObject({ kind: 'node', profile: { takesBlockHash: true } })
    const before = calls.length
    // Only the second node proves block 20, and no other is asked for it. Before, one looks for
    // kept hashes at the head.
    const result = await getBalance(client, { ...wallet, at: ethereum.at(20).hash })
    const tried = [{ node: 'http://n1', code: 'window' }]
    expect(result).toMatchObject({ status: 'present', trust: { servedBy: 'http://n2', tried } })
    expect(calls.slice(before).filter((method) => method === 'eth_getProof')).toHaveLength(2)
  })

  test('default: a devnet node says what it serves', async () => {
    const { client } = clientOf(devnet, [honest(devnet)], { nodes: ['http://n1', 'http://off'] })
    const [first, second] = await probeNodes(client)
    expect(first).toMatchObject({ state: 'healthy', profile: { headersPerCall: 4 } })
    expect(second).toMatchObject({ state: 'resting', lastCode: 'transport.network' })
    expect(first?.receivedBytes).toBeGreaterThan(100)
    expect(first?.sentBytes).toBeGreaterThan(50)
  })

  test('behavior: a malformed answer sets nobody aside', async () => {
    const { client } = clientOf(devnet, [honest(devnet, { lp_status: () => [] })])
    expect(await probeNodes(client)).toMatchObject([
      { state: 'healthy', lastCode: 'decode.response', badProof: undefined },
    ])
  })

  test('error: an aborted signal', async () => {
    const { client } = clientOf(devnet, [honest(devnet)])
    const promise = probeNodes(client, { signal: AbortSignal.abort(new Error('left')) })
    await expect(promise).rejects.toThrow('left')
  })
})
