/** Root of a beacon header, written out: nobody's client is asked what the checkpoint is. */

import { createHash } from 'node:crypto'

/**
 * @param {Record<'slot' | 'proposer_index' | 'parent_root' | 'state_root' | 'body_root', string>}
 * header
 */
export function checkpointOf({ slot, proposer_index, parent_root, state_root, body_root }) {
  const integer = (/** @type {string} */ text) => {
    const leaf = Buffer.alloc(32)
    leaf.writeBigUInt64LE(BigInt(text))
    return leaf
  }
  const zero = Buffer.alloc(32)
  const roots = [parent_root, state_root, body_root].map((hex) => Buffer.from(hex.slice(2), 'hex'))
  let layer = [integer(slot), integer(proposer_index), ...roots, zero, zero, zero]
  while (layer.length > 1) {
    layer = layer
      .filter((_, i) => i % 2 === 0)
      .map((left, i) =>
        createHash('sha256')
          .update(left)
          .update(layer[2 * i + 1] ?? zero)
          .digest(),
      )
  }
  return new Uint8Array(layer[0] ?? zero)
}
