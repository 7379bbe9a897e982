/**
 * Vectors through a page's workers: those that start by themselves, then some that the page
 * watches, leaves and loses.
 */

import { verifyProofFile } from 'lightproof'
import {
  startWorkers,
  type WorkerOptions,
  type Workers,
  type WorkProgress,
} from 'lightproof/workers'
import { calls } from './probe.js'
import { embeddedVectors, publish } from './publish.js'
import { type Report, runVectors, type VectorFile } from './run.js'

/** How it went. */
export interface PoolReport {
  /** Without being told to; `calls` are those of the page's own thread. */
  readonly byDefault: Report
  /** With a pool of the page's making: how many workers started, and what it told. */
  readonly own: Omit<Report, 'calls'> & { readonly started: number; readonly told: WorkProgress }
  /** Workers that died in the middle. */
  readonly lost: Omit<Report, 'calls'> & { readonly started: number }
}

publish(run())

async function run(): Promise<PoolReport> {
  const vectors = embeddedVectors()
  const byDefault = { ...(await runVectors(vectors, verifyProofFile)), calls: { ...calls } }
  if (byDefault.fault !== undefined) {
    const none = { ...byDefault, started: 0, told: { queued: 0, running: 0, done: 0 } }
    return { byDefault, own: none, lost: none }
  }
  return { byDefault, own: await own(vectors), lost: await lost(vectors) }
}

/** At once, each a question at a time: so many wait for two workers. */
const RUNS = 8
/** Vectors of each group in such a run. */
const SOME = 12

/** The tests' types are those of Node.js. */
const start = startWorkers as (
  options: WorkerOptions & { readonly create: () => Worker },
) => Workers

function makeWorker(): Worker {
  return new Worker(new URL('../workers/web.js', import.meta.url), { type: 'module' })
}

async function own(vectors: VectorFile): Promise<PoolReport['own']> {
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
  const groups = vectors.groups.map((group) => ({ ...group, tests: group.tests.slice(0, SOME) }))
  const { proven, rejected, failures } = await sum(
    Array.from({ length: RUNS }, () => runVectors({ ...vectors, groups }, verifyProofFile)),
  )
  const told = { ...workers.progress, queued: most }
  workers.close()
  return { proven, rejected, failures, started, told }
}

/** Each worker ends as one does that ran out of memory: with an error. */
async function lost(vectors: VectorFile): Promise<PoolReport['lost']> {
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
  const { proven, rejected, failures } = await runVectors(vectors, verifyProofFile)
  workers.close()
  return { proven, rejected, failures, started }
}

async function sum(runs: readonly Promise<Report>[]): Promise<Omit<Report, 'calls'>> {
  const reports = await Promise.all(runs)
  return {
    proven: reports.reduce((total, { proven }) => total + proven, 0),
    rejected: reports.reduce((total, { rejected }) => total + rejected, 0),
    failures: reports.flatMap(({ failures }) => failures),
  }
}
