/** What a wallet's screen costs at a live node, with what is kept of its proofs and without. */

import { expect, test } from 'vitest'
import {
  type Client,
  createClient,
  getBalance,
  getBlock,
  getCode,
  getNonce,
  getStorage,
  proven,
} from '../../src/entry/node.js'
import { reportNodes } from '../../src/entry/nodes.js'
import { chainOf } from '../support/liveChain.js'
import { startNode } from '../support/liveNode.js'

const BLOCKS = 24

test('default: balance, nonce, code and three slots, in one block and in ten more', async () => {
  const node = await startNode(BLOCKS)
  try {
    const { address, slots } = node.samples.find((sample) => sample.slots.length > 2) ?? {}
    if (address === undefined || slots === undefined) throw new Error('no sample')
    const screen = async (client: Client, at: number): Promise<unknown[]> => {
      const values: unknown[] = []
      for (const get of [getBalance, getNonce, getCode]) {
        values.push(proven(await get(client, { address, at })))
      }
      for (const slot of slots.slice(0, 3)) {
        values.push(proven(await getStorage(client, { address, slot, at })))
      }
      return values
    }
    const measure = async (cacheBytes: number) => {
      const anchor = { block: node.head.hash }
      const chain = chainOf(node)
      const client = createClient({ chain, anchor, nodes: [node.url], cacheBytes })
      proven(await getBlock(client, { block: node.head.number - 10 }))
      const rows: { requests: number; bytes: number }[] = []
      const values: unknown[] = []
      const step = async (blocks: readonly number[]): Promise<void> => {
        const [before] = reportNodes(client)
        for (const at of blocks) values.push(await screen(client, at))
        const [after] = reportNodes(client)
        const requests = (after?.requests ?? 0) - (before?.requests ?? 0)
        rows.push({ requests, bytes: (after?.receivedBytes ?? 0) - (before?.receivedBytes ?? 0) })
      }
      const { number } = node.head
      await step([number])
      await step([number])
      await step(Array.from({ length: 10 }, (_, i) => number - 10 + i))
      return { rows, values }
    }
    const without = await measure(0)
    const kept = await measure(1 << 22)
    expect(kept.values).toEqual(without.values)
    expect(without.rows.map(({ requests }) => requests)).toEqual([6, 6, 60])
    expect(kept.rows.map(({ requests }) => requests)).toEqual([5, 0, 15])
    expect((without.rows[2]?.bytes ?? 0) / (kept.rows[2]?.bytes ?? 0)).toBeGreaterThan(3)
    console.info('a screen, again, in ten more blocks:', JSON.stringify([without.rows, kept.rows]))
  } finally {
    await node.stop()
  }
})
