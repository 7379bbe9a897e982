/**
 * The header bytes of every block that an action returned: kept as long as the block is, whatever
 * the client drops.
 */

import type { Block } from '../result/result.js'

const rlps = new WeakMap<Block, Uint8Array>()

/** Remembers a header as long as its block is held. */
export function withRlp(block: Block, rlp: Uint8Array): Block {
  rlps.set(block, rlp)
  return block
}

/** Undefined for a block that came another way. */
export function rlpOf(block: Block): Uint8Array | undefined {
  return rlps.get(block)
}
