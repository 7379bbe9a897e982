/** A small chain with contracts to call. */

import { bytesOf, type Hex, integerBytes, toHex } from '../../src/encoding/hex.js'
import { leftPad } from '../../src/encoding/input.js'
import { loadHash } from '../../src/wasm/module.js'
import { code, PANICS, PROXY_CODE, RETURN_WORD, TOKEN_CODE } from './contracts.js'
import { stateChain, type TestState } from './state.js'

const { keccak256 } = await loadHash()
/** A short address. */
export const address = (n: number): Hex => `0x${n.toString(16).padStart(40, '0')}`
/** 32 bytes. */
export const word = (n: bigint): Hex => toHex(leftPad(integerBytes(n)))
/** Where tokens keep what an owner holds. */
export const slotOf = (owner: Hex): Hex =>
  toHex(keccak256(new Uint8Array([...leftPad(bytesOf(owner)), ...new Uint8Array(32)])))

export const [TOKEN, PROXY, ALICE, BOB] = [0x1001, 0x1002, 0xa11ce, 0xb0b].map(address) as [
  Hex,
  Hex,
  Hex,
  Hex,
]
const LINKS = Object.fromEntries(
  Array.from({ length: 40 }, (_, i) => [word(BigInt(i)), BigInt(i + 1)]),
)
/** `i = 0; do { i = sload(i) } while (i != 0)`. */
const CHAINED = '0x60005b54806002570000' as const
/** `i = 0; do { sload(i++) } while (true)`. */
const WIDE = '0x60005b805450600101600256' as const
/** Balances of the token itself, and behind the proxy; and contracts that misbehave. */
export const state: TestState = {
  [TOKEN]: { nonce: 1n, code: TOKEN_CODE, slots: { [slotOf(ALICE)]: 77n } },
  [PROXY]: {
    nonce: 1n,
    code: PROXY_CODE,
    slots: { [word(0n)]: BigInt(TOKEN), [slotOf(ALICE)]: 99n },
  },
  [ALICE]: { balance: 10n ** 18n, nonce: 3n },
  [BOB]: { balance: 1n },
  // Halts; panics; returns the hash of the block that the input names.
  [address(0x2001)]: { nonce: 1n, code: code('invalid') },
  [address(0x2002)]: {
    nonce: 1n,
    code: code(...PANICS),
  },
  [address(0x2003)]: { nonce: 1n, code: code(0, 'calldataload', 'blockhash', ...RETURN_WORD) },
  // Reads the slot that the slot before names, and so on; slot after slot.
  [address(0x2004)]: { nonce: 1n, code: CHAINED, slots: LINKS },
  [address(0x2005)]: { nonce: 1n, code: WIDE, slots: { [word(1n)]: 1n } },
}
export const FORKS = [{ rules: 'paris', block: 0 }] as const
export const { chain, methods } = stateChain(
  [{}, state, { ...state, [BOB]: { balance: 2n } }],
  FORKS,
)
/** Calldata of `balanceOf(owner)`. */
export const balanceOf = (owner: Hex): Hex => `0x70a08231${word(BigInt(owner)).slice(2)}`
