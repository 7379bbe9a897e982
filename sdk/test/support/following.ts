/** Chains that follow another one: a devnet's headers that name an Ethereum block each. */

import { devnet } from '../../src/client/chains.js'
import { bytesOf, type Hex, integerBytes, toHex } from '../../src/encoding/hex.js'
import { encodeRlp, name } from '../../src/encoding/rlp.js'
import { loadHash } from '../../src/wasm/module.js'
import type { TestBlock, TestChain } from './chain.js'

const { keccak256 } = await loadHash()

/** What a block says of the one that it follows. */
interface Says {
  readonly origin: Hex
  /** Whose state it commits to, and serves. */
  readonly state: TestBlock
}

/** A chain with a block for each of the other's, which says what `says` makes of the truth. */
export function following(
  other: TestChain,
  says: (honest: Says, number: number) => Says = (honest) => honest,
): TestChain {
  const blocks: TestBlock[] = []
  let parent: Uint8Array = new Uint8Array(32)
  for (const block of other.blocks) {
    const { origin, state } = says({ origin: block.hash, state: block }, Number(block.number))
    const rlp = encodeRlp([
      Uint8Array.of(2),
      Uint8Array.of(0x4c, 0x50),
      parent,
      integerBytes(block.number),
      integerBytes(1_700_000_000n + block.number * 12n),
      [[name('mpt'), bytesOf(state.stateRoot)]],
      new Uint8Array(32),
      bytesOf(origin),
    ])
    parent = keccak256(rlp)
    blocks.push({ ...state, number: block.number, rlp, hash: toHex(parent), json: {} })
  }
  const at = (number: number): TestBlock => {
    const block = blocks[number]
    if (block === undefined) throw new RangeError(`no block ${number}`)
    return block
  }
  return { chain: devnet(at(0).hash), blocks, at, head: at(blocks.length - 1) }
}
