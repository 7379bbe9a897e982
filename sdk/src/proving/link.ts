/** Headers that must hash to what is trusted. */

import type { Hash } from '../encoding/input.js'
import { ProofError, UnavailableError } from '../result/errors.js'
import { loadPart } from '../wasm/part.js'
import type { Header } from './header.js'
import { type Line, lineage } from './line.js'
import type { Session } from './session.js'
import { linkHeaders } from './verifier.js'

/** Links the header that the node gave for a trusted hash: if it is another one, the node lies. */
export async function linkOne(
  session: Session,
  line: Line,
  child: Header | undefined,
  hash: Hash,
  rlp: Uint8Array,
): Promise<Header> {
  try {
    const [header] = await linkHeaders(session.client.chain, hash, [rlp], session.signal)
    if (header !== undefined) return { ...header, servedBy: session.node.name }
  } catch (error) {
    if (error instanceof ProofError) {
      const above = child === undefined ? [] : lineage({ header: child, line })
      const { headerEvidence } = await loadPart(() => import('./toFile.js'))
      session.evidence.push(headerEvidence(session, line.hash, above, rlp, error.code))
    }
    throw error
  }
  throw new UnavailableError('block', `${session.node.name} does not know block ${hash}`)
}
