/**
 * From a trusted block down to an ancestor, by parent hashes. The client keeps what it verified.
 */

import { ProofError, UnavailableError } from '../result/errors.js'
import type { Header } from './header.js'
import type { Line } from './line.js'
import { linkOne } from './link.js'
import { headerByHash, headersBelow } from './nodes.js'
import type { Session } from './session.js'
import { linkHeaders } from './verifier.js'

/**
 * The verified header of this number on a line; the node serves those that are not known yet.
 *
 * @param maxWalk - most blocks from the line's first one on.
 */
export async function ancestor(
  session: Session,
  line: Line,
  number: bigint,
  maxWalk: number = session.client.maxWalk,
): Promise<Header> {
  const { headers } = line
  for (let byNumber = true; ; ) {
    const pin = headers[0]
    const lowest = headers.at(-1)
    if (pin === undefined || lowest === undefined) throw new UnavailableError('block', 'no header')
    const distance = pin.number - number
    if (distance > maxWalk) {
      const fix = 'raise maxWalk, or pin an older block'
      const problem = `block ${number} is ${distance} blocks behind the trusted one; ${fix}`
      throw new UnavailableError('walk', problem)
    }
    const found = headers[Number(distance)]
    if (found !== undefined) return found
    const walked = walkedBefore(session.client.lines, lowest)
    if (walked.length > 0) {
      // One by one: there may be more than a call takes arguments.
      for (const header of walked) headers.push(header)
      continue
    }
    const batch: readonly Header[] = byNumber
      ? await linkedByNumber(session, lowest, lowest.number - number)
      : []
    byNumber = batch.length > 0
    const linked = byNumber ? batch : [await parentByHash(session, line, lowest)]
    // A walk of another action may have come further meanwhile: append only what continues the
    // list.
    for (const header of linked) {
      if (headers.at(-1)?.parentHash === header.hash) headers.push(header)
    }
  }
}

/** What another line holds below a header. */
function walkedBefore(lines: readonly Line[], lowest: Header): readonly Header[] {
  for (const { headers } of lines) {
    const at = headers.findIndex(({ hash }) => hash === lowest.parentHash)
    if (at >= 0) return headers.slice(at)
  }
  return []
}

/**
 * Verified ancestors of a header, newest first, in one exchange. None if the node's headers of
 * these numbers are others: by number it tells its own chain, and ours may have been left in a
 * fork. Only by hash can it lie.
 */
async function linkedByNumber(
  session: Session,
  lowest: Header,
  distance: bigint,
): Promise<Header[]> {
  const { chain } = session.client
  const rlps = await headersBelow(session, lowest.number, distance)
  try {
    const headers = await linkHeaders(
      chain,
      lowest.parentHash,
      rlps.slice(0, Number(distance)),
      session.signal,
    )
    return headers.map((header) => ({ ...header, servedBy: session.node.name }))
  } catch (error) {
    if (error instanceof ProofError && error.code === 'verify.header') return []
    throw error
  }
}

async function parentByHash(session: Session, line: Line, lowest: Header): Promise<Header> {
  const rlp = await headerByHash(session, lowest.parentHash)
  return linkOne(session, line, lowest, lowest.parentHash, rlp)
}
