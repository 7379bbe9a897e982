/** The specification's own chain, of small committees, through `sync`: what is kept, and a chain that finalizes nothing. */

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { bytesOf, type Hex } from '../../src/encoding/hex.js'
import {
  createClient,
  memoryStore,
  type Store,
  type SyncEvent,
  sync,
} from '../../src/entry/node.js'
import { HAS_VECTORS, readBytes, type Script, serveBeacon } from '../support/beacon.js'
import { chainOfYaml, unpackSnappy, yamlSteps, yamlValues } from '../support/spec.js'

const FOLDER = 'spec-minimal/deneb/light_client_sync'

describe('a chain of small committees', () => {
  if (!HAS_VECTORS) {
    test('reference vectors', () => {
      console.log('eth-beacon: none there, nothing was run')
    })
    return
  }
  const text = (file: string): string => new TextDecoder().decode(readBytes(`${FOLDER}/${file}`))
  const unpacked = (name: string) => unpackSnappy(readBytes(`${FOLDER}/${name}.ssz_snappy`))
  const meta = yamlValues(text('meta.yaml'))
  const checkpoint = meta.get('trusted_block_root') as Hex
  const chain = chainOfYaml(text('config.yaml'), meta.get('genesis_validators_root') as Hex)
  const steps = yamlSteps(text('steps.yaml'))
  const forcedAt = steps.findIndex(({ name }) => name === 'force_update')
  const before = steps.slice(0, forcedAt)
  const wordOf = (step: (typeof steps)[number] | undefined, key: string): string =>
    step?.values.get(key) ?? ''
  const updates = before.map((step) => unpacked(wordOf(step, 'update')))
  const rootOf = (step: (typeof steps)[number] | undefined): string | undefined =>
    step?.checks.get('finalized_header')?.get('beacon_root')
  const setSlot = (slot: number): void => {
    vi.setSystemTime(slot * chain.consensus.secondsPerSlot * 1000)
  }

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] })
    setSlot(Number(wordOf(steps[forcedAt], 'current_slot')))
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  /** The updates, then no more. */
  function script(served: readonly Uint8Array[]): Script {
    const left = [...served]
    return (route, query) => {
      if (route.startsWith('bootstrap/')) return unpacked('bootstrap')
      if (route !== 'updates') return undefined
      const page = left.splice(0, Number(query.get('count')))
      return Buffer.concat(page.map((ssz) => Buffer.concat([prefix(ssz.length + 4), ssz])))
    }
  }

  async function clientOf(store?: Store, served = updates) {
    const { url } = await serveBeacon(script(served))
    return createClient({
      chain,
      anchor: { checkpoint },
      nodes: ['http://127.0.0.1:1'],
      beacons: [url],
      retries: 0,
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
    expect(client.lines[0]?.finality).toBe('finalized')
    const forced = await sync(client, { force: true })
    expect(forced).toMatchObject({
      status: 'synced',
      finalized: { root: rootOf(steps[forcedAt]) },
    })
    // Nobody finalized it, and nothing says that somebody did.
    expect(client.lines[0]?.finality).toBe('head')
  })

  test('behavior: force changes nothing within a period', async () => {
    setSlot(Number(wordOf(before.at(-1), 'current_slot')))
    const client = await clientOf()
    const synced = await sync(client, { force: true })
    expect(synced).toMatchObject({ finalized: { root: rootOf(before.at(-1)) } })
    expect(client.lines[0]?.finality).toBe('finalized')
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
})

/** Length and fork digest before an update in the stream. */
function prefix(length: number): Uint8Array {
  const bytes = new Uint8Array(12)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(length), true)
  return bytes
}
