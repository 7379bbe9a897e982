/** Lightproof, asked for a balance from a checkpoint; on the main thread, as the others. */
import { ADDRESS, BEACON, CHECKPOINT, NODE } from './watch.mjs'

export async function start() {
  const { createClient, getBalance, mainnet } = await import('lightproof')
  const { startWorkers } = await import('lightproof/workers')
  startWorkers({ size: 0 })
  const anchor = { checkpoint: CHECKPOINT, maxAgeSeconds: Number.POSITIVE_INFINITY }
  const client = createClient({ chain: mainnet, anchor, nodes: [NODE], beacons: [BEACON] })
  await getBalance(client, { address: ADDRESS })
}
