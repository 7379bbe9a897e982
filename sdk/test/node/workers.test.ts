/**
 * The built package with worker_threads, against a live node: proofs and signed headers off the
 * main thread.
 */

import {
  createClient,
  devnet,
  fetchProof,
  getBalance,
  getValue,
  getValues,
  memoryStore,
  proven,
  sync,
  verifyProofFile,
} from 'lightproof'
import { lmpt } from 'lightproof/lmpt'
import { verkle } from 'lightproof/verkle'
import { startWorkers, type WorkProgress } from 'lightproof/workers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LiveNode, startNode } from '../support/liveNode.js'

let node: LiveNode

beforeAll(async () => {
  node = await startNode(100, ['--committee-size', '32', '--period', '16'])
})
afterAll(() => node.stop())

function clientOf(options: { readonly store?: ReturnType<typeof memoryStore> } = {}) {
  return createClient({
    chain: devnet(node.genesisHash, node.consensus),
    anchor: { checkpoint: node.genesisHash, maxAgeSeconds: Number.POSITIVE_INFINITY },
    nodes: [node.url],
    ...options,
  })
}

/** The longest time that the main thread was busy in one piece, in milliseconds. */
async function longestTask(work: () => Promise<unknown>): Promise<number> {
  let last = performance.now()
  let longest = 0
  const timer = setInterval(() => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
  }, 1)
  await work().finally(() => clearInterval(timer))
  return longest
}

test('default: the same answers, and a main thread that is free meanwhile', async () => {
  const address = node.samples[0]?.address ?? ''
  const contract = node.samples.find(({ slots }) => slots.length > 0)
  const key = { address: contract?.address ?? '', slot: contract?.slots[0] ?? 0 }
  const ask = async () => {
    const client = clientOf({ store: memoryStore() })
    const synced = await sync(client)
    const balance = proven(await getBalance(client, { address }))
    const value = proven(await getValue(client, { system: lmpt, key }))
    const file = await fetchProof(client, { address })
    const checked = await verifyProofFile(file, { anchor: { block: node.head.hash } })
    return [synced.status === 'synced' && synced.head, balance, value, checked.status]
  }
  // Once before, so that both have their modules compiled.
  const here = await ask()
  const busyHere = await longestTask(ask)
  const told: WorkProgress[] = []
  const workers = startWorkers({ size: 2, onProgress: (progress) => told.push(progress) })
  try {
    expect(await ask()).toEqual(here)
    const busyThere = await longestTask(ask)
    console.log(
      `main thread busy at most ${busyHere.toFixed(0)} ms at once, with workers ${busyThere.toFixed(0)} ms`,
    )
    expect(workers.progress.done).toBeGreaterThan(20)
    expect(told.some(({ running }) => running > 0)).toBe(true)
  } finally {
    workers.close()
  }
  expect(await ask()).toEqual(here)
})

test('behavior: idle workers share the check of a large proof', async () => {
  const address = (index: number): `0x${string}` => `0x${index.toString(16).padStart(40, '0')}`
  const keys = Array.from({ length: 200 }, (_, index) => ({ address: address(index) }))
  const client = clientOf()
  const values = proven(await getValues(client, { system: verkle, keys }))
  const workers = startWorkers({ size: 2 })
  try {
    const asked = async () => {
      const before = workers.progress.done
      const got = proven(await getValues(client, { system: verkle, keys, at: node.head.number }))
      expect(got).toEqual(values)
      while (workers.progress.running > 0) await new Promise((resolve) => setTimeout(resolve, 5))
      return workers.progress.done - before
    }
    // One worker checks it, and the other is made ready.
    const whole = await asked()
    // Two parts, and what joins them.
    expect(await asked()).toBe(whole + 1)
  } finally {
    workers.close()
  }
})

test('behavior: who synced in a worker that is gone proves its headers anew', async () => {
  for (const options of [{}, { store: memoryStore() }]) {
    const workers = startWorkers({ size: 1 })
    const client = clientOf(options)
    const before = await sync(client)
    if (before.status !== 'synced') throw before.error
    workers.close()
    const { finalized, head, period } = before
    expect(await sync(client)).toMatchObject({ finalized, head, period })
    // No part of the published type.
    const source = 'store' in options ? 'store' : node.url
    expect(client).toMatchObject({ light: { source } })
  }
})
