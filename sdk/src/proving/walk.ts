/** From a trusted block back to an ancestor, by parent hashes. The client keeps what it verified. */

import type { Hash } from '../encoding/input.js'
import { ProofError, UnavailableError } from '../result/errors.js'
import { loadPart } from '../wasm/part.js'
import type { BlockTarget } from './at.js'
import type { Header } from './header.js'
import { type Line, type Located, lineage } from './line.js'
import { headerByHash, headersBelow, profileOf } from './nodes.js'
import type { Session } from './session.js'
import { linkHeaders } from './verifier.js'

/**
 * The verified header of a block that a line of the client's vouches for.
 *
 * @throws {@link UnavailableError} `untrusted` if none vouches for the block, `walk` if it is too far back;
 * {@link ProofError} if the node's headers do not link.
 */
export async function locate(session: Session, target: BlockTarget): Promise<Located> {
  const { lines } = session.client
  const known = recallBlock(lines, target)
  if (known !== undefined) return known
  const { line, head } = newestOf(lines)
  if (line === undefined || head === undefined) {
    throw new UnavailableError('untrusted', 'no block is trusted yet')
  }
  const start = startOf(target, line, head)
  const pin = await first(session, start)
  const number = await numberOf(session, target, pin)
  if (number <= pin.number) return on(session, start, number, target)
  const newest = await first(session, head)
  if (number > newest.number) {
    const fix = 'only ancestors of a trusted block are trusted'
    const problem = `block ${number} is newer than the newest trusted block ${newest.number}; ${fix}`
    throw new UnavailableError('untrusted', problem)
  }
  return on(session, head, number, target)
}

/** The same, if no node need be asked for it. */
export function recallBlock(lines: readonly Line[], target: BlockTarget): Located | undefined {
  const { line, head } = newestOf(lines)
  const start = startOf(target, line, head)
  const pin = start?.headers[0]
  const isAbove = target.by === 'number' && pin !== undefined && target.number > pin.number
  const isWanted = ({ number, hash }: Header): boolean => {
    if (target.by === 'number') return number === target.number
    return hash === (target.by === 'hash' ? target.hash : pin?.hash)
  }
  for (const searched of target.by === 'hash' ? lines : [isAbove ? head : start]) {
    const header = searched?.headers.find(isWanted)
    if (searched !== undefined && header !== undefined) return { header, line: searched }
  }
  return undefined
}

function startOf<L extends Line | undefined>(target: BlockTarget, line: L, head: L): L {
  return target.by === 'tag' && target.tag === 'head' ? head : line
}

/** The line of the default block, and that of the newest one: where the newest signed block is final, it is the first. */
function newestOf(lines: readonly Line[]): { readonly [key in 'line' | 'head']: Line | undefined } {
  const [line, second] = lines
  return { line, head: second?.isHead === true ? second : line }
}

async function on(
  session: Session,
  line: Line,
  number: bigint,
  target: BlockTarget,
): Promise<Located> {
  const header = await ancestor(session, line, number)
  if (target.by !== 'hash' || header.hash === target.hash) return { header, line }
  const problem = `block ${target.hash} is no ancestor of the trusted block: at height ${number} that is ${header.hash}`
  throw new UnavailableError('untrusted', problem)
}

async function first(session: Session, line: Line): Promise<Header> {
  const known = line.headers[0]
  if (known !== undefined) return known
  await profileOf(session)
  const rlp = await headerByHash(session, line.hash)
  const header = await linkOne(session, line, undefined, line.hash, rlp)
  // Two actions may have fetched it at once; it is the same header, since the hash is.
  line.headers[0] ??= header
  return line.headers[0]
}

/** The number of the wanted block. A hash that the client has not met says it through its header, which it commits to. */
async function numberOf(session: Session, target: BlockTarget, pin: Header): Promise<bigint> {
  if (target.by === 'number') return target.number
  if (target.by !== 'hash') return pin.number
  const { hash, number } = target
  if (number !== undefined) return number
  await profileOf(session)
  const rlp = await headerByHash(session, hash)
  const [header] = await linkHeaders(session.client.chain, hash, [rlp], session.signal)
  return header?.number ?? pin.number
}

/** The verified header of this number on a line; the node serves those that are not known yet. */
export async function ancestor(session: Session, line: Line, number: bigint): Promise<Header> {
  const { maxWalk, lines } = session.client
  const { headers } = line
  let byNumber = true
  for (;;) {
    const pin = headers[0]
    const lowest = headers.at(-1)
    if (pin === undefined || lowest === undefined) throw new UnavailableError('block', 'no header')
    if (pin.number - number > BigInt(maxWalk)) {
      const fix = 'raise maxWalk, or pin an older block'
      const problem = `block ${number} is ${pin.number - number} blocks behind the trusted block; ${fix}`
      throw new UnavailableError('walk', problem)
    }
    const found = headers[Number(pin.number - number)]
    if (found !== undefined) return found
    const walked = walkedBefore(lines, lowest)
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
    // A walk of another action may have come further meanwhile: append only what continues the list.
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
 * Verified ancestors of a header, newest first, in one exchange. None if the node's headers of these numbers are others:
 * by number it tells its own chain, and ours may have been left in a fork. Only by hash can it lie.
 */
async function linkedByNumber(
  session: Session,
  lowest: Header,
  distance: bigint,
): Promise<Header[]> {
  const { chain } = session.client
  const { headersPerCall } = await profileOf(session)
  const count = distance < headersPerCall ? Number(distance) : headersPerCall
  const rlps = await headersBelow(session, lowest.number, count)
  try {
    const headers = await linkHeaders(
      chain,
      lowest.parentHash,
      rlps.slice(0, count),
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

/** Links the header that the node gave for a trusted hash: if it is another one, the node lies. */
async function linkOne(
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
  throw new UnavailableError('block', `${session.node.name} has no header of block ${hash}`)
}
