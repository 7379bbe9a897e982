/** The one function behind all proofs: locate the block, ask for the proof, check it. */

import type { Client } from '../client/client.js'
import type { Hash } from '../encoding/input.js'
import { ProofError, UnavailableError } from '../result/errors.js'
import type { Invalid, Tried, Unavailable } from '../result/result.js'
import type { Ask, Keeping, ProofSystem, SystemTypes } from '../systems/system.js'
import { loadHash } from '../wasm/module.js'
import { loadPart } from '../wasm/part.js'
import { askAhead } from './ahead.js'
import type { BlockTarget } from './at.js'
import { CACHE, failover, type Success } from './failover.js'
import { isNodeError } from './failures.js'
import type { Located } from './line.js'
import { type Asked, check, fileOf, type Proof, proveBlock } from './proveBlock.js'
import type { Session } from './session.js'
import { configOf, setUp } from './setup.js'
import { hashWithoutHeader, locate, recallBlock } from './walk.js'

/** A query and its block. */
export interface Inquiry extends Asked {
  readonly at: BlockTarget
  readonly signal: AbortSignal | undefined
}

/** What a proof came to. */
export type Proving<T extends SystemTypes> = Success<Proof<T['fact']>> | Invalid | Unavailable

/**
 * Asks the client's nodes until one proves it.
 *
 * @throws InputError `input.chain` if the chain does not commit to the system.
 */
export async function prove<T extends SystemTypes>(
  client: Client,
  system: ProofSystem<T>,
  inquiry: Inquiry,
): Promise<Proving<T>> {
  const config = configOf(client.chain, system)
  return askOfBlock(
    client,
    inquiry,
    (session, located) => proveBlock(session, system, config, located, inquiry),
    () => recall(client, system, inquiry),
  )
}

/**
 * Asks the client's nodes about a block until one proves what the attempt is after.
 *
 * @param recall - what may be known without the nodes.
 */
export async function askOfBlock<V extends Located>(
  client: Client,
  { at, signal, ask }: Pick<Inquiry, 'at' | 'signal'> & Partial<Asked>,
  prove: (session: Session, located: Located) => Promise<V>,
  recall: () => Promise<V | undefined>,
): Promise<Success<V> | Invalid | Unavailable> {
  let asked: Hash | undefined
  const attempt = async (plain: Session): Promise<V> => {
    const session = await askAhead(plain, hashWithoutHeader(client.lines, at), ask)
    // Workers are given what is compiled here: they need not fetch it, too.
    await loadHash()
    const located = await locate(session, at)
    asked = located.header.hash
    return prove(session, located)
  }
  const ends = Date.now() + client.deadlineMs
  const first = await failover(client, at, signal, attempt, { ends, recall })
  if (!(await isOvertaken(client, { at, signal }, first, asked))) return first
  const second = await failover(client, at, signal, attempt, { ends, again: false })
  if (second.status === 'invalid') return second
  return { ...second, tried: [...triedIn(first), ...second.tried] }
}

/** What a node says of where the answer is, and what must hold of the answer then. */
export interface Found<F> {
  readonly at: BlockTarget
  readonly ask: Ask
  /**
   * Called with what was proven there.
   *
   * @throws ProofError if the node sent the client to the wrong place.
   */
  readonly accept: (fact: F) => void
}

/**
 * Asks the client's nodes where the answer is, until one of them proves it there.
 *
 * @param find - asks a node; what it says is untrusted.
 * @throws InputError `input.chain` if the chain does not commit to the system.
 */
export async function proveFound<T extends SystemTypes>(
  client: Client,
  system: ProofSystem<T>,
  find: (session: Session) => Promise<Found<T['fact']>>,
  signal: AbortSignal | undefined,
): Promise<Proving<T>> {
  const config = configOf(client.chain, system)
  // The answer may be in the newest block.
  const newest: BlockTarget = client.light ? { by: 'tag', tag: 'head' } : { by: 'default' }
  return failover(
    client,
    newest,
    signal,
    async (session) => {
      const { at, ask, accept } = await find(session)
      const located = await locate(session, at).catch((error: unknown) => {
        throw elsewhere(session, error)
      })
      const proof = await proveBlock(session, system, config, located, { ask })
      accept(proof.fact)
      return proof
    },
    { again: false },
  )
}

/** A block that one node names and nobody vouches for says nothing of what the next node names. */
function elsewhere({ node }: Session, error: unknown): unknown {
  const isOfBlock = error instanceof UnavailableError && /^(untrusted|walk)$/.test(error.code)
  return isOfBlock ? new UnavailableError('block', `${node.name}: ${error.message}`) : error
}

const triedIn = (outcome: Success<unknown> | Invalid | Unavailable): readonly Tried[] =>
  outcome.status === 'invalid' ? [] : outcome.tried

/**
 * Did the block that was taken by default leave the nodes' windows, and is a newer one final by
 * now?
 */
async function isOvertaken(
  client: Client,
  { at, signal }: Pick<Inquiry, 'at' | 'signal'>,
  outcome: Success<unknown> | Invalid | Unavailable,
  asked: Hash | undefined,
): Promise<boolean> {
  const { light, lines } = client
  if (light === undefined || at.by !== 'default') return false
  if (outcome.status !== 'unavailable' || outcome.error.code !== 'window') return false
  // One question, one repetition.
  if (outcome.tried.length > client.nodes.length) return false
  const { syncLines } = await loadPart(() => import('../light/prepare.js'))
  await syncLines(client, light, signal, undefined)
  return lines[0] !== undefined && lines[0].hash !== asked
}

/** The proof that what was kept comes to, if all of it was. */
async function recall<T extends SystemTypes>(
  client: Client,
  system: ProofSystem<T>,
  { ask, at, signal }: Inquiry,
): Promise<Proof<T['fact']> | undefined> {
  const { cache } = client
  const located = recallBlock(client.lines, at)
  if (located === undefined || cache === undefined) return undefined
  const { header } = located
  const root = header.commitments[system.name]
  let kept: Keeping | undefined
  try {
    const question = ask(header)
    kept = question.kept
    const proof = root && (await kept?.recall(cache, root))
    if (proof === undefined) return undefined
    const setup = await setUp(client.chain, system, configOf(client.chain, system))
    const reply = { variant: system.variants[0], proof }
    const file = fileOf({ client, node: { name: CACHE } }, setup, located, question.query, reply)
    return await check(setup, located, question, reply, file, signal)
  } catch (error) {
    if (!isNodeError(error)) throw error
    // What does not hold is nobody's fault, and what cannot be answered is said where nodes are
    // asked.
    if (error instanceof ProofError) await kept?.forget(cache)
    return undefined
  }
}
