/** The built package with worker_threads: calls in a real worker. */

import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { Worker } from 'node:worker_threads'
import { createClient, defineChain, proven } from 'lightproof'
import { calls, getErc20Balance } from 'lightproof/evm'
import { startWorkers } from 'lightproof/workers'
import { expect, test } from 'vitest'
import { ALICE, chain, FORKS, methods, PROXY } from '../support/callWorld.js'
import { scriptedFetch } from '../support/rpc.js'

const CHANNEL = 'worker_threads'

function client() {
  const { name, kind, chainId, genesisHash } = chain.chain
  return createClient({
    chain: defineChain({ name, kind: kind as 'ethereum', chainId, genesisHash, forks: FORKS }),
    anchor: { block: chain.head.hash },
    nodes: ['http://n1'],
    fetch: scriptedFetch({ 'http://n1': methods }).fetch,
    cacheBytes: 0,
  })
}

test('behavior: calls run in a worker, and end with it if they go on after an abort', async () => {
  const lives: Promise<unknown>[] = []
  const onStart = (message: unknown): void => {
    const { worker } = message as { readonly worker: unknown }
    if (worker instanceof Worker) lives.push(new Promise((end) => worker.once('exit', end)))
  }
  subscribe(CHANNEL, onStart)
  const workers = startWorkers({ size: 1 })
  try {
    const balance = async () =>
      proven(await getErc20Balance(client(), { token: PROXY, owner: ALICE }))
    expect(await balance()).toBe(99n)
    expect(lives).toHaveLength(1)
    const before = workers.progress.done
    expect(before).toBeGreaterThan(0)
    const abort = new AbortController()
    // Loops, for about a minute.
    const endless = calls(client(), {
      calls: Array.from({ length: 60 }, () => ({ to: PROXY, gas: 2n ** 26n })),
      stateOverride: { [PROXY]: { code: '0x5b600056' } },
      signal: abort.signal,
    })
    setTimeout(() => abort.abort(new Error('left')), 1_500)
    await expect(endless).rejects.toThrow('left')
    expect(workers.progress).toMatchObject({ queued: 0, running: 1 })
    await lives[0]
    expect(workers.progress).toMatchObject({ running: 0, done: before })
    expect(await balance()).toBe(99n)
    expect(lives).toHaveLength(2)
  } finally {
    workers.close()
    unsubscribe(CHANNEL, onStart)
  }
})
