/** Nodes that prove something else than was asked, and do not lie. */

import { toQuantity } from '../encoding/hex.js'
import { asRecord } from '../encoding/untrusted.js'
import { type ProofError, UnavailableError } from '../result/errors.js'
import { type BlockId, MOST, profileOf } from './nodes.js'
import type { Session } from './session.js'

/**
 * May a proof under another root be no lie? Plain nodes may have left the block in a fork; some
 * ignore the hash that they were asked for and answer by number, so they are asked by number from
 * then on.
 *
 * @returns whether the proof is worth asking for once more.
 * @throws {@link UnavailableError} `block` if the node has another block of that number.
 */
export async function mayHaveMistaken(
  session: Session,
  block: BlockId,
  cause: ProofError,
): Promise<boolean> {
  const { client, node, signal } = session
  if (client.chain.kind !== 'ethereum') return false
  const params = [toQuantity(block.number), false]
  const call = { method: 'eth_getBlockByNumber', params, maxBytes: MOST.block }
  const json = await node.call(call, signal)
  if (json === null || asRecord(json, 'block')['hash'] !== block.hash) {
    const problem = `${node.name} has another block ${block.number} than the trusted one`
    throw new UnavailableError('block', problem, { cause })
  }
  const profile = await profileOf(session)
  profile.takesBlockHash = false
  return true
}
