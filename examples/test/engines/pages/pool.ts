/**
 * Vectors of `verkle`, whose checks take too long for a page's own thread, through its workers:
 * those that start by themselves, then some that the page watches, leaves and loses.
 */

import { defineChain, PlatformError, verifyProofFile } from 'lightproof'
import { verkle } from 'lightproof/verkle'
import {
  startWorkers,
  type WorkerOptions,
  type Workers,
  type WorkProgress,
} from 'lightproof/workers'
import { type Calls, calls } from './probe.js'
import { publish } from './publish.js'
import type { Report } from './run.js'

/** Part of test-vectors/verkle.json: one group. */
export interface PoolFile {
  readonly chain: { readonly kind: string; readonly chainId: number; readonly genesisHash: string }
  readonly config: { readonly format: string }
  readonly tests: readonly {
    readonly id: number
    readonly source: { readonly root: { readonly number: string; readonly bytes: string } }
    readonly expected:
      | { readonly result: 'valid'; readonly fact: { readonly values: unknown } }
      | { readonly result: 'invalid'; readonly code: string }
  }[]
}

/** What became of vectors. */
interface Outcome {
  readonly proven: number
  readonly rejected: number
  readonly failures: readonly unknown[]
}

/** How it went. */
export interface PoolReport {
  /** Without being told to; `calls` are those of the page's own thread. */
  readonly byDefault: Outcome & { readonly calls: Calls; readonly fault?: Report['fault'] }
  /** With a pool of the page's making: how many workers started, and what it told. */
  readonly own: Outcome & { readonly started: number; readonly told: WorkProgress }
  /** Workers that died in the middle. */
  readonly lost: Outcome & { readonly started: number }
}

publish(run())

async function run(): Promise<PoolReport> {
  const file = JSON.parse(document.getElementById('vectors')?.textContent ?? '') as PoolFile
  try {
    const byDefault = { ...(await check(file)), calls: { ...calls } }
    return { byDefault, own: await own(file), lost: await lost(file) }
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    const { name, code, message } = error
    const none = { proven: 0, rejected: 0, failures: [], started: 0, calls }
    const told = { queued: 0, running: 0, done: 0 }
    return {
      byDefault: { ...none, fault: { name, code, message } },
      own: { ...none, told },
      lost: none,
    }
  }
}

/** Checks every vector: an exact fact or an exact code each. */
async function check({ chain: of, config, tests }: PoolFile): Promise<Outcome> {
  const { kind, chainId, genesisHash } = of
  const chain = defineChain({
    name: 'vectors',
    kind,
    chainId,
    genesisHash,
    systems: { verkle: config },
  } as never)
  const found = { proven: 0, rejected: 0, failures: [] as unknown[] }
  for (const { expected, ...rest } of tests) {
    const file = { schema: 1, kind: 'proof', chain: of, system: 'verkle', config, ...rest }
    const { number, bytes } = rest.source.root
    const anchor = { root: bytes, system: 'verkle' as const, number: Number(number) }
    const result = await verifyProofFile(file, { anchor, chain, systems: [verkle] })
    const isProven = result.status !== 'invalid'
    const got = isProven ? JSON.stringify(result.value) : result.error.code
    const wanted =
      expected.result === 'valid' ? JSON.stringify(expected.fact.values) : expected.code
    found[isProven ? 'proven' : 'rejected']++
    if (got !== wanted) found.failures.push({ id: rest.id, wanted, got })
  }
  return found
}

/** At once, each a question at a time: so many wait for two workers. */
const RUNS = 8
/** Vectors in such a run. */
const SOME = 12

/** The tests' types are those of Node.js. */
const start = startWorkers as (
  options: WorkerOptions & { readonly create: () => Worker },
) => Workers

function makeWorker(): Worker {
  return new Worker(new URL('../workers/web.js', import.meta.url), { type: 'module' })
}

async function own(file: PoolFile): Promise<PoolReport['own']> {
  let started = 0
  let most = 0
  const create = (): Worker => {
    started++
    return makeWorker()
  }
  const onProgress = ({ queued }: WorkProgress): void => {
    most = Math.max(most, queued)
  }
  const workers = start({ size: 2, create, onProgress })
  const some = { ...file, tests: file.tests.slice(0, SOME) }
  const reports = await Promise.all(Array.from({ length: RUNS }, () => check(some)))
  const told = { ...workers.progress, queued: most }
  workers.close()
  return {
    proven: reports.reduce((total, { proven }) => total + proven, 0),
    rejected: reports.reduce((total, { rejected }) => total + rejected, 0),
    failures: reports.flatMap(({ failures }) => failures),
    started,
    told,
  }
}

/** Each worker ends as one does that ran out of memory: with an error. */
async function lost(file: PoolFile): Promise<PoolReport['lost']> {
  let started = 0
  const create = (): Worker => {
    started++
    const worker = makeWorker()
    let orders = 0
    const { postMessage } = worker
    worker.postMessage = (...args: unknown[]) => {
      if (++orders === 20) {
        worker.dispatchEvent(new ErrorEvent('error', { message: 'out of memory' }))
      } else Reflect.apply(postMessage, worker, args)
    }
    return worker
  }
  const workers = start({ size: 1, create })
  const found = await check(file)
  workers.close()
  return { ...found, started }
}
