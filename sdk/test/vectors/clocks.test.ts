/**
 * Clocks that are wrong and jump, by a second to a day, forwards and backwards, at each start of a
 * client: a chain is followed or refused, and never is more believed than the clock allows. For as
 * long as `LIGHTPROOF_SOAK_SECONDS` says.
 */

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Client, createClient, getBlock, memoryStore, sync } from '../../src/entry/node.js'
import { CLOCK_DRIFT_SECONDS } from '../../src/light/clock.js'
import { Dice } from '../support/dice.js'
import { soak } from '../support/soak.js'
import { timeOf, updatedChains } from '../support/syncChain.js'

const DAY = 86_400
const JUMPS = [1, 11, 60, 3600, DAY] as const

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

test('behavior: clocks jump', { timeout: 24 * 3_600_000 }, async () => {
  // One update a period.
  const world = updatedChains()[0]?.[1]
  if (world === undefined) throw new Error('no chain')
  const { chain, checkpoint, steps, updates, script } = world
  const secondsOf = (step: (typeof steps)[number] | undefined) => timeOf(world, step) / 1000
  const roots = steps.map((step) => step.checks.get('finalized_header')?.get('beacon_root'))
  /** The first period that is asked for, while the store is empty. */
  let first: number | undefined
  const fetchOf =
    (served: readonly Uint8Array[]): typeof globalThis.fetch =>
    async (input) => {
      const { pathname, searchParams } = new URL(String(input))
      const start = Number(searchParams.get('start_period'))
      if (searchParams.has('start_period')) first ??= start
      const route = pathname.replace('/eth/v1/beacon/light_client/', '')
      const answer = script(served.slice(start - (first ?? start)))
      const body = answer(route, searchParams, undefined as never)
      if (!(body instanceof Uint8Array)) return new Response('{}', { status: 404 })
      const headers = { 'content-type': 'application/octet-stream' }
      return new Response(new Uint8Array(body), { headers })
    }
  let store = memoryStore()
  const clientOf = (served: readonly Uint8Array[]): Client =>
    createClient({
      chain,
      anchor: { checkpoint, maxAgeSeconds: 2 * DAY },
      nodes: ['http://127.0.0.1:1'],
      beacons: ['http://beacon.example'],
      fetch: fetchOf(served),
      retries: 0,
      maxFinalLagSeconds: DAY,
      maxHeadLagSeconds: DAY,
      store,
    })
  const counts = new Map<string, number>()
  let tried = 0
  let ahead = 0
  await soak(async (seed) => {
    const dice = new Dice(seed)
    const jump = dice.of(JUMPS) * (dice.once(2) ? -1 : 1)
    // Somewhere on the chain's own way, and from there a jump.
    const now = secondsOf(steps[dice.below(steps.length)]) + jump
    vi.setSystemTime(now * 1000)
    // Most clients come back to what they kept.
    if (dice.once(3)) store = memoryStore()
    const client = clientOf(updates.slice(0, dice.below(updates.length + 1)))
    const synced = await sync(client)
    tried++
    const said = synced.status === 'synced' ? 'followed' : synced.error.code
    counts.set(said, (counts.get(said) ?? 0) + 1)
    if (synced.status !== 'synced') return
    const { finalized, head } = synced
    expect([...roots, checkpoint], `seed ${seed}`).toContain(finalized.root)
    const isAhead = (timestamp: bigint): boolean => Number(timestamp) > now + CLOCK_DRIFT_SECONDS
    expect(isAhead(finalized.timestamp), `seed ${seed}`).toBe(false)
    if (head !== undefined && isAhead(head.timestamp)) {
      // It is held, and answers nothing before its time.
      const answer = await getBlock(client, { block: 'head' })
      expect(answer, `seed ${seed}`).toMatchObject({ error: { code: 'clock' } })
      ahead++
    }
    expect(now - Number(finalized.timestamp), `seed ${seed}`).toBeLessThanOrEqual(DAY)
  })
  // A clock that is right again is enough.
  vi.setSystemTime(secondsOf(steps.at(-1)) * 1000)
  expect(await sync(clientOf(updates))).toMatchObject({
    status: 'synced',
    finalized: { root: roots.at(-1) },
  })
  const codes = [...counts].map(([code, count]) => `${count} ${code}`).join(', ')
  console.log(
    `soak clocks: ${tried} starts: ${codes}; ${ahead} heads of the future answer nothing; 0 wrong`,
  )
  expect(counts.get('followed') ?? 0).toBeGreaterThan(0)
  expect(counts.size).toBeGreaterThan(1)
})
