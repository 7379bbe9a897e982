/** Headers of many blocks at once, from one that was found down to an ancestor. */

import { ancestor } from './down.js'
import type { Header } from './header.js'
import type { Located } from './line.js'
import type { BlockId } from './nodes.js'
import type { Session } from './session.js'
import { locate } from './walk.js'

/** The lowest block, and all between. */
interface Descent extends Located {
  /** Newest first: from the parent of the block that it began at to `header`. */
  readonly below: readonly Header[]
}

/**
 * Walks from a block down to an ancestor, in as few exchanges as the node allows. `maxWalk` says
 * how far back a block may be, not how long a range is that the caller named: it is no limit here.
 *
 * @param lowest - below the block that it begins at.
 * @throws as `locate` does.
 */
export async function descend(
  session: Session,
  { number, hash }: BlockId,
  lowest: bigint,
): Promise<Descent> {
  const { header: first, line } = await locate(session, { by: 'hash', number, hash })
  const header = await ancestor(session, line, lowest, Number.MAX_SAFE_INTEGER)
  const { headers } = line
  return {
    header,
    line,
    below: headers.slice(headers.indexOf(first) + 1, headers.indexOf(header) + 1),
  }
}
