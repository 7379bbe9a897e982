/** One node's proof about a block, checked. */

import { bytesOf, toHex } from '../encoding/hex.js'
import { asBytes, asRecord, malformed } from '../encoding/untrusted.js'
import { ProofError, UnavailableError } from '../result/errors.js'
import type { ProofFile } from '../result/file.js'
import type { Ask, ProofSystem, Question, Reply, SystemTypes } from '../systems/system.js'
import { loadPart } from '../wasm/part.js'
import type { Header } from './header.js'
import { type Located, lineage } from './line.js'
import { mayHaveMistaken } from './mistaken.js'
import { ask, checkOffer, deskOf, partFor } from './nodes.js'
import type { Session } from './session.js'
import { type configOf, setUp } from './setup.js'
import type { Server } from './toFile.js'
import { type Setup, verifyClaim } from './verifier.js'

/** What is asked of a block. */
export interface Asked {
  readonly ask: Ask
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

/** One node's proof of what is asked of a block. */
export async function proveBlock<T extends SystemTypes>(
  session: Session,
  system: ProofSystem<T>,
  config: ReturnType<typeof configOf>,
  located: Located,
  { ask, inParts }: Asked,
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
    const isOfAnother = error.code === 'verify.root' || error.code === 'verify.code'
    if (isOfAnother && (await mayHaveMistaken(session, header, error)) && !isSecond) {
      return proveAt(session, setup, located, question, true)
    }
    session.evidence.push(await file('evidence', { result: 'invalid', code: error.code }))
    throw error
  }
}

/** The core's verdict on a proof. */
export async function check<T extends SystemTypes>(
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

/** Makes files of a node's proof. */
export function fileOf(
  server: Server,
  setup: Setup,
  located: Located,
  query: Uint8Array,
  reply: Reply,
): MakeFile {
  const contents = { setup, trusted: located.line.hash, query, ...reply }
  return async (kind, expected) => {
    const { toFile } = await loadPart(() => import('./toFile.js'))
    const by = await located.line.leap?.file()
    return toFile(server, { kind, expected, headers: lineage(located), by, ...contents })
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
