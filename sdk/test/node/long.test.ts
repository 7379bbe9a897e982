/**
 * A client that follows a devnet, a block a second and two committees a minute, for as long as
 * `LIGHTPROOF_SOAK_SECONDS` says: it misses no block, its memory stays the same, and what it was
 * told is the chain that another node makes of the same seed.
 */

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import type { Hex } from '../../src/encoding/hex.js'
import { watchBlocks } from '../../src/entry/blocks.js'
import { createClient, getBalance, memoryStore, type Synced, sync } from '../../src/entry/node.js'
import { chainOf, clientOf } from '../support/liveChain.js'
import { startNode } from '../support/liveNode.js'
import { type Answer, essence, Tally } from '../support/tally.js'

const SECONDS = process.env['LIGHTPROOF_SOAK_SECONDS']
/** Blocks where no time is given: a test of every run. */
const BLOCKS = 40
/** Until caches are full and code is compiled. */
const WARM = 20
const [BLOCK_MS, PERIOD] = SECONDS === undefined ? [100, 8] : [1000, 30]
/** States that a node keeps by far. */
const RECENT = 16
/** Bytes that a client may hold more at the end. */
const GROWTH = 8 * 2 ** 20

setFlagsFromString('--expose-gc')
const gc = runInNewContext('gc') as () => void

function heldBytes(): number {
  gc()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

test('behavior: a client follows a chain for long', { timeout: 48 * 3_600_000 }, async () => {
  const times = ['--block-time-ms', `${BLOCK_MS}`, '--period', `${PERIOD}`]
  const node = await startNode(0, [...times, '--blocks', '1000000'])
  const address = node.samples[0]?.address ?? '0x'
  const client = createClient({
    chain: chainOf(node),
    anchor: { checkpoint: node.genesisHash, maxAgeSeconds: Number.POSITIVE_INFINITY },
    nodes: [node.url],
    store: memoryStore(),
    // The cache is full after some 140 blocks: memory that grows later is not the cache's.
    cacheBytes: 1 << 20,
    timeoutMs: 30_000,
  })
  const end = performance.now() + Number(SECONDS ?? 0) * 1000
  const [abort, errors] = [new AbortController(), new Map<string, number>()]
  const onError = ({ code }: { code: string }): void => {
    errors.set(code, (errors.get(code) ?? 0) + 1)
  }
  const recent = new Map<number, Answer>()
  let [seen, gaps, before] = [0, 0, 0]
  let last: { readonly number: bigint; readonly hash: Hex } | undefined
  try {
    const first = (await sync(client)) as Synced
    const watch = { pollMs: BLOCK_MS / 4, signal: abort.signal, onError }
    for await (const { block, removed } of watchBlocks(client, watch)) {
      if (removed || (last !== undefined && block.parentHash !== last.hash)) gaps++
      last = block
      recent.set(Number(block.number), await getBalance(client, { address, at: block.hash }))
      recent.delete(Number(block.number) - RECENT)
      seen++
      if (seen === WARM) before = heldBytes()
      if (seen >= BLOCKS && performance.now() >= end) break
    }
    const after = heldBytes()
    const { period } = (await sync(client)) as Synced
    const handovers = Number(period - first.period)
    const number = Number(last?.number)
    await node.stop()
    // The same seed, made at once by a node that nobody has talked to.
    const other = await startNode(number, times)
    const tally = new Tally()
    try {
      expect(last?.hash).toBe(other.head.hash)
      const pinned = clientOf(other)
      for (const [at, answer] of recent) {
        const truth = essence(await getBalance(pinned, { address, at }))
        tally.judge('none', `balance ${at}`, answer, truth)
      }
    } finally {
      await other.stop()
    }
    const mib = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`
    const codes = [...errors].map(([code, count]) => `${count} ${code}`).join(', ') || 'none'
    console.log(
      `soak long: ${seen} heads, ${gaps} gaps, ${handovers} handovers, ${tally.wrong.length} wrong, ` +
        `errors: ${codes}; memory ${mib(before)} at the start, ${mib(after)} at the end`,
    )
    expect(gaps).toBe(0)
    expect(tally.wrong).toEqual([])
    expect(tally.right).toBe(RECENT)
    expect(errors).toEqual(new Map())
    expect(handovers).toBeGreaterThanOrEqual(Math.floor(seen / PERIOD) - 1)
    expect(handovers).toBeGreaterThan(0)
    expect(after - before).toBeLessThan(GROWTH)
  } finally {
    abort.abort()
    await node.stop()
  }
})
