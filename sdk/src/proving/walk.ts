/** Which block a target names, and what vouches for it. */

import type { Hash } from '../encoding/input.js'
import { UnavailableError } from '../result/errors.js'
import { loadPart } from '../wasm/part.js'
import type { BlockTarget } from './at.js'
import type { Header } from './header.js'
import { type Line, type Located, withLeaps } from './line.js'
import { linkOne } from './link.js'
import { headerByHash, profileOf } from './nodes.js'
import type { Session } from './session.js'
import { linkHeaders } from './verifier.js'

/**
 * The verified header of a block that a line of the client's vouches for.
 *
 * @throws {@link UnavailableError} `untrusted` if none vouches for the block, `walk` if it is too
 *   far back; {@link ProofError} if the node's headers do not link.
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
    const problem = `block ${number} is newer than the newest trusted block ${newest.number}`
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
  for (const searched of withLeaps(target.by === 'hash' ? lines : [isAbove ? head : start])) {
    const header = searched.headers.find(isWanted)
    if (header !== undefined) return { header, line: searched }
  }
  return undefined
}

/** Of the first block of a line, if it is wanted and its header is not known: its hash. */
export function hashWithoutHeader(lines: readonly Line[], target: BlockTarget): Hash | undefined {
  const { line, head } = newestOf(lines)
  const { hash, headers } = startOf(target, line, head) ?? {}
  const isFirst = target.by === 'default' || target.by === 'tag'
  return isFirst && !headers?.[0] ? hash : undefined
}

function startOf<L extends Line | undefined>(target: BlockTarget, line: L, head: L): L {
  return target.by === 'tag' && target.tag === 'head' ? head : line
}

/**
 * The line of the default block, and that of the newest one: where the newest signed block is
 * final, it is the first.
 */
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
  // Its header may have been fetched just now, as the first of a line.
  const known = recallBlock(session.client.lines, target)
  if (known !== undefined) return known
  const { reach } = await loadPart(() => import('./reach.js'))
  const located = await reach(session, line, number)
  const { header } = located
  if (target.by !== 'hash' || header.hash === target.hash) return located
  const problem = `block ${target.hash} is not an ancestor of the trusted block: at height ${number} that is ${header.hash}`
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

/**
 * The number of the wanted block. A hash that the client has not met says it through its header,
 * which it commits to.
 */
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
