/**
 * Chains of small committees through `sync`: what is kept, and a chain that finalizes nothing.
 */

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { bytesOf } from '../../src/encoding/hex.js'
import {
  createClient,
  memoryStore,
  type Store,
  type SyncEvent,
  sync,
} from '../../src/entry/node.js'
import { serveBeacon } from '../support/beacon.js'
import { forcedChains, timeOf } from '../support/syncChain.js'

describe.each(forcedChains())('a chain of small committees, %s', (_, world) => {
  const { chain, checkpoint, steps, forcedAt, before, updates, script } = world
  const rootOf = (step: (typeof steps)[number] | undefined): string | undefined =>
    step?.checks.get('finalized_header')?.get('beacon_root')
  /** Nothing was finalized since the checkpoint: the checkpoint itself is the newest final header. */
  const settled = rootOf(before.at(-1)) === checkpoint ? 'pinned' : 'finalized'
  const setClock = (step: (typeof steps)[number] | undefined): void => {
    vi.setSystemTime(timeOf(world, step))
  }

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] })
    setClock(steps[forcedAt])
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  async function clientOf(store?: Store, served = updates) {
    const { url } = await serveBeacon(script(served))
    return createClient({
      chain,
      anchor: { checkpoint },
      nodes: ['http://127.0.0.1:1'],
      beacons: [url],
      retries: 0,
      // The chain finalizes nothing for long.
      maxFinalLagSeconds: Number.POSITIVE_INFINITY,
      maxHeadLagSeconds: Number.POSITIVE_INFINITY,
      ...(store === undefined ? {} : { store }),
    })
  }

  test('default: without finality for a period a client stays, until it is told to go on', async () => {
    const client = await clientOf()
    const stayed = await sync(client)
    expect(stayed).toMatchObject({
      status: 'synced',
      finalized: { root: rootOf(before.at(-1)) },
    })
    expect(client.lines[0]?.finality).toBe(settled)
    const forced = await sync(client, { force: true })
    expect(forced).toMatchObject({
      status: 'synced',
      finalized: { root: rootOf(steps[forcedAt]) },
    })
    // Nobody finalized it, and nothing says that somebody did.
    expect(forced).toMatchObject({ forced: true })
    expect(client.lines.map(({ finality }) => finality)).toContain('forced')
    expect(client.lines[0]?.finality).toBe('forced')
  })

  test('behavior: force changes nothing within a period', async () => {
    setClock(before.at(-1))
    const client = await clientOf()
    const synced = await sync(client, { force: true })
    expect(synced).toMatchObject({ finalized: { root: rootOf(before.at(-1)) } })
    expect(client.lines[0]?.finality).toBe(settled)
  })

  test('error: force is true or false', async () => {
    const promise = sync(await clientOf(), { force: 1 as unknown as boolean })
    await expect(promise).rejects.toMatchObject({ code: 'input.option', argument: 'force' })
  })

  test('behavior: the points of the keys are kept apart, and taken back', async () => {
    const kept = new Map<string, Uint8Array>()
    const store: Store = {
      ...memoryStore(),
      load: async (key) => kept.get(key),
      save: async (key, bytes) => void kept.set(key, bytes),
      remove: async (key) => void kept.delete(key),
    }
    await sync(await clientOf(store))
    const name = [...kept.keys()].find((key) => key.endsWith('-points')) ?? ''
    expect([...kept.keys()]).toEqual([name.replace(/-points$/, ''), name])
    const points = kept.get(name) ?? new Uint8Array(0)
    expect(points.length).toBeGreaterThan(96)

    for (const [bytes, code] of [
      [points, undefined],
      [points.map((byte, i) => (i === points.length - 1 ? byte ^ 1 : byte)), 'store.damaged'],
      [bytesOf('0x01'), 'store.damaged'],
    ] as const) {
      kept.set(name, bytes)
      const client = await clientOf(store, [])
      const events: SyncEvent[] = []
      const synced = await sync(client, { onProgress: (event) => events.push(event) })
      expect(synced.status).toBe('synced')
      const warnings = events.filter(({ type }) => type === 'warning')
      expect(warnings.map((event) => event.type === 'warning' && event.code)).toEqual(
        code === undefined ? [] : [code],
      )
    }
  })

  test('behavior: a store that never answers holds nothing up for long, and is not waited for twice', async () => {
    const never = vi.fn(() => new Promise<never>(() => undefined))
    const client = await clientOf({ load: never, save: never, remove: never })
    const events: SyncEvent[] = []
    const synced = await sync(client, { onProgress: (event) => events.push(event) })
    expect(synced).toMatchObject({
      status: 'synced',
      finalized: { root: rootOf(before.at(-1)) },
    })
    const warnings = events.flatMap((event) => (event.type === 'warning' ? [event.code] : []))
    expect(warnings).toEqual(['store.load', 'store.save', 'store.save'])
    expect(never).toHaveBeenCalledTimes(1)
  })
})
