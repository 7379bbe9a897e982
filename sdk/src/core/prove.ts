/** The one function behind all actions about an account: locate the block, ask for the proof, check it. */

import type { Client } from '../client.js'
import { toHex } from '../encoding/hex.js'
import { ProofError, UnavailableError } from '../errors.js'
import type { FactJson, ProofFile } from '../file.js'
import type { Invalid, Unavailable } from '../result.js'
import type { BlockTarget } from './at.js'
import { failover, type Success } from './failover.js'
import { type ProofRequest, requestProof, type Session, servesOtherBlock } from './nodes.js'
import { bytesOf, encodeQuery, type Header, verifyClaim } from './verifier.js'
import { lineage, locate } from './walk.js'

/** What to prove, and of which block. */
export interface Question extends ProofRequest {
  readonly at: BlockTarget
  readonly signal: AbortSignal | undefined
}

/** A proven fact, and the bytes that prove it. */
export interface Proof {
  readonly fact: FactJson
  readonly header: Header
  /** The proof as a file that others can check. */
  readonly toFile: () => ProofFile
}

/** Asks the client's nodes until one proves it. */
export function prove(
  client: Client,
  question: Question,
): Promise<Success<Proof> | Invalid | Unavailable> {
  return failover(client, question.signal, (session, evidence) =>
    proveAt(session, question, evidence),
  )
}

async function proveAt(
  session: Session,
  question: Question,
  evidence: ProofFile[],
): Promise<Proof> {
  const { client } = session
  const header = await locate(session, question.at)
  const { address, slots, wantCode } = question
  const query = encodeQuery(address, slots, wantCode)
  const proof = await requestProof(session, question, header)
  const file = fileMaker(session, header, query, proof)
  // The hash was verified on the walk; the module hashes the header again, since it holds no trust.
  const source = { kind: 'header', hash: bytesOf(header.hash), rlps: [header.rlp] } as const
  try {
    const { fact } = await verifyClaim(client.chain, { source, query, variant: 'plain', proof })
    return { fact, header, toFile: () => file('proof', { result: 'valid', fact }) }
  } catch (error) {
    if (!(error instanceof ProofError)) throw error
    if (error.code === 'verify.root' && (await servesOtherBlock(session, header))) {
      const problem = `${session.node.name} has another block ${header.number} than the trusted one`
      throw new UnavailableError('block', problem, { cause: error })
    }
    evidence.push(file('evidence', { result: 'invalid', code: error.code }))
    throw error
  }
}

type FileMaker = (kind: ProofFile['kind'], expected: ProofFile['expected']) => ProofFile

function fileMaker(
  session: Session,
  header: Header,
  query: Uint8Array,
  proof: Uint8Array,
): FileMaker {
  const { chain, anchor } = session.client
  const { kind, chainId, genesisHash, systems } = chain
  // From the anchor, not from the block: a reader who trusts the anchor alone can check it.
  const rlps = lineage(session, header)
  return (fileKind, expected) => ({
    schema: 1,
    kind: fileKind,
    chain: { kind, chainId, genesisHash },
    system: 'mpt',
    config: systems.mpt,
    source: { header: { hash: anchor.hash, rlps: rlps.map(({ rlp }) => toHex(rlp)) } },
    query: toHex(query),
    variant: 'plain',
    proof: toHex(proof),
    expected,
    meta: { servedBy: session.node.name, createdAt: new Date().toISOString() },
  })
}
