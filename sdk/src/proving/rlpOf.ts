/**
 * The header bytes of every block that an action returned: kept as long as the block is, whatever
 * the client drops.
 */

import type { Hash } from '../encoding/input.js'
import type { Block } from '../result/result.js'
import { defaultSystem } from '../systems/default.js'
import type { Header } from './header.js'

const rlps = new WeakMap<Block, Uint8Array>()

/** A verified header's block. */
export function blockOf(header: Header): Block {
  const { number, hash, parentHash, timestamp, origin, commitments, rlp } = header
  const stateRoot = commitments[defaultSystem.name] as Hash | undefined
  const block = { number, hash, parentHash, timestamp, origin, stateRoot }
  rlps.set(block, rlp)
  return block
}

/** Undefined for a block that came another way. */
export function rlpOf(block: Block): Uint8Array | undefined {
  return rlps.get(block)
}
