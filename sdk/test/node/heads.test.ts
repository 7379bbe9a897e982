/** A provider's subscription to new heads, while the chain grows. */

import { expect, test } from 'vitest'
import { createProvider } from '../../src/entry/eip1193.js'
import { createClient, devnet } from '../../src/entry/node.js'
import { startNode } from '../support/liveNode.js'

test('behavior: every new head is told, proven, until the subscriber leaves', async () => {
  const node = await startNode(4, ['--blocks', '100', '--block-time-ms', '1000'])
  const provider = createProvider(
    createClient({
      chain: devnet(node.genesisHash, node.consensus),
      anchor: { checkpoint: node.genesisHash, maxAgeSeconds: Number.POSITIVE_INFINITY },
      nodes: [node.url],
    }),
    { pollMs: 250 },
  )
  try {
    const heads: { number: string; hash: string; parentHash: string }[] = []
    const id = await provider.request({ method: 'eth_subscribe', params: ['newHeads'] })
    const told = new Promise<void>((resolve) => {
      provider.on('message', ({ type, data }) => {
        expect([type, data]).toMatchObject(['eth_subscription', { subscription: id }])
        heads.push((data as { result: (typeof heads)[number] }).result)
        if (heads.length === 3) resolve()
      })
    })
    await told
    const [first, second, third] = heads
    expect([second?.parentHash, third?.parentHash]).toEqual([first?.hash, second?.hash])
    expect(await provider.request({ method: 'eth_unsubscribe', params: [id] })).toBe(true)
  } finally {
    provider.close()
    await node.stop()
  }
})
