/** Lies of few members of a committee, and of beacon nodes that hold headers back. */

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createProvider } from '../../src/entry/eip1193.js'
import { getBlock, getStorage, memoryStore, proven, sync } from '../../src/entry/node.js'
import { makeChain, OWNER, SLOT } from '../support/chain.js'
import { Committee, committeeOf, Forge, SLOTS_PER_PERIOD } from '../support/forge.js'
import { type Beacon, clientOf, lying, setSlot } from '../support/sources.js'

/** In one period: one committee signs from the checkpoint on. */
const NOW = 186
const CHECKPOINT = 136
const real = makeChain(230, 'ethereum')
const RICH = 10n ** 24n
/** The same chain in an attacker's world: its account is rich. */
const false_ = makeChain(230, 'ethereum', () => RICH)
const honest = new Forge({ blocks: real })
const wallet = { address: OWNER, slot: SLOT }

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
  setSlot(NOW)
})
afterEach(() => {
  vi.useRealTimers()
})

const beacon = (forge: Forge, slot = NOW - 1, checkpoint = CHECKPOINT): Beacon => ({
  script: forge.node(slot, checkpoint),
})

describe('one signer', () => {
  /** Signed by the honest committee's first member alone, who holds one of its keys. */
  const forged = (size: number, signers: number) => {
    const evil = new Forge({ blocks: false_, size })
    return evil.optimistic(NOW - 1, { signers })
  }

  test.each([
    [512, 1],
    [512, 341],
    [32, 21],
  ])('error: of %i members %i make no head', { timeout: 60_000 }, async (size, signers) => {
    const forge = new Forge({ blocks: real, size })
    const silent = lying(forge.node(NOW - 1, CHECKPOINT), {
      updates: [],
      finality_update: null,
      optimistic_update: forged(size, signers),
    })
    const both = [{ script: silent }, beacon(forge)]
    const { client, asked } = clientOf(forge, CHECKPOINT, both, [false_, real])
    const head = await getBlock(client, { block: 'head' })
    expect(proven(head).hash).toBe(real.at(NOW - 1).hash)
    expect(head).toMatchObject({ trust: { finality: 'head', participation: { signed: size } } })
    expect(asked.filter((route) => route.startsWith('b2'))).not.toHaveLength(0)
    const provider = createProvider(client)
    const params = [OWNER, SLOT, 'latest']
    const value = await provider.request({ method: 'eth_getStorageAt', params })
    expect(BigInt(String(value))).toBe(real.at(NOW - 1).slotValue)
    provider.close()
  })

  test('error: alone it makes nothing', { timeout: 60_000 }, async () => {
    const forge = new Forge({ blocks: real, size: 512 })
    const script = lying(forge.node(NOW - 1, CHECKPOINT), {
      updates: [],
      finality_update: null,
      optimistic_update: forged(512, 1),
    })
    const { client } = clientOf(forge, CHECKPOINT, [{ script }], [false_], {
      maxFinalLagSeconds: 300,
    })
    for (const at of ['head', undefined]) {
      const value = await getStorage(client, { ...wallet, ...(at === undefined ? {} : { at }) })
      expect(value).toMatchObject({ status: 'unavailable', error: { code: 'stale' } })
    }
    expect(client.lines.map(({ hash }) => hash)).toEqual([real.at(CHECKPOINT).hash])
  })

  test('behavior: two thirds do', async () => {
    const optimistic_update = honest.optimistic(NOW - 1, { signers: 22 })
    const script = lying(honest.node(NOW - 1, CHECKPOINT), { optimistic_update })
    const { client } = clientOf(honest, CHECKPOINT, [{ script }], [real])
    const head = await getBlock(client, { block: 'head' })
    expect(head).toMatchObject({ status: 'present', value: { number: BigInt(NOW - 1) } })
  })

  test('behavior: a head that another one displaced is forgotten, by hash as well', async () => {
    // Two thirds sign a block that is left in a fork then.
    let isFirst = true
    const fork = new Forge({ blocks: false_ })
    const script: Beacon['script'] = (...asked) =>
      isFirst && asked[0] === 'optimistic_update'
        ? fork.optimistic(NOW - 1)
        : honest.node(isFirst ? NOW - 2 : NOW, CHECKPOINT)(...asked)
    const { client } = clientOf(honest, CHECKPOINT, [{ script }], [false_, real])
    const left = proven(await getBlock(client, { block: 'head' }))
    expect(left.hash).toBe(false_.at(NOW - 1).hash)
    isFirst = false
    setSlot(NOW + 1)
    await sync(client)
    const again = await getStorage(client, { ...wallet, at: left })
    expect(again).toMatchObject({ status: 'unavailable', error: { code: 'untrusted' } })
  })
})

describe('force', () => {
  const LATER = 215
  const STUCK = 104
  /** Nothing is final from some slot on. */
  const stuck = new Forge({
    blocks: real,
    finalizedAt: (slot) => Math.min(STUCK, (Math.floor(slot / 8) - 2) * 8),
  })
  const any = {
    maxFinalLagSeconds: Number.POSITIVE_INFINITY,
    maxHeadLagSeconds: Number.POSITIVE_INFINITY,
  }

  /** The committee of the attacker follows the honest one of period 1. */
  const evil = new Forge({
    blocks: false_,
    finalizedAt: () => STUCK,
    committeeOf: (period) => (period <= 1 ? committeeOf(period, 32) : new Committee(77n, 32)),
  })

  test("error: one signer's next committee is refused", async () => {
    setSlot(LATER)
    const script = lying(stuck.node(120, STUCK), {
      updates: [evil.update(126, { signers: 1 })],
      finality_update: null,
      optimistic_update: null,
    })
    const { client } = clientOf(stuck, STUCK, [{ script }], [false_, real], any)
    expect(await sync(client)).toMatchObject({ status: 'synced', forced: false })
    expect(await sync(client, { force: true })).toMatchObject({
      status: 'invalid',
      error: { code: 'verify.participation' },
      evidence: [],
    })
    expect(client.light?.state).toMatchObject({ period: 1n, forced: false })
    expect(await getBlock(client)).toMatchObject({
      value: { hash: real.at(STUCK).hash },
      trust: { finality: 'pinned' },
    })
  })

  test('behavior: what follows a forced step is forced, whatever is signed later', async () => {
    setSlot(LATER)
    let last = 126
    const script: Beacon['script'] = (...asked) => stuck.node(last, STUCK)(...asked)
    const store = memoryStore()
    const { client } = clientOf(stuck, STUCK, [{ script }], [real], { ...any, store })
    const forced = await sync(client, { force: true })
    expect(forced).toMatchObject({ status: 'synced', forced: true, finalized: { slot: 126n } })
    for (const block of [undefined, 'head', 126, 120]) {
      const at = block === undefined ? {} : { block }
      expect([block, await getBlock(client, at)]).toMatchObject([
        block,
        { status: 'present', trust: { finality: 'forced' } },
      ])
    }
    // From then on the committees finalize again.
    const healed = new Forge({ blocks: real })
    last = NOW
    const two: Beacon['script'] = (...asked) =>
      asked[0].startsWith('bootstrap') ? script(...asked) : healed.node(LATER - 1, STUCK)(...asked)
    const next = clientOf(stuck, STUCK, [{ script: two }], [real], any)
    Object.assign(next.client.light ?? {}, {
      client: client.light?.client,
      state: client.light?.state,
      checkpointTime: client.light?.checkpointTime,
    })
    expect(await sync(next.client)).toMatchObject({ status: 'synced', forced: true })
    for (const block of [undefined, 'head']) {
      const at = block === undefined ? {} : { block }
      expect(await getBlock(next.client, at)).toMatchObject({ trust: { finality: 'forced' } })
    }
    // Who starts from the checkpoint again is told what is final; nothing of the forced step was
    // kept.
    const fresh = clientOf(honest, STUCK, [beacon(healed, LATER - 1, STUCK)], [real], { ...any })
    expect(await sync(fresh.client)).toMatchObject({ status: 'synced', forced: false })
    expect(await getBlock(fresh.client)).toMatchObject({ trust: { finality: 'finalized' } })
  })
})

describe('finality withheld', () => {
  const withheld = (forge: Forge) =>
    lying(forge.node(NOW - 1, CHECKPOINT), { updates: [], finality_update: null })

  test('error: a fresh head of a source does not stand for its final block', async () => {
    const { client } = clientOf(honest, CHECKPOINT, [{ script: withheld(honest) }], [real], {
      maxFinalLagSeconds: 300,
    })
    const refusal = { status: 'unavailable', error: { code: 'stale' } }
    expect(await getStorage(client, wallet)).toMatchObject(refusal)
    expect(await sync(client)).toMatchObject(refusal)
    const { error } = (await sync(client)) as { error: Error }
    expect(error.message).toMatch(
      /final block .* is 600 s old, more than maxFinalLagSeconds \(300\)/,
    )
    // What is asked of the head is answered by the head.
    const head = await getBlock(client, { block: 'head' })
    expect(head).toMatchObject({ status: 'present', trust: { block: { ageSeconds: 12 } } })
  })

  test('behavior: an honest source beside it is asked, and answers', async () => {
    const both = [{ script: withheld(honest) }, beacon(honest)]
    const { client } = clientOf(honest, CHECKPOINT, both, [real])
    const value = await getStorage(client, wallet)
    expect(value).toMatchObject({
      status: 'present',
      trust: { block: { number: 168n, ageSeconds: 18 * 12 }, finality: 'finalized' },
    })
  })

  test('behavior: a chain that does not finalize is usable by an option', async () => {
    const stuck = new Forge({ blocks: real, finalizedAt: () => 130 })
    const old = { script: lying(stuck.node(NOW - 1, 130), { updates: [] }) }
    const from = (options: object) => clientOf(stuck, 130, [old], [real], options).client
    const strict = { maxFinalLagSeconds: 600 }
    expect(await getStorage(from(strict), wallet)).toMatchObject({ error: { code: 'stale' } })
    const willing = { maxFinalLagSeconds: Number.POSITIVE_INFINITY }
    expect(await getStorage(from(willing), wallet)).toMatchObject({
      status: 'present',
      value: 131n,
      trust: { block: { number: 130n, ageSeconds: 56 * 12 } },
    })
  })

  test('error: by default a head of three minutes is none, and the next source is asked', async () => {
    const behind = beacon(honest, NOW - 16)
    const alone = clientOf(honest, CHECKPOINT, [behind], [real]).client
    const head = await getStorage(alone, { ...wallet, at: 'head' })
    expect(head).toMatchObject({ status: 'unavailable', error: { code: 'stale' } })
    expect(await getStorage(alone, wallet)).toMatchObject({ status: 'present' })
    const named = await getStorage(alone, { ...wallet, at: real.at(NOW - 16) })
    expect(named).toMatchObject({ status: 'present', trust: { finality: 'head' } })
    const { client } = clientOf(honest, CHECKPOINT, [behind, beacon(honest)], [real])
    const newest = await getStorage(client, { ...wallet, at: 'head' })
    expect(newest).toMatchObject({ status: 'present', trust: { block: { ageSeconds: 12 } } })
  })

  test('error: thirteen days later nothing is the latest', async () => {
    const { client } = clientOf(honest, CHECKPOINT, [beacon(honest)], [real])
    expect(await getStorage(client, { ...wallet, at: 'head' })).toMatchObject({ status: 'present' })
    setSlot(NOW, 13 * 24 * 3600)
    const provider = createProvider(client)
    const late = provider.request({ method: 'eth_getStorageAt', params: [OWNER, SLOT, 'latest'] })
    await expect(late).rejects.toMatchObject({ data: { code: 'stale' } })
    provider.close()
  })
})

describe('a clock that is behind', () => {
  test.each([12, 30, 100])(
    'behavior: by %i s, what is final is usable at the first sync',
    async (seconds) => {
      setSlot(NOW, -seconds)
      const { client } = clientOf(honest, CHECKPOINT, [beacon(honest, NOW)], [real])
      const value = await getStorage(client, wallet)
      expect(value).toMatchObject({ status: 'present', trust: { finality: 'finalized' } })
      expect(await sync(client)).toMatchObject({ status: 'synced', finalized: { slot: 168n } })
      const head = await getStorage(client, { ...wallet, at: 'head' })
      if (seconds <= 10) expect(head).toMatchObject({ status: 'present' })
      else expect(head).toMatchObject({ status: 'unavailable', error: { code: 'clock' } })
    },
  )

  test('behavior: by whole periods, it says so and blames nobody', async () => {
    setSlot(NOW, -2 * SLOTS_PER_PERIOD * 12)
    const bad: unknown[] = []
    const early = 16
    const { client } = clientOf(honest, early, [beacon(honest, NOW, early)], [real], {
      onBadProof: (one) => bad.push(one),
      maxFinalLagSeconds: 600,
    })
    expect(await sync(client)).toMatchObject({ status: 'unavailable', error: { code: 'clock' } })
    expect(bad).toEqual([])
  })

  test('error: a future slot that one member signed says nothing of the clock', async () => {
    const optimistic_update = honest.optimistic(NOW + 4, { signers: 1 })
    const script = lying(honest.node(NOW - 1, CHECKPOINT), { optimistic_update })
    const { client } = clientOf(honest, CHECKPOINT, [{ script }], [real])
    const synced = await sync(client)
    expect(synced).toMatchObject({ status: 'synced', head: { slot: BigInt(NOW - 1) }, tried: [] })
  })

  test('error: a future slot that nobody signed is a lie', async () => {
    const optimistic_update = honest.optimistic(NOW + 4, { committee: new Committee(5n, 32) })
    const script = lying(honest.node(NOW - 1, CHECKPOINT), { optimistic_update })
    const { client } = clientOf(honest, CHECKPOINT, [{ script }], [real])
    expect(await sync(client)).toMatchObject({ status: 'invalid', error: { code: 'verify.time' } })
  })
})
