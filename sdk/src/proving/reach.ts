/**
 * From a trusted block to an ancestor: by parent hashes where it is near. Where it is far, a
 * contract keeps the hashes of the newest 8,191 blocks (EIP-2935), and one proven slot of it takes
 * the place of the headers between.
 */

import { RpcError, UnavailableError } from '../result/errors.js'
import { askHash, hashIn, MAX_LEAPS, REACH } from '../systems/ancestors.js'
import { defaultConfig, defaultSystem } from '../systems/default.js'
import type { Question } from '../systems/system.js'
import { ancestor } from './down.js'
import { type Line, type Located, withLeaps } from './line.js'
import { headerByHash } from './nodes.js'
import { proveBlock } from './proveBlock.js'
import type { Session } from './session.js'
import { linkHeaders } from './verifier.js'

/** Headers that are walked over, whatever a slot would spare. */
const NEAR = 32n
/** Lines below one that are kept. */
const MOST_KEPT = 64

/**
 * An ancestor of a line's first block. What was reached before is used again.
 *
 * @throws UnavailableError `walk` if it is too far back; ProofError if the node lies.
 */
export async function reach(session: Session, line: Line, number: bigint): Promise<Located> {
  const top = ({ headers }: Line): bigint => headers[0]?.number ?? 0n
  const lowest = ({ headers }: Line): bigint => headers.at(-1)?.number ?? 0n
  const above = withLeaps([line]).filter((one) => top(one) >= number)
  const [nearest = line] = above.sort((a, b) => Number(lowest(a) - lowest(b)))
  const isFar = lowest(nearest) - number > NEAR || top(nearest) - number > session.client.maxWalk
  const leapt = isFar ? await leapTo(session, line, number) : undefined
  return leapt ?? { header: await ancestor(session, nearest, number), line: nearest }
}

/** By as many slots as it takes; undefined where the chain or the node has none of them. */
async function leapTo(session: Session, line: Line, number: bigint): Promise<Located | undefined> {
  if (session.client.chain.kind !== 'ethereum') return undefined
  const firsts = withLeaps([line]).flatMap((one) => {
    const header = one.headers[0]
    return header && header.number > number ? [{ header, line: one }] : []
  })
  firsts.sort((a, b) => Number(b.header.number - a.header.number))
  // The newest whose state may hold the hash, since nodes forget old states; else the oldest, and
  // on from there.
  let from = firsts.find(({ header }) => header.number - number <= REACH) ?? firsts.at(-1)
  while (from !== undefined && from.header.number - number > REACH) {
    from = await leap(session, line, from, from.header.number - REACH)
  }
  return from && leap(session, line, from, number)
}

/**
 * Proves one slot, and fetches the header with the hash that it holds. Undefined if the slot proves
 * nothing, or if a file would hold more proofs than readers accept.
 */
async function leap(
  session: Session,
  root: Line,
  from: Located,
  number: bigint,
): Promise<Located | undefined> {
  if (leapsTo(from.line) >= MAX_LEAPS) return undefined
  const ask = (): Question => askHash(number)
  const proof = await proveBlock(session, defaultSystem, defaultConfig, from, { ask }).catch(
    (error: unknown) => {
      // It has forgotten the state, or makes no proofs: headers it may have all the same.
      if (error instanceof UnavailableError || error instanceof RpcError) return undefined
      throw error
    },
  )
  const hash = proof && hashIn(proof.fact)
  if (!hash) return undefined
  const rlp = await headerByHash(session, hash)
  const [linked] = await linkHeaders(session.client.chain, hash, [rlp], session.signal)
  if (linked?.number !== number) return undefined
  const header = { ...linked, servedBy: session.node.name }
  const { finality, participation } = from.line
  const line: Line = {
    hash,
    finality,
    ...(participation && { participation }),
    headers: [header],
    leap: { from, file: proof.file },
  }
  root.leaps = [line, ...(root.leaps ?? [])].slice(0, MOST_KEPT)
  return { header, line }
}

function leapsTo({ leap }: Line): number {
  return leap === undefined ? 0 : 1 + leapsTo(leap.from.line)
}
