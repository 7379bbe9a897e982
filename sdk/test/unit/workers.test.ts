/**
 * The pool, with workers that are none: what travels is cloned as a worker's messages are, and each
 * answers when it is told.
 */

import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  type Client,
  createClient,
  getBalance,
  getBlock,
  mainnet,
  proven,
  verifyProofFile,
} from '../../src/entry/node.js'
import { startWorkers as startNode } from '../../src/entry/workersNode.js'
import { startWorkers as startWeb } from '../../src/entry/workersWeb.js'
import { doJob, employ, employed, type Job } from '../../src/proving/engine.js'
import { workByDefault } from '../../src/workers/byDefault.js'
import type { Order, Report } from '../../src/workers/messages.js'
import { type Spawn, startPool, type Workers, type WorkProgress } from '../../src/workers/pool.js'
import { serveJobs } from '../../src/workers/serve.js'
import { honest, makeChain, OWNER, proofJson } from '../support/chain.js'
import { clientOf } from '../support/client.js'

const devnet = makeChain(12)
const wallet = { address: OWNER }
const HASH = `0x${'11'.repeat(32)}`

interface Fake {
  readonly orders: Order[]
  busy: boolean
  ended: boolean
  die(cause: unknown): void
}

let pool: Workers | undefined

afterEach(() => {
  pool?.close()
  pool = undefined
  employ()
})

interface Options {
  readonly isMute?: boolean
  readonly onProgress?: (progress: WorkProgress) => void
  /** Of small jobs: none, so that all are posted. */
  readonly limit?: number | undefined
}

function fakePool(size: number, options: Options = {}) {
  const { isMute = false, onProgress, limit } = { limit: -1, ...options }
  const fakes: Fake[] = []
  const spawn: Spawn = (onReport, onEnd) => {
    const fake: Fake = { orders: [], busy: false, ended: false, die: onEnd }
    fakes.push(fake)
    const serve = serveJobs((report) => onReport(structuredClone(report)))
    return {
      post: (order) => {
        fake.orders.push(order)
        if (!isMute) setTimeout(() => serve(structuredClone(order)))
      },
      hold: (isBusy) => {
        fake.busy = isBusy
      },
      end: () => {
        fake.ended = true
      },
    }
  }
  pool = startPool(spawn, size, onProgress, limit)
  return { pool, fakes }
}

/** A pool of one worker, which reports what it is told to. */
function toldPool() {
  const fakes: { ended: boolean }[] = []
  let report: (report: Report) => void = () => undefined
  const spawn: Spawn = (onReport) => {
    const fake = { ended: false }
    fakes.push(fake)
    report = onReport
    const end = (): void => {
      fake.ended = true
    }
    return { post: () => undefined, hold: () => undefined, end }
  }
  pool = startPool(spawn, 1, undefined, -1)
  return { fakes, report: (one: Report) => report(one) }
}

const jobs = ({ orders }: Fake): string[] =>
  orders.flatMap((order) => ('job' in order ? [order.job.kind] : []))

const client = (): Client => clientOf(devnet, [honest(devnet)]).client

const NONE = new Uint8Array(0)
const calls: Job = { kind: 'calls', chain: NONE, forks: NONE, request: NONE }

const turn = (ms = 0): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

describe('a pool', () => {
  test('default: workers verify, and the answers are the same', async () => {
    const { fakes } = fakePool(2)
    const one = client()
    expect(proven(await getBalance(one, wallet))).toBe(devnet.head.balance)
    expect(fakes.map(jobs)).toEqual([['headers', 'encode', 'verify']])
    expect(fakes[0]?.busy).toBe(false)
  })

  test('behavior: with a checkpoint, the first action starts one worker before a node has answered', async () => {
    const { fakes } = fakePool(2)
    const answers = new Promise<Response>(() => undefined)
    const abort = new AbortController()
    const asked = { nodes: ['http://n1'], fetch: () => answers }
    const beacons = ['http://b1']
    const pinned = getBalance(clientOf(devnet, [], asked).client, wallet)
    pinned.catch(() => undefined)
    await turn(20)
    expect(fakes).toEqual([])
    const silent = createClient({ chain: mainnet, anchor: { checkpoint: HASH }, beacons, ...asked })
    const options = { ...wallet, signal: abort.signal }
    const waiting = [getBalance(silent, options), getBalance(silent, options)]
    await turn(20)
    expect(fakes.map(({ orders, busy }) => ({ orders, busy }))).toEqual([
      { orders: [], busy: false },
    ])
    abort.abort(new Error('left'))
    for (const promise of waiting) await expect(promise).rejects.toThrow('left')
  })

  test('behavior: what is done sooner than posted is done here, by no worker', async () => {
    const { fakes, pool: first } = fakePool(1)
    await getBalance(client(), wallet)
    const orders = fakes.flatMap(({ orders }) => orders)
    const made = orders.flatMap((order) => ('job' in order ? [order.job] : []))
    first.close()
    const { fakes: real } = fakePool(1, { isMute: true, limit: undefined })
    for (const job of made) expect(await employed()(job)).toHaveProperty('value')
    expect(made.map(({ kind }) => kind)).toEqual(['headers', 'encode', 'verify'])
    expect(real).toEqual([])
    const [headers, , verify] = made
    if (headers?.kind !== 'headers' || verify?.kind !== 'verify') throw new Error('other jobs')
    const long = 'x'.repeat(65_536)
    const many = Array.from({ length: 65_536 }, () => 0)
    const deep = JSON.parse('['.repeat(70_000) + ']'.repeat(70_000))
    const posted: Job[] = [
      { ...headers, rlps: new Uint8Array(65_537) },
      { ...verify, claims: new Uint8Array(65_537) },
      { ...verify, module: 'bn254' },
      { kind: 'encode', answers: { receipts: long } },
      { kind: 'encode', answers: { receipts: many } },
      { kind: 'encode', answers: { receipts: deep } },
    ]
    for (const job of posted) employed()(job).catch(() => undefined)
    await turn()
    expect(pool?.progress).toEqual({ queued: posted.length - 1, running: 1, done: 0 })
  })

  test('behavior: a refusal is the same, with its evidence', async () => {
    fakePool(1)
    const lied = honest(devnet, {
      eth_getProof: (address: string, slots: readonly string[]) => ({
        ...proofJson(devnet.head, address, slots),
        nonce: '0x7',
      }),
    })
    const result = await getBalance(clientOf(devnet, [lied]).client, wallet)
    expect(result).toMatchObject({ status: 'invalid', error: { code: 'verify.claim' } })
    const file = result.status === 'invalid' ? result.evidence[0] : undefined
    const checked = await verifyProofFile(file, { anchor: { block: devnet.head.hash } })
    expect(checked).toMatchObject({ status: 'invalid', error: { code: 'verify.claim' } })
  })

  test('behavior: many jobs go to all workers, and progress is told', async () => {
    const told: WorkProgress[] = []
    const { fakes, pool } = fakePool(3, { onProgress: (progress) => told.push(progress) })
    const clients = Array.from({ length: 12 }, client)
    const results = await Promise.all(clients.map((one) => getBlock(one, { block: 3 })))
    expect(results.every(({ status }) => status === 'present')).toBe(true)
    expect(fakes).toHaveLength(3)
    expect(fakes.every((fake) => jobs(fake).length > 1)).toBe(true)
    expect(Math.max(...told.map(({ queued }) => queued))).toBeGreaterThan(5)
    expect(pool.progress).toMatchObject({ queued: 0, running: 0 })
    expect(pool.progress.done).toBe(fakes.flatMap(jobs).length)
  })

  test('behavior: who leaves is not waited for, and what was queued is dropped', async () => {
    const { fakes, pool } = fakePool(1, { isMute: true })
    const abort = new AbortController()
    const options = { ...wallet, signal: abort.signal }
    const waiting = [client(), client()].map((one) => getBalance(one, options))
    await turn(20)
    expect(pool.progress).toEqual({ queued: 1, running: 1, done: 0 })
    abort.abort(new Error('left'))
    for (const promise of waiting) await expect(promise).rejects.toThrow('left')
    expect(fakes).toHaveLength(1)
  })

  test('behavior: calls that go on unheard end with their worker, and the next job gets another', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const { fakes, pool } = fakePool(1, { isMute: true })
      // As often as is wanted: these are no faults of the worker.
      for (let lives = 1; lives <= 5; lives++) {
        const abort = new AbortController()
        const dropped = employed()(calls, abort.signal)
        abort.abort(new Error('left'))
        await expect(dropped).rejects.toThrow('left')
        expect(fakes).toHaveLength(lives)
        vi.advanceTimersByTime(999)
        expect(fakes.at(-1)?.ended).toBe(false)
        vi.advanceTimersByTime(1)
        expect(fakes.at(-1)?.ended).toBe(true)
        expect(pool.progress).toEqual({ queued: 0, running: 0, done: 0 })
      }
    } finally {
      vi.useRealTimers()
    }
  })

  test('behavior: other jobs, and calls that end in time, leave their worker as it is', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const { fakes, report } = toldPool()
      for (const job of [calls, { ...calls, kind: 'recover', inputs: [] } as const]) {
        const abort = new AbortController()
        const dropped = employed()(job, abort.signal)
        abort.abort(new Error('left'))
        await expect(dropped).rejects.toThrow('left')
        if (job.kind === 'calls') report({ id: 1, done: { value: '' } })
        vi.advanceTimersByTime(5_000)
        expect(fakes.map(({ ended }) => ended)).toEqual([false])
      }
    } finally {
      vi.useRealTimers()
    }
  })

  test('behavior: what a dead worker had to do is done here', async () => {
    const { fakes } = fakePool(1, { isMute: true })
    const answer = getBalance(client(), wallet)
    await turn(20)
    fakes[0]?.die(new Error('out of memory'))
    expect(proven(await answer)).toBe(devnet.head.balance)
    expect(proven(await getBalance(client(), wallet))).toBe(devnet.head.balance)
  })

  test('behavior: a worker that ran is started again, three times at most; one that never ran is not', async () => {
    const { fakes } = fakePool(1)
    for (let lives = 1; lives <= 4; lives++) {
      expect(proven(await getBalance(client(), wallet))).toBe(devnet.head.balance)
      expect(fakes).toHaveLength(Math.min(lives, 3))
      fakes.at(-1)?.die(new Error('out of memory'))
    }
    const { fakes: mute } = fakePool(1, { isMute: true })
    for (let lives = 1; lives <= 2; lives++) {
      const answer = getBalance(client(), wallet)
      await turn(20)
      mute[0]?.die(new Error('not found'))
      expect(proven(await answer)).toBe(devnet.head.balance)
    }
    expect(mute).toHaveLength(1)
  })

  test('behavior: something else in place of the worker is given up', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      fakePool(1, { isMute: true })
      const answer = getBalance(client(), wallet)
      await vi.waitFor(() => expect(pool?.progress.running).toBe(1))
      vi.advanceTimersByTime(10_000)
      expect(proven(await answer)).toBe(devnet.head.balance)
    } finally {
      vi.useRealTimers()
    }
  })

  test('behavior: by default the first job starts workers, unless the caller did or nothing can', async () => {
    const starts: string[] = []
    const startWorkers = (): Workers => {
      starts.push('default')
      return fakePool(1).pool
    }
    workByDefault(async () => ({ startWorkers }))
    expect(starts).toEqual([])
    await Promise.all([client(), client()].map((one) => getBalance(one, wallet)))
    expect(starts).toEqual(['default'])
    expect(pool?.progress.done).toBeGreaterThan(0)
    workByDefault(async () => ({ startWorkers }))
    const { fakes } = fakePool(1)
    proven(await getBalance(client(), wallet))
    expect([starts, fakes.length]).toEqual([['default'], 1])
    workByDefault(() => Promise.reject(new Error('404')))
    expect(proven(await getBalance(client(), wallet))).toBe(devnet.head.balance)
  })

  test('behavior: closed, it verifies here again', async () => {
    const { fakes, pool } = fakePool(2)
    proven(await getBalance(client(), wallet))
    pool.close()
    expect(fakes[0]?.ended).toBe(true)
    const before = fakes.flatMap(jobs).length
    expect(proven(await getBalance(client(), wallet))).toBe(devnet.head.balance)
    expect(fakes.flatMap(jobs)).toHaveLength(before)
  })

  test('behavior: a worker whose module trapped is ended, and what it had to do is done here', async () => {
    const ended: boolean[] = []
    const spawn: Spawn = (onReport) => {
      const at = ended.push(false) - 1
      const trap = 'the verifier stopped: Out of bounds'
      return {
        post: (order) => {
          if ('id' in order) setTimeout(() => onReport({ id: order.id, error: trap, isTrap: true }))
        },
        hold: () => undefined,
        end: () => {
          ended[at] = true
        },
      }
    }
    pool = startPool(spawn, 1, undefined, -1)
    expect(proven(await getBalance(client(), wallet))).toBe(devnet.head.balance)
    expect(ended.length).toBeGreaterThan(0)
    expect(ended).not.toContain(false)
  })

  test('behavior: who refuses what is true is asked once more, and no node is blamed', async () => {
    const rejected = { status: 'rejected', kind: 'verify', code: 'verify.claim', message: 'no' }
    const refused = { verify: [rejected], headers: rejected }
    const wrong = new Set<string>()
    const asked: string[] = []
    employ(async (job) => {
      asked.push(job.kind)
      if ((job.kind !== 'verify' && job.kind !== 'headers') || wrong.has(job.kind))
        return doJob(job)
      wrong.add(job.kind)
      // Whatever its layout.
      return { value: JSON.stringify(refused[job.kind], null, 1) }
    })
    const onBadProof = vi.fn()
    const { client } = clientOf(devnet, [honest(devnet)], { onBadProof })
    expect(proven(await getBalance(client, wallet))).toBe(devnet.head.balance)
    expect([...wrong].sort()).toEqual(['headers', 'verify'])
    expect(asked.filter((kind) => kind === 'verify')).toHaveLength(2)
    expect(onBadProof).not.toHaveBeenCalled()
  })

  test('error: a fault in a worker is told', async () => {
    const reports: Report[] = []
    const serve = serveJobs((report) => reports.push(report))
    const bytes = new Uint8Array(0)
    const wanted = { key: 'none', module: 'hash', verifier: 'NoVerifier' } as const
    const place = { ...wanted, chain: bytes, config: bytes }
    serve({ id: 1, job: { kind: 'prepare', ...place, params: bytes } })
    await vi.waitFor(() => expect(reports).not.toEqual([]), { timeout: 20_000 })
    const error = expect.stringContaining('PlatformError')
    expect(reports).toMatchObject([{ id: 1, error, isTrap: false }])
  })
})

test.each<[string, object]>([
  ['size', { size: 17 }],
  ['onProgress', { onProgress: 1 }],
  ['workers', { workers: 2 }],
])('error: a wrong %s', (argument, options) => {
  for (const start of [startNode, startWeb]) {
    expect(() => start(options as never)).toThrow(expect.objectContaining({ argument }))
  }
})
