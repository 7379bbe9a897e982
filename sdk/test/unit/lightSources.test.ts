/**
 * Several sources of signed headers: slow ones, cached answers, and chains that forked beyond what
 * is known.
 */

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { BeaconFork } from '../../src/client/consensus.js'
import {
  type BadProof,
  type BeaconChain,
  createClient,
  getStorage,
  sepolia,
  sync,
} from '../../src/entry/node.js'
import { reportNodes } from '../../src/entry/nodes.js'
import { makeChain, OWNER, SLOT } from '../support/chain.js'
import { Forge, SLOTS_PER_EPOCH, SLOTS_PER_PERIOD } from '../support/forge.js'
import { type Beacon, clientOf, lying, setSlot } from '../support/sources.js'

const NOW = 186
const CHECKPOINT = 136
const DAY = 24 * 3600
const blocks = makeChain(200, 'ethereum')
const honest = new Forge({ blocks })
const node = (forge = honest, slot = NOW - 1): Beacon => ({ script: forge.node(slot, CHECKPOINT) })
const synced = { status: 'synced', head: { slot: BigInt(NOW - 1) } }

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
  setSlot(NOW)
})
afterEach(() => {
  vi.useRealTimers()
})

describe('slow beacon nodes', () => {
  const silent: Beacon = { ...node(), waitMs: Number.POSITIVE_INFINITY }

  test('behavior: the next one is asked as well, and the slow one rests', async () => {
    const { client, asked } = clientOf(honest, CHECKPOINT, [silent, node()], [blocks], {
      hedgeMs: 1_500,
      // Longer than a test may take: the other one is asked before.
      timeoutMs: 600_000,
    })
    expect(await sync(client)).toMatchObject({
      ...synced,
      tried: [{ node: 'http://b1', code: 'transport.timeout' }],
    })
    const states = reportNodes(client).map(({ name, state }) => [name, state])
    expect(states).toEqual([
      ['http://n1', 'untried'],
      ['http://b1', 'resting'],
      ['http://b2', 'healthy'],
    ])
    asked.length = 0
    setSlot(NOW, 1)
    expect(await sync(client)).toMatchObject({ ...synced, tried: [] })
    expect(asked.filter((route) => route.startsWith('b1'))).toEqual([])
  })

  test('behavior: one that answers every question a little late does not hold the others up', async () => {
    const late: Beacon = { ...node(), waitMs: 45 }
    const { client } = clientOf(honest, CHECKPOINT, [late, node()], [blocks], { hedgeMs: 50 })
    expect(await sync(client)).toMatchObject(synced)
    const drip: Beacon = { ...node(), waitMs: 80 }
    const dripping = clientOf(honest, CHECKPOINT, [drip, node()], [blocks], { hedgeMs: 30 })
    expect(await sync(dripping.client)).toMatchObject({
      ...synced,
      tried: [{ node: 'http://b1', code: 'transport.timeout' }],
    })
  })

  test('behavior: what both send is taken once, in order, and nobody is blamed', async () => {
    const bad: BadProof[] = []
    const early = 16
    const script = honest.node(NOW - 1, early)
    // The first one's update of the first period arrives when the second one led two periods on.
    const late: Beacon = { script, waitMs: (route) => (route === 'updates' ? 1_500 : 0) }
    const ahead: Beacon = { script, waitMs: (route) => (route === 'updates' ? 0 : 2_500) }
    const { client, asked } = clientOf(honest, early, [late, ahead], [blocks], {
      hedgeMs: 500,
      maxBytes: 64 * 1024,
      onBadProof: (one) => bad.push(one),
    })
    const forms: string[] = []
    const onProgress = (event: { type: string; proof?: { form: string } }): void => {
      if (event.type === 'proof') forms.push(event.proof?.form ?? '')
    }
    expect(await sync(client, { onProgress })).toMatchObject(synced)
    expect(forms[0]).toBe('bootstrap')
    expect(asked).toContain('b1 finality_update')
    expect(bad).toEqual([])
    expect(await getStorage(client, { address: OWNER, slot: SLOT })).toMatchObject({
      status: 'present',
    })
  })

  test('behavior: machines at one URL of which one is a period behind: nobody is blamed', async () => {
    const bad: BadProof[] = []
    const early = 16
    const ahead = honest.node(NOW - 1, early)
    const behind = honest.node(NOW - 1 - 2 * SLOTS_PER_PERIOD, early)
    let isBehind = false
    const cluster: Beacon = { script: (...asked) => (isBehind ? behind : ahead)(...asked) }
    const { client } = clientOf(honest, early, [cluster], [blocks], {
      onBadProof: (one) => bad.push(one),
    })
    expect(await sync(client)).toMatchObject(synced)
    isBehind = true
    expect(await sync(client)).toMatchObject({ ...synced, tried: [] })
    expect(bad).toEqual([])
    const report = reportNodes(client).find(({ kind }) => kind === 'beacon')
    expect(report).toMatchObject({ state: 'healthy', badProof: undefined })
  })

  test('behavior: without hedging only a failure brings the next one', async () => {
    const { client, asked } = clientOf(
      honest,
      CHECKPOINT,
      [{ ...node(), waitMs: 30 }, node()],
      [blocks],
      { hedgeMs: Number.POSITIVE_INFINITY },
    )
    expect(await sync(client)).toMatchObject({ ...synced, tried: [] })
    expect(asked.filter((route) => route.startsWith('b2'))).toEqual([])
  })

  test('default: no cache answers for a beacon node', async () => {
    const { client, inits } = clientOf(honest, CHECKPOINT, [node()], [blocks])
    await sync(client)
    expect(inits.length).toBeGreaterThan(3)
    for (const init of inits) expect(init).toMatchObject({ method: 'GET', cache: 'no-store' })
  })
})

describe('forks', () => {
  const FORK_EPOCH = 19
  const old: BeaconFork = { epoch: 0, version: '0x05000000', shape: 'electra' }
  const gloas: BeaconFork = { epoch: FORK_EPOCH, version: '0x07000000', shape: 'gloas' }
  const forked = new Forge({ blocks, forks: [old, gloas] })
  /** The chain as a version knew it that is older than the fork. */
  const outdated = new Forge({ blocks, forks: [old] })
  const adding = (chain: BeaconChain, fork: BeaconFork): BeaconChain => ({
    ...chain,
    consensus: { ...chain.consensus, forks: [...chain.consensus.forks, fork] },
  })
  const unknown = { status: 'unavailable', error: { code: 'chain.fork' } }

  function follow(chain: BeaconChain, beacons: readonly Beacon[], bad: BadProof[] = []) {
    return clientOf(outdated, CHECKPOINT, beacons, [blocks], {
      chain,
      onBadProof: (one) => bad.push(one),
      maxFinalLagSeconds: Number.POSITIVE_INFINITY,
    }).client
  }

  test('error: of a fork that is not known nobody is blamed, and what is final stays', async () => {
    const bad: BadProof[] = []
    const client = follow(outdated.chain, [node(forked), node(forked)], bad)
    const result = await sync(client)
    expect(result).toMatchObject(unknown)
    const { error } = result as { error: Error }
    expect(error.message).toMatch(/update it, or add the fork to chain\.consensus\.forks/)
    expect(bad).toEqual([])
    expect(reportNodes(client).every(({ badProof }) => badProof === undefined)).toBe(true)
    expect(await getStorage(client, { address: OWNER, slot: SLOT })).toMatchObject({
      status: 'present',
      trust: { block: { number: BigInt(CHECKPOINT) } },
    })
  })

  test('behavior: the next source is asked', async () => {
    const before = FORK_EPOCH * SLOTS_PER_EPOCH - 2
    setSlot(before + 1)
    const renamed = lying(node(outdated, before).script, {
      updates: [outdated.update(before, { version: 'heze' })],
      finality_update: { ...outdated.finality(before), version: 'heze', data: {} as never },
    })
    const client = follow(outdated.chain, [{ script: renamed }, node(outdated, before)])
    expect(await sync(client)).toMatchObject({
      status: 'synced',
      head: { slot: BigInt(before) },
      tried: [{ node: 'http://b1', code: 'chain.fork' }],
    })
  })

  test('behavior: the fork is added without a release, and the chain followed across it', async () => {
    const client = follow(adding(outdated.chain, gloas), [node(forked)])
    expect(await sync(client)).toMatchObject(synced)
    const value = await getStorage(client, { address: OWNER, slot: SLOT, at: 'head' })
    expect(value).toMatchObject({ status: 'present', trust: { block: { number: 185n } } })
  })

  test('behavior: a later fork of the same shape, whose name nobody here knows', async () => {
    const heze: BeaconFork = { epoch: FORK_EPOCH, version: '0x08000000', shape: 'electra' }
    const later = new Forge({ blocks, forks: [old, heze] })
    const named = (version: string) =>
      lying(node(later).script, {
        updates: [later.update(NOW - 1, { version })],
        finality_update: later.finality(NOW - 1, { version }),
        optimistic_update: later.optimistic(NOW - 1, { version }),
      })
    const bad: BadProof[] = []
    const client = follow(outdated.chain, [{ script: named('heze') }], bad)
    expect(await sync(client)).toMatchObject(unknown)
    expect(bad).toEqual([])
    const knowing = follow(adding(outdated.chain, heze), [{ script: named('heze') }])
    expect(await sync(knowing)).toMatchObject(synced)
    // A lie about a fork that is known is one.
    const lie = follow(outdated.chain, [{ script: named('electra') }], bad)
    expect(await sync(lie)).toMatchObject({
      status: 'invalid',
      error: { code: 'verify.signature' },
    })
  })

  test.each([
    ['electra', 13.9, undefined],
    ['electra', 14.1, 'expired'],
    ['gloas', 6.9, undefined],
    ['gloas', 7.1, 'expired'],
  ] as const)(
    'error: committees of %s are believed for a time: %d days, %s',
    async (shape, days, code) => {
      const forge = new Forge({ blocks, forks: [{ ...old, shape }] })
      setSlot(CHECKPOINT, days * DAY)
      const { client } = clientOf(forge, CHECKPOINT, [node(forge)], [blocks], {
        maxFinalLagSeconds: Number.POSITIVE_INFINITY,
        maxHeadLagSeconds: Number.POSITIVE_INFINITY,
      })
      const result = await sync(client)
      if (code === undefined) expect(result).toMatchObject({ status: 'synced' })
      else expect(result).toMatchObject({ status: 'unavailable', error: { code } })
    },
  )

  test('behavior: the fork and the caller may say otherwise; a fork since the checkpoint counts', async () => {
    const most = {
      maxFinalLagSeconds: Number.POSITIVE_INFINITY,
      maxHeadLagSeconds: Number.POSITIVE_INFINITY,
    }
    const codeAfter = async (
      days: number,
      forks: readonly BeaconFork[],
      maxAgeSeconds?: number,
    ) => {
      const forge = new Forge({ blocks, forks })
      setSlot(CHECKPOINT, days * DAY)
      const given = maxAgeSeconds === undefined ? {} : { maxAgeSeconds }
      const anchor = { checkpoint: forge.root(CHECKPOINT), ...given }
      const { client } = clientOf(forge, CHECKPOINT, [node(forge, 150)], [blocks], {
        ...most,
        anchor,
      })
      const result = await sync(client)
      return result.status === 'synced' ? undefined : result.error.code
    }
    expect(await codeAfter(3, [{ ...old, maxAgeSeconds: 2 * DAY }])).toBe('expired')
    expect(await codeAfter(20, [{ ...old, maxAgeSeconds: 30 * DAY }])).toBe(undefined)
    expect(await codeAfter(20, [old], 30 * DAY)).toBe(undefined)
    // Eight days after the checkpoint, six of them in Gloas: members left as fast as Gloas lets
    // them.
    const since = Math.floor((2 * DAY) / (SLOTS_PER_EPOCH * 12))
    expect(await codeAfter(8, [old, { ...gloas, epoch: since }])).toBe('expired')
    expect(await codeAfter(8, [old, { ...gloas, epoch: 10 * since }])).toBe(undefined)
  })

  test('default: the networks are data that a caller adds to', () => {
    const fork: BeaconFork = { epoch: 1_000_000, version: '0x900000ff', shape: 'gloas' }
    const client = createClient({
      chain: adding(sepolia, fork),
      anchor: { checkpoint: `0x${'11'.repeat(32)}` },
      nodes: ['http://n1'],
      beacons: ['http://b1'],
    })
    const { consensus } = client.chain
    expect(consensus !== undefined && 'forks' in consensus && consensus.forks.at(-1)).toEqual(fork)
    const wrong = adding(sepolia, { ...fork, maxAgeSeconds: -1 })
    expect(() => createClient({ chain: wrong } as never)).toThrow(
      expect.objectContaining({ argument: expect.stringContaining('maxAgeSeconds') }),
    )
  })
})
