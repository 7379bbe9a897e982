/** The one function behind all proofs: locate the block, ask for the proof, check it. */

import type { Client } from '../client/client.js'
import { bytesOf, toHex } from '../encoding/hex.js'
import type { Hash } from '../encoding/input.js'
import { asBytes, asRecord, malformed } from '../encoding/untrusted.js'
import { ProofError, UnavailableError } from '../result/errors.js'
import type { ProofFile } from '../result/file.js'
import type { Invalid, Tried, Unavailable } from '../result/result.js'
import type { Ask, Keeping, ProofSystem, Question, Reply, SystemTypes } from '../systems/system.js'
import { loadPart } from '../wasm/part.js'
import type { BlockTarget } from './at.js'
import { CACHE, failover, type Success } from './failover.js'
import { isNodeError } from './failures.js'
import type { Header } from './header.js'
import { type Located, lineage } from './line.js'
import { ask, checkOffer, deskOf, partFor } from './nodes.js'
import type { Session } from './session.js'
import { configOf, setUp } from './setup.js'
import type { Server } from './toFile.js'
import { type Setup, verifyClaim } from './verifier.js'
import { locate, recallBlock } from './walk.js'

/** What to prove, and of which block. */
export interface Inquiry {
  readonly ask: Ask
  readonly at: BlockTarget
  readonly signal: AbortSignal | undefined
  /** Is a proof of a part enough, where a node has not all keys? */
  readonly inParts?: boolean
}

/** A proven fact, and the bytes that prove it. */
export interface Proof<F> extends Located {
  readonly setup: Setup
  readonly query: Uint8Array
  readonly variant: string
  readonly fact: F
  /** Of a part: which of the keys that were asked for it is about. */
  readonly places: readonly number[] | undefined
  /** The proof as a file that others can check. */
  readonly file: () => Promise<ProofFile>
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
  { at, signal }: Pick<Inquiry, 'at' | 'signal'>,
  prove: (session: Session, located: Located) => Promise<V>,
  recall: () => Promise<V | undefined>,
): Promise<Success<V> | Invalid | Unavailable> {
  let asked: Hash | undefined
  const attempt = async (session: Session): Promise<V> => {
    const located = await locate(session, at)
    asked = located.header.hash
    return prove(session, located)
  }
  const ends = Date.now() + client.deadlineMs
  const first = await failover(client, at, signal, attempt, { ends, recall })
  if (!(await isOvertaken(client, { at, signal }, first, asked))) return first
  const second = await failover(client, at, signal, attempt, { ends })
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
  return failover(client, newest, signal, async (session) => {
    const { at, ask, accept } = await find(session)
    const located = await locate(session, at).catch((error: unknown) => {
      throw elsewhere(session, error)
    })
    const proof = await proveBlock(session, system, config, located, { ask })
    accept(proof.fact)
    return proof
  })
}

/** A block that one node names and nobody vouches for says nothing of what the next node names. */
function elsewhere({ node }: Session, error: unknown): unknown {
  const isOfBlock = error instanceof UnavailableError && /^(untrusted|walk)$/.test(error.code)
  return isOfBlock ? new UnavailableError('block', `${node.name}: ${error.message}`) : error
}

const triedIn = (outcome: Success<unknown> | Invalid | Unavailable): readonly Tried[] =>
  outcome.status === 'invalid' ? [] : outcome.tried

/** Did the block that was taken by default leave the nodes' windows, and is a newer one final by now? */
async function isOvertaken(
  client: Client,
  { at, signal }: Pick<Inquiry, 'at' | 'signal'>,
  outcome: Success<unknown> | Invalid | Unavailable,
  asked: Hash | undefined,
): Promise<boolean> {
  const { light, lines } = client
  if (light === undefined || at.by !== 'default') return false
  if (outcome.status !== 'unavailable' || outcome.error.code !== 'window') return false
  const { syncLines } = await loadPart(() => import('../light/prepare.js'))
  await syncLines(client, light, signal, undefined)
  return lines[0] !== undefined && lines[0].hash !== asked
}

/** One node's proof of what is asked of a block. */
export async function proveBlock<T extends SystemTypes>(
  session: Session,
  system: ProofSystem<T>,
  config: ReturnType<typeof configOf>,
  located: Located,
  { ask, inParts }: Pick<Inquiry, 'ask' | 'inParts'>,
): Promise<Proof<T['fact']>> {
  const { chain } = session.client
  const { header } = located
  const isImplied = chain.kind === 'ethereum' && system.ethereum !== undefined
  if (header.commitments[system.name] === undefined && !isImplied) {
    const problem = `block ${header.number} commits to no ${system.name}`
    throw new UnavailableError('unsupported', problem)
  }
  const setup = await setUp(chain, system, config, session)
  const whole = ask(header)
  const question = inParts ? await partFor(session, setup, whole) : whole
  return proveAt(session, setup, located, question)
}

async function proveAt<T extends SystemTypes>(
  session: Session,
  setup: Setup<T>,
  located: Located,
  question: Question,
  isSecond = false,
): Promise<Proof<T['fact']>> {
  const { header } = located
  const { query, kept, request } = question
  await checkOffer(session, { setup, block: header.number, question })
  const reply =
    request === undefined
      ? await requestProof(session, setup, header, query)
      : await request(deskOf(session), header)
  const file = fileOf(session, setup, located, query, reply)
  try {
    const proof = await check(setup, located, question, reply, file, session.signal)
    // Nobody waits for it, nor for its failure.
    const { cache } = session.client
    if (cache !== undefined) kept?.keep(cache, reply.proof).catch(() => undefined)
    return proof
  } catch (error) {
    if (!(error instanceof ProofError)) throw error
    const { mayHaveMistaken } = await loadPart(() => import('./mistaken.js'))
    const isOfAnother = error.code === 'verify.root' || error.code === 'verify.code'
    if (isOfAnother && (await mayHaveMistaken(session, header)) && !isSecond) {
      return proveAt(session, setup, located, question, true)
    }
    session.evidence.push(await file('evidence', { result: 'invalid', code: error.code }))
    throw error
  }
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
    // What does not hold is nobody's fault, and what cannot be answered is said where nodes are asked.
    if (error instanceof ProofError) await kept?.forget(cache)
    return undefined
  }
}

async function check<T extends SystemTypes>(
  setup: Setup<T>,
  located: Located,
  { query, places }: Question,
  reply: Reply,
  file: MakeFile,
  signal: AbortSignal | undefined,
): Promise<Proof<T['fact']>> {
  const { hash, rlp } = located.header
  // The hash was verified on the walk; the module hashes the header again, since it holds no trust.
  const source = { kind: 'header', hash: bytesOf(hash), rlps: [rlp] } as const
  const { fact } = await verifyClaim(setup, { source, query, ...reply }, signal)
  return {
    ...located,
    setup,
    query,
    variant: reply.variant,
    fact,
    places,
    // A fact is the JSON of what the core proved, an object in every system.
    file: () => file('proof', { result: 'valid', fact: fact as object }),
  }
}

type MakeFile = (kind: ProofFile['kind'], expected: ProofFile['expected']) => Promise<ProofFile>

function fileOf(
  server: Server,
  setup: Setup,
  located: Located,
  query: Uint8Array,
  reply: Reply,
): MakeFile {
  const contents = { setup, trusted: located.line.hash, query, ...reply }
  return async (kind, expected) => {
    const { toFile } = await loadPart(() => import('./toFile.js'))
    return toFile(server, { kind, expected, headers: lineage(located), ...contents })
  }
}

/** The proof's bytes from a node that speaks Lightproof's methods, untrusted. */
async function requestProof(
  session: Session,
  { system }: Setup,
  header: Header,
  query: Uint8Array,
): Promise<Reply> {
  const { name, variants } = system
  const params = [name, toHex(query), { blockHash: header.hash, variants }]
  const result = await ask(session, { method: 'lp_getProof', params })
  const reply = asRecord(result, 'lp_getProof')
  // Named by the node, never guessed: the core decodes the proof as just this variant.
  const variant = variants.find((accepted) => accepted === reply['variant'])
  if (variant === undefined) throw malformed('lp_getProof.variant', variants.join(' or '))
  return { variant, proof: asBytes(reply['proof'], 'lp_getProof.proof') }
}
