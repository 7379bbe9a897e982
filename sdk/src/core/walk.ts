/** From the pinned block back to an ancestor, by parent hashes. The client keeps what it verified. */

import type { Client } from '../client.js'
import type { Hash } from '../encoding/input.js'
import { ProofError, UnavailableError } from '../errors.js'
import type { BlockTarget } from './at.js'
import { headerByHash, headersBelow, profileOf, type Session } from './nodes.js'
import { headerEvidence } from './toFile.js'
import { type Header, linkHeaders } from './verifier.js'

/**
 * The verified header of a block: the pinned one, or an ancestor of it.
 *
 * @throws {@link UnavailableError} `untrusted` if the anchor does not vouch for the block, `walk` if it is too far back;
 * {@link ProofError} if the node's headers do not link.
 */
export async function locate(session: Session, target: BlockTarget): Promise<Header> {
  const pin = await pinned(session)
  const known = session.client.headers.find(({ hash }) => hash === target.hash)
  if (known !== undefined) return known
  const number = await numberOf(session, target, pin)
  if (number > pin.number) {
    const fix = 'pin a newer block: a child that names a trusted parent proves nothing'
    const problem = `block ${number} is newer than the pinned block ${pin.number}; ${fix}`
    throw new UnavailableError('untrusted', problem)
  }
  const header = await ancestor(session, number)
  if (target.hash !== undefined && header.hash !== target.hash) {
    const problem = `block ${target.hash} is no ancestor of the pinned block: at height ${number} that is ${header.hash}`
    throw new UnavailableError('untrusted', problem)
  }
  return header
}

/** Headers from the pinned block to the given ancestor, both included. */
export function lineage({ headers }: Client, header: Header): readonly Header[] {
  return headers.slice(0, headers.indexOf(header) + 1)
}

async function pinned(session: Session): Promise<Header> {
  const { client } = session
  const known = client.headers[0]
  if (known !== undefined) return known
  await profileOf(session)
  const rlp = await headerByHash(session, client.anchor.hash)
  const pin = await linkOne(session, [], client.anchor.hash, rlp)
  // Two actions may have fetched it at once; it is the same header, since the hash is.
  client.headers[0] ??= pin
  return client.headers[0]
}

/** The number of the wanted block. A hash that the client has not met says it through its header, which it commits to. */
async function numberOf(
  session: Session,
  { number, hash }: BlockTarget,
  pin: Header,
): Promise<bigint> {
  if (number !== undefined) return number
  if (hash === undefined) return pin.number
  await profileOf(session)
  const rlp = await headerByHash(session, hash)
  const [header] = await linkHeaders(session.client.chain, hash, [rlp])
  return header?.number ?? pin.number
}

async function ancestor(session: Session, number: bigint): Promise<Header> {
  const { client } = session
  const { headers, maxWalk } = client
  let byNumber = true
  for (;;) {
    const pin = headers[0]
    const lowest = headers.at(-1)
    if (pin === undefined || lowest === undefined) throw new UnavailableError('block', 'no header')
    if (pin.number - number > BigInt(maxWalk)) {
      const fix = 'raise maxWalk, or pin an older block'
      const problem = `block ${number} is ${pin.number - number} blocks behind the pinned block; ${fix}`
      throw new UnavailableError('walk', problem)
    }
    const found = headers[Number(pin.number - number)]
    if (found !== undefined) return found
    const batch: readonly Header[] = byNumber
      ? await linkedByNumber(session, lowest, lowest.number - number)
      : []
    byNumber = batch.length > 0
    const linked = byNumber ? batch : [await parentByHash(session, lowest)]
    // A walk of another action may have come further meanwhile: append only what continues the list.
    for (const header of linked) {
      if (headers.at(-1)?.parentHash === header.hash) headers.push(header)
    }
  }
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
    return await linkHeaders(chain, lowest.parentHash, rlps.slice(0, count))
  } catch (error) {
    if (error instanceof ProofError && error.code === 'verify.header') return []
    throw error
  }
}

async function parentByHash(session: Session, lowest: Header): Promise<Header> {
  const rlp = await headerByHash(session, lowest.parentHash)
  return linkOne(session, lineage(session.client, lowest), lowest.parentHash, rlp)
}

/** Links the header that the node gave for a trusted hash: if it is another one, the node lies. */
async function linkOne(
  session: Session,
  trusted: readonly Header[],
  hash: Hash,
  rlp: Uint8Array,
): Promise<Header> {
  try {
    const [header] = await linkHeaders(session.client.chain, hash, [rlp])
    if (header !== undefined) return header
  } catch (error) {
    if (error instanceof ProofError) {
      session.evidence.push(headerEvidence(session, trusted, rlp, error.code))
    }
    throw error
  }
  throw new UnavailableError('block', `${session.node.name} has no header of block ${hash}`)
}
