/** The one function behind all actions about an account: locate the block, ask for the proof, check it. */

import type { Client } from '../client.js'
import { bytesOf } from '../encoding/hex.js'
import { ProofError, UnavailableError } from '../errors.js'
import type { FactJson, ProofFile } from '../file.js'
import type { Invalid, Unavailable } from '../result.js'
import { encodeQuery } from '../systems/mpt.js'
import type { BlockTarget } from './at.js'
import { failover, type Success } from './failover.js'
import { type Located, lineage } from './line.js'
import { type ProofRequest, requestProof, type Session, servesOtherBlock } from './nodes.js'
import { toFile } from './toFile.js'
import { verifyClaim } from './verifier.js'
import { locate } from './walk.js'

/** What to prove, and of which block. */
export interface Question extends ProofRequest {
  readonly at: BlockTarget
  readonly signal: AbortSignal | undefined
}

/** A proven fact, and the bytes that prove it. */
export interface Proof extends Located {
  readonly fact: FactJson
  /** The proof as a file that others can check. */
  readonly file: () => ProofFile
}

/** Asks the client's nodes until one proves it. */
export function prove(
  client: Client,
  question: Question,
): Promise<Success<Proof> | Invalid | Unavailable> {
  return failover(client, question.signal, (session) => proveAt(session, question))
}

async function proveAt(session: Session, question: Question): Promise<Proof> {
  const located = await locate(session, question.at)
  const { header, line } = located
  const { address, slots, wantCode } = question
  const query = encodeQuery(address, slots, wantCode)
  const proof = await requestProof(session, question, header)
  const file = { trusted: line.hash, headers: lineage(located), query, proof }
  // The hash was verified on the walk; the module hashes the header again, since it holds no trust.
  const source = { kind: 'header', hash: bytesOf(header.hash), rlps: [header.rlp] } as const
  try {
    const claim = { source, query, variant: 'plain', proof }
    const { fact } = await verifyClaim(session.client.chain, claim)
    const expected = { result: 'valid', fact } as const
    return {
      fact,
      header,
      line,
      file: () => toFile(session, { kind: 'proof', ...file, expected }),
    }
  } catch (error) {
    if (!(error instanceof ProofError)) throw error
    if (error.code === 'verify.root' && (await servesOtherBlock(session, header))) {
      const problem = `${session.node.name} has another block ${header.number} than the trusted one`
      throw new UnavailableError('block', problem, { cause: error })
    }
    const expected = { result: 'invalid', code: error.code } as const
    session.evidence.push(toFile(session, { kind: 'evidence', ...file, expected }))
    throw error
  }
}
