/**
 * Ask node after node: any proven answer wins; else a bad proof gives invalid; else unavailable.
 * Where one takes its time, the next one is asked as well.
 */

import type { Client } from '../client/client.js'
import { UnavailableError } from '../result/errors.js'
import type { ProofFile } from '../result/file.js'
import type { Invalid, Tried, Unavailable } from '../result/result.js'
import { abortable, within } from '../transport/abortable.js'
import { noteFailure, noteServed, ranked } from '../transport/health.js'
import { pause } from '../transport/pause.js'
import type { Node } from '../transport/rpc.js'
import { loadPart } from '../wasm/part.js'
import type { BlockTarget } from './at.js'
import { codeOf, Failures, isNodeError, type NodeError } from './failures.js'
import type { Located } from './line.js'
import { firstOf, outOfTime, outrun } from './race.js'
import type { Session } from './session.js'

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
  readonly evidence: ProofFile[]
  /** Never rejects. */
  readonly end: Promise<
    { readonly runner: Runner<T> } & ({ readonly value: T } | { error: unknown })
  >
}

/** What else an action says of its question. */
interface Terms<T> {
  /**
   * When it is given up, in milliseconds since 1970. Default: the client's deadline from now on.
   */
  readonly ends?: number
  /** What may be known without the nodes; the cache's. */
  readonly recall?: () => Promise<T | undefined>
  /** May a node that does not know the block be asked once more? Default true. */
  readonly again?: boolean
}

/** Milliseconds in which a node that is behind others of its chain may catch up. */
const CATCH_UP_MS = 250

/**
 * Runs the attempt at the nodes, the best first. Where the chain follows another, what is proven is
 * compared with that one: every answer comes through here.
 *
 * @param at - the block in question: whether it is too old is known before a node is asked.
 * @throws the signal's reason, InputError, PlatformError: no other node could do better.
 */
export async function failover<T extends Located>(
  client: Client,
  at: BlockTarget,
  signal: AbortSignal | undefined,
  attempt: Attempt<T>,
  terms?: Terms<T>,
): Promise<Success<T> | Invalid | Unavailable> {
  const found = await askNodes(client, at, signal, attempt, terms)
  const { follows } = client
  return follows && found.status === 'proven' ? follows.compare(client, found, signal) : found
}

async function askNodes<T>(
  client: Client,
  at: BlockTarget,
  signal: AbortSignal | undefined,
  attempt: Attempt<T>,
  { ends = Date.now() + client.deadlineMs, recall, again = true }: Terms<T> = {},
): Promise<Success<T> | Invalid | Unavailable> {
  signal?.throwIfAborted()
  let late = undefined as UnavailableError | undefined
  const expire = (): UnavailableError => {
    const problem = `no proof within ${client.deadlineMs} ms: ask again or raise deadlineMs`
    late = new UnavailableError('deadline', problem)
    return late
  }
  return within(Math.max(0, ends - Date.now()), signal, expire, async (inner) => {
    const race = raceOf(client, inner, attempt, again)
    try {
      const refusal = await prepare(client, at, inner)
      if (refusal !== undefined) return refusal
      const value = recall && (await abortable(recall(), inner))
      if (value !== undefined) return { status: 'proven', value, servedBy: CACHE, tried: [] }
      return await race.run()
    } catch (error) {
      if (!late || error !== late) throw error
      return race.giveUp(late)
    }
  })
}

/** Nodes that are asked one after another, each a while after the one before. */
interface Race<T> {
  readonly run: () => Promise<Success<T> | Invalid | Unavailable>
  /** What it came to, where the time is up. */
  readonly giveUp: (late: UnavailableError) => Invalid | Unavailable
}

function raceOf<T>(
  client: Client,
  signal: AbortSignal,
  attempt: Attempt<T>,
  mayRepeat: boolean,
): Race<T> {
  const failures = new Failures()
  const evidence: ProofFile[] = []
  const waiting = ranked(client.nodes)
  const running: Runner<T>[] = []
  let repeated: Node | undefined
  const fail = (node: Node, error: NodeError, file?: ProofFile): void =>
    noteFailure(node, failures.add(error, node.name), file, client.onBadProof)
  const start = (): void => {
    const node = waiting.shift()
    if (node === undefined) return
    const begin = node === repeated ? pause(CATCH_UP_MS, signal) : Promise.resolve()
    const files: ProofFile[] = []
    const runner: Runner<T> = {
      node,
      evidence: files,
      end: begin
        .then(() => attempt({ client, node, signal, evidence: files }))
        .then(
          (value) => ({ runner, value }),
          (error: unknown) => ({ runner, error }),
        ),
    }
    running.push(runner)
  }
  return {
    async run() {
      start()
      while (running.length > 0) {
        const ends = running.map(({ end }) => end)
        const first = firstOf(ends, waiting.length > 0 ? client.hedgeMs : undefined)
        // What a node or a worker is at may take its time to end.
        const ended = await abortable(first, signal)
        signal.throwIfAborted()
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
          const { tried } = failures
          return { status: 'proven', value: ended.value, servedBy: node.name, tried }
        }
        const { error } = ended
        if (!isNodeError(error)) throw error
        fail(node, error, files[0])
        for (const file of files) evidence.push(file)
        // What follows from verified headers is the same at every node.
        if (error.code === 'untrusted' || error.code === 'walk') break
        // One URL may stand for machines with different heads: after the other nodes it is asked
        // about the same block once more. One that proved another block has its own.
        if (mayRepeat && !repeated && codeOf(error) === 'block' && !error.cause) {
          repeated = node
          waiting.push(node)
        }
        start()
      }
      return failures.outcome(evidence)
    },
    giveUp(late) {
      for (const { node } of running) fail(node, outOfTime(node, 'took too long'))
      failures.errors.push(late)
      return failures.outcome(evidence)
    },
  }
}

async function prepare(
  client: Client,
  at: BlockTarget,
  signal: AbortSignal | undefined,
): Promise<Invalid | Unavailable | undefined> {
  const { light } = client
  if (light === undefined) return client.renew?.(client, at, signal)
  const part = await loadPart(() => import('../light/prepare.js'))
  return part.prepare(client, light, at, signal)
}
