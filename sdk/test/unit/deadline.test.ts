/** A question ends: by its deadline, whoever is slow, and with no more memory than it needs. */

import { describe, expect, test } from 'vitest'
import { type BadProof, getBalance, proven, verifyProofFile } from '../../src/entry/node.js'
import { reportNodes } from '../../src/entry/nodes.js'
import { honest, makeChain, OWNER, proofJson } from '../support/chain.js'
import { ASKING, clientOf } from '../support/client.js'
import { type Methods, scriptedFetch } from '../support/rpc.js'

const devnet = makeChain(200)
const wallet = { address: OWNER }

/** Nodes that take so many milliseconds for each exchange. */
function slow(ms: number, methods: Methods = honest(devnet)): typeof globalThis.fetch {
  const { fetch } = scriptedFetch({ 'http://n1': methods, 'http://n2': methods })
  return async (input, init) => {
    await new Promise((resolve) => setTimeout(resolve, ms))
    return fetch(input, init)
  }
}

const silent: typeof globalThis.fetch = () => new Promise(() => undefined)

describe('deadlineMs', () => {
  test('unavailable: nodes that say nothing', async () => {
    const nodes = ['http://n1', 'http://n2']
    const options = { nodes, fetch: silent, deadlineMs: 80, hedgeMs: 20 }
    const { client } = clientOf(devnet, [], options)
    const result = await getBalance(client, wallet)
    expect(result).toMatchObject({
      status: 'unavailable',
      error: { code: 'deadline', message: expect.stringContaining('within 80 ms') },
      tried: nodes.map((node) => ({ node, code: 'transport.timeout' })),
    })
    expect(reportNodes(client).map(({ state }) => state)).toEqual(['resting', 'resting'])
  })

  test('behavior: a walk that stalls ends, and goes on where it stopped', async () => {
    const { fetch: reply, calls } = scriptedFetch({ 'http://n1': honest(devnet) })
    let answers = Number.POSITIVE_INFINITY
    const stalling: typeof reply = (input, init) =>
      answers-- > 0 ? reply(input, init) : silent(input, init)
    const options = { nodes: ['http://n1'], fetch: stalling, deadlineMs: 2_000 }
    const { client } = clientOf(devnet, [], options)
    // Once before: the modules are compiled.
    proven(await getBalance(client, wallet))
    answers = 5
    const question = { ...wallet, at: 2 }
    expect(await getBalance(client, question)).toMatchObject({
      status: 'unavailable',
      error: { code: 'deadline' },
    })
    const walked = client.lines[0]?.headers.length ?? 0
    expect(walked).toBeGreaterThan(1)
    answers = Number.POSITIVE_INFINITY
    calls.length = 0
    expect(proven(await getBalance(client, question))).toBe(devnet.at(2).balance)
    const asked = (all: readonly string[]): number =>
      all.filter((method) => method === 'lp_getHeaders').length
    const fresh = clientOf(devnet, [honest(devnet)])
    proven(await getBalance(fresh.client, question))
    expect(asked(calls)).toBe(asked(fresh.calls) - 5)
  })

  test('invalid: a bad proof before the deadline', async () => {
    const liar = honest(devnet, {
      eth_getProof: (address: string, slots: readonly string[]) => ({
        ...proofJson(devnet.head, address, slots),
        balance: '0xffff',
      }),
    })
    const { fetch: reply } = scriptedFetch({ 'http://n1': liar })
    const fetch: typeof reply = (input, init) =>
      String(input).startsWith('http://n1') ? reply(input, init) : silent(input, init)
    const nodes = ['http://n1', 'http://n2']
    const { client } = clientOf(devnet, [], { nodes, fetch, deadlineMs: 2_000 })
    expect(await getBalance(client, wallet)).toMatchObject({
      status: 'invalid',
      error: { node: 'http://n1', code: 'verify.claim' },
    })
  })

  test('error: the caller’s signal is not the deadline', async () => {
    const { client } = clientOf(devnet, [], {
      nodes: ['http://n1'],
      fetch: silent,
      deadlineMs: 5_000,
    })
    const signal = AbortSignal.timeout(30)
    await expect(getBalance(client, { ...wallet, signal })).rejects.toMatchObject({
      name: 'TimeoutError',
    })
  })

  test('default: 30 seconds; Infinity for none; anything else is refused', () => {
    const deadlineOf = (deadlineMs?: number): number =>
      clientOf(devnet, [], { nodes: ['http://n1'], ...(deadlineMs && { deadlineMs }) }).client
        .deadlineMs
    expect(deadlineOf()).toBe(30_000)
    expect(deadlineOf(Number.POSITIVE_INFINITY)).toBe(Number.POSITIVE_INFINITY)
    for (const bad of [-1, 0.5, Number.NaN, 1e9, '30' as never]) {
      const make = (): unknown => clientOf(devnet, [], { nodes: ['http://n1'], deadlineMs: bad })
      expect(make).toThrow(expect.objectContaining({ argument: 'deadlineMs' }))
    }
  })

  test('behavior: without one a slow node has its time', async () => {
    const options = { nodes: ['http://n1'], fetch: slow(5), deadlineMs: Number.POSITIVE_INFINITY }
    const { client } = clientOf(devnet, [], options)
    expect(proven(await getBalance(client, wallet))).toBe(devnet.head.balance)
  })
})

describe('a long walk', () => {
  test('behavior: what another line walked is taken over, however long it is', async () => {
    const { client } = clientOf(devnet, [honest(devnet)])
    proven(await getBalance(client, { ...wallet, at: 190 }))
    const [line] = client.lines
    if (line === undefined) throw new Error('no line')
    const walked = line.headers.splice(1)
    const last = walked.at(-1)
    if (last === undefined) throw new Error('no header')
    const many = Array.from({ length: 400_000 }, () => last)
    client.lines.push({ ...line, headers: [...walked, ...many] })
    expect(proven(await getBalance(client, { ...wallet, at: 195 }))).toBe(devnet.at(195).balance)
  })

  /** Honest but about block 3, of which it lies. */
  const liar = honest(devnet, {
    eth_getProof: (
      address: string,
      slots: readonly string[],
      { blockHash }: { blockHash: string },
    ) => {
      const block = devnet.blocks.find(({ hash }) => hash === blockHash) ?? devnet.head
      const proof = proofJson(block, address, slots)
      return block.number === 3n ? { ...proof, balance: '0xffff' } : proof
    },
  })

  test('behavior: evidence about a deep block is small, and anybody who knows the block can check it', async () => {
    const told: BadProof[] = []
    const onBadProof = (bad: BadProof): void => void told.push(bad)
    const { client } = clientOf(devnet, [liar], { onBadProof, ...ASKING })
    const result = await getBalance(client, { ...wallet, at: 3 })
    if (result.status !== 'invalid') throw new Error(result.status)
    const [file] = result.evidence
    if (file === undefined || !('source' in file) || !('header' in file.source)) throw new Error()
    const { hash, rlps } = file.source.header
    expect(rlps).toHaveLength(64)
    expect(hash).toBe(devnet.at(3 + 63).hash)
    const checked = await verifyProofFile(file, { anchor: { block: hash } })
    expect(checked).toMatchObject({ status: 'invalid', error: { code: 'verify.claim' } })
    expect(told).toHaveLength(1)
  })

  test('behavior: so is evidence of a false header', async () => {
    const forged = honest(devnet, {
      lp_getHeaders: (from: string, count: string) =>
        Number(from) >= 20
          ? devnet.blocks
              .slice(Number(from), Number(from) + Number(count))
              .map(({ rlp }) => hex(rlp))
          : [],
      lp_getHeader: (hash: string) => {
        const block = devnet.blocks.find((known) => known.hash === hash) ?? devnet.head
        return hex(block.number === 10n ? devnet.at(11).rlp : block.rlp)
      },
    })
    const { client } = clientOf(devnet, [forged], ASKING)
    const result = await getBalance(client, { ...wallet, at: 3 })
    if (result.status !== 'invalid') throw new Error(result.status)
    const [file] = result.evidence
    if (file === undefined || !('source' in file) || !('header' in file.source)) throw new Error()
    const { hash, rlps } = file.source.header
    expect(rlps).toHaveLength(64)
    const checked = await verifyProofFile(file, { anchor: { block: hash } })
    expect(checked).toMatchObject({ status: 'invalid', error: { code: 'verify.header' } })
  })
})

const hex = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex')}`
