/**
 * Ask node after node: any proven answer wins; else a bad proof gives invalid; else unavailable. Where one takes its time, the
 * next one is asked as well.
 */

import type { Client } from '../client.js'
import { TransportError } from '../errors.js'
import type { ProofFile } from '../file.js'
import type { Invalid, Tried, Unavailable } from '../result.js'
import { abortable } from '../transport/abortable.js'
import { noteFailure, noteServed, ranked } from '../transport/health.js'
import type { Node } from '../transport/rpc.js'
import { loadPart } from '../wasm/part.js'
import { Failures, isNodeError } from './failures.js'
import type { Session } from './nodes.js'

/** Who serves what was kept. */
export const CACHE = 'cache'

/** What one node proved, and which ones did not. */
export interface Success<T> {
  readonly status: 'proven'
  readonly value: T
  readonly servedBy: string
  readonly tried: readonly Tried[]
}

/** Asks one node; puts its bad proof into the session's evidence before it throws. */
export type Attempt<T> = (session: Session) => Promise<T>

/** An attempt at one node, under way. */
interface Runner<T> {
  readonly node: Node
  readonly abort: AbortController
  readonly evidence: ProofFile[]
  /** Never rejects. */
  readonly end: Promise<
    { readonly runner: Runner<T> } & ({ readonly value: T } | { error: unknown })
  >
}

/**
 * Runs the attempt at the nodes, the best first.
 *
 * @param recall - what may be known without them; the cache's.
 * @throws the signal's reason, InputError, PlatformError: no other node could do better.
 */
export async function failover<T>(
  client: Client,
  signal: AbortSignal | undefined,
  attempt: Attempt<T>,
  recall?: () => Promise<T | undefined>,
): Promise<Success<T> | Invalid | Unavailable> {
  const failures = new Failures()
  const evidence: ProofFile[] = []
  const refusal = await prepare(client, signal)
  if (refusal !== undefined) return refusal
  const value = recall && (await abortable(recall(), signal))
  if (value !== undefined) return { status: 'proven', value, servedBy: CACHE, tried: [] }
  const waiting = ranked(client.nodes)
  const running: Runner<T>[] = []
  const start = (): void => {
    const node = waiting.shift()
    if (node !== undefined) running.push(run(client, node, attempt))
  }
  const fail = (node: Node, error: Parameters<Failures['add']>[0], file?: ProofFile): void =>
    noteFailure(node, failures.add(error, node.name), file, client.onBadProof)
  const stop = (): void => {
    for (const { abort } of running) abort.abort(signal?.reason)
  }
  signal?.addEventListener('abort', stop, { once: true })
  try {
    signal?.throwIfAborted()
    start()
    while (running.length > 0) {
      const first = firstOf(running, waiting.length > 0 ? client.hedgeMs : undefined)
      // What a node or a worker is at may take its time to end.
      const ended = await abortable(first, signal)
      signal?.throwIfAborted()
      if (ended === undefined) {
        start()
        continue
      }
      const { node, evidence: files } = ended.runner
      const place = running.indexOf(ended.runner)
      running.splice(place, 1)
      if ('value' in ended) {
        // Those that were asked before had their time.
        for (const { node: slow } of running.slice(0, place)) fail(slow, outrun(slow, node))
        noteServed(node)
        return { status: 'proven', value: ended.value, servedBy: node.name, tried: failures.tried }
      }
      const { error } = ended
      if (!isNodeError(error)) throw error
      fail(node, error, files[0])
      evidence.push(...files)
      // What follows from verified headers is the same at every node.
      if (error.code === 'untrusted' || error.code === 'walk') break
      start()
    }
    return failures.outcome(evidence)
  } finally {
    signal?.removeEventListener('abort', stop)
    stop()
  }
}

function run<T>(client: Client, node: Node, attempt: Attempt<T>): Runner<T> {
  const abort = new AbortController()
  const evidence: ProofFile[] = []
  const session = { client, node, signal: abort.signal, evidence }
  const runner: Runner<T> = {
    node,
    abort,
    evidence,
    end: Promise.resolve()
      .then(() => attempt(session))
      .then(
        (value) => ({ runner, value }),
        (error: unknown) => ({ runner, error }),
      ),
  }
  return runner
}

/** The first to end; undefined if none does in time. */
async function firstOf<T>(
  running: readonly Runner<T>[],
  ms: number | undefined,
): Promise<Awaited<Runner<T>['end']> | undefined> {
  const ends = running.map(({ end }) => end)
  if (ms === undefined) return Promise.race(ends)
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined)
  })
  return Promise.race([...ends, late]).finally(() => clearTimeout(timer))
}

function outrun(slow: Node, node: Node): TransportError {
  const problem = `was outrun by ${node.name}`
  return new TransportError('transport.timeout', slow.name, problem)
}

async function prepare(
  client: Client,
  signal: AbortSignal | undefined,
): Promise<Invalid | Unavailable | undefined> {
  const { light } = client
  if (light === undefined) return undefined
  const part = await loadPart(() => import('../light/prepare.js'))
  return part.prepare(client, light, signal)
}
