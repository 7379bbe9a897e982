/** The one function behind the actions about versions: locate the block, ask for the proof, check it. */

import type { Client } from '../client.js'
import { bytesOf, toHex } from '../encoding/hex.js'
import { asBytes, asRecord } from '../encoding/untrusted.js'
import { ProofError } from '../errors.js'
import type { ColeFactJson } from '../file.js'
import type { Invalid, Unavailable } from '../result.js'
import { type ColeQuestion, coleOf, coleSetup, encodeColeQuery } from '../systems/cole.js'
import type { BlockTarget } from './at.js'
import { failover, type Success } from './failover.js'
import { type Located, lineage } from './line.js'
import { profileOf, type Session } from './nodes.js'
import { toFile } from './toFile.js'
import { type Header, hashOf, verifyWith } from './verifier.js'
import { locate } from './walk.js'

/** A proven fact, and its block. */
export interface ColeProof extends Located {
  readonly fact: ColeFactJson
}

/** Asks the client's nodes until one proves it. `question` may depend on the block that is asked. */
export function proveCole(
  client: Client,
  at: BlockTarget,
  signal: AbortSignal | undefined,
  question: (header: Header) => ColeQuestion,
): Promise<Success<ColeProof> | Invalid | Unavailable> {
  return failover(client, signal, async (session) => {
    const located = await locate(session, at)
    return proveAt(session, located, encodeColeQuery(question(located.header)))
  })
}

async function proveAt(session: Session, located: Located, query: Uint8Array): Promise<ColeProof> {
  const { header, line } = located
  const { chain } = session.client
  const config = coleOf(chain)
  const proof = await requestProof(session, header, query)
  const source = { kind: 'header', hash: bytesOf(header.hash), rlps: [header.rlp] } as const
  try {
    const claim = { source, query, variant: 'plain', proof }
    const { fact } = await verifyWith(chain, coleSetup(config), claim)
    return { fact, header, line }
  } catch (error) {
    if (!(error instanceof ProofError)) throw error
    const { format, params } = config
    const paramsDigest = await hashOf(bytesOf(params))
    const contents = {
      kind: 'evidence',
      system: { system: 'cole', config: { format, paramsDigest, params } },
      trusted: line.hash,
      headers: lineage(located),
      query,
      proof,
      expected: { result: 'invalid', code: error.code },
    } as const
    session.evidence.push(toFile(session, contents))
    throw error
  }
}

/** The proof's bytes, untrusted. */
async function requestProof(
  session: Session,
  header: Header,
  query: Uint8Array,
): Promise<Uint8Array> {
  await profileOf(session)
  const options = { blockHash: header.hash, variants: ['plain'] }
  const params = ['cole', toHex(query), options]
  const reply = await session.node.call({ method: 'lp_getProof', params }, session.signal)
  return asBytes(asRecord(reply, 'lp_getProof')['proof'], 'lp_getProof.proof')
}
