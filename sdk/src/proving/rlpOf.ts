/** The header's bytes behind a block that was handed out, whatever the client keeps of it by then. */

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
