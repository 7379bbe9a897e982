/**
 * A page that imports the script of workers by mistake, beside a frame that gives orders to whoever
 * listens: a module of its own to verify by, and a job.
 */

import './probe.js'
import { verifyProofFile } from 'lightproof'
import { startWorkers } from 'lightproof/workers'
import { embeddedVectors, publish } from './publish.js'
import { type Report, runVectors } from './run.js'

/** What came of it. */
export interface WindowReport {
  /** Kinds of the events that the script listened for. */
  readonly listens: readonly string[]
  /** Messages that reached the window and were no orders. */
  readonly answers: readonly unknown[]
  readonly verified: Report
}

const ORDERS = [
  { wasm: { mpt: new Uint8Array(8) } },
  { id: 1, job: { kind: 'prepare', module: 'mpt' } },
]

publish(run())

async function run(): Promise<WindowReport> {
  const listens = await listensOf(() => import('lightproof/worker'))
  const answers: unknown[] = []
  const ordered = new Promise<void>((resolve) => {
    let orders = 0
    addEventListener('message', ({ data }: MessageEvent<Record<string, unknown>>) => {
      if (!('wasm' in data || 'job' in data)) answers.push(data)
      else if (++orders === ORDERS.length) resolve()
    })
  })
  const frame = document.createElement('iframe')
  document.body.append(frame)
  for (const order of ORDERS) post(frame, order)
  await ordered
  // On this thread, with the module that the page itself chose; an answer to the job would be here
  // by then.
  startWorkers({ size: 0 })
  const verified = await runVectors(embeddedVectors(), verifyProofFile)
  return { listens, answers, verified }
}

/** A message of the frame's own. */
function post(frame: HTMLIFrameElement, order: object): void {
  const inner = frame.contentWindow as (Window & { readonly Function: FunctionConstructor }) | null
  inner?.Function('order', "parent.postMessage(order, '*')")(order)
}

/** What is listened for while a script is loaded. */
async function listensOf(load: () => Promise<unknown>): Promise<readonly string[]> {
  const kinds: string[] = []
  const { addEventListener: listen } = window
  window.addEventListener = (kind: string, listener: EventListenerOrEventListenerObject) => {
    kinds.push(kind)
    listen.call(window, kind, listener)
  }
  await load()
  window.addEventListener = listen
  return kinds
}
