/** One round trip in place of three: what is certain to be asked about a block, asked at once. */

import type { Hash } from '../encoding/input.js'
import type { Ask } from '../systems/system.js'
import { type RpcCall, sameCall } from '../transport/call.js'
import { headerCall } from './headerCall.js'
import { profileOf } from './nodes.js'
import type { Session } from './session.js'

/**
 * Asks for the chain id and the header of a trusted block, as a batch, and for the proof beside
 * them. The answers are held for the calls that ask for them in their turn, so each is used only
 * after what comes before it is checked.
 *
 * @param hash - of a block that is trusted, and whose header is not known; undefined for another.
 */
export async function askAhead(
  session: Session,
  hash: Hash | undefined,
  ask: Ask | undefined,
): Promise<Session> {
  const { client, node, signal } = session
  const isLater = client.profiles.get(node.name)?.takesBlockHash === false
  if (!hash || !ask?.ahead || isLater || client.chain.kind !== 'ethereum') return session
  const proof = await ask.ahead(client.cache, hash)
  // In this tick, too; what it finds is heard where it is asked for.
  profileOf(session).catch(() => undefined)
  const begin = (call: RpcCall): [string, Promise<unknown>] => {
    const answer = node.call(call, signal)
    answer.catch(() => undefined)
    return [sameCall(call), answer]
  }
  return { ...session, ahead: new Map([headerCall(hash), ...proof].map(begin)) }
}
