/** What dapps call: a pair of tokens that are swapped, and a resolver of names. */

import type { Hex } from '../../src/encoding/hex.js'
import { RETURN_WORD, type Step, withTargets } from './contracts.js'

/** A word that begins with a selector. */
const selector = (number: number) => [number, 0xe0, 'shl'] as const

const [FIRST, SECOND, RESERVES, SHIFT] = [0, 1, 2, 112]
const reserve0 = [RESERVES, 'sload', 0x90, 'shl', 0x90, 'shr'] as const
const reserve1 = [RESERVES, 'sload', SHIFT, 'shr'] as const
const amountIn = [4, 'calldataload'] as const
/** `in * 997 * reserve1 / (reserve0 * 1000 + in * 997)` */
const amountOut = [
  ...([...amountIn, 997, 'mul', 'dup1', ...reserve0, 1000, 'mul', 'add'] as const),
  ...(['swap1', ...reserve1, 'mul', 'div'] as const),
] as const

/** Topic of what the pair logs. */
export const SWAPPED: Hex = `0x${'5a'.repeat(32)}`

/**
 * As Uniswap's: slots 0 and 1 name the tokens, slot 2 has both reserves. `getReserves()`,
 * `getAmountOut(uint256)`, and, to every other selector, a swap of that much of the first token,
 * which must have been sent before.
 */
export const PAIR_CODE: Hex = withTargets(([reserves = 0, quote = 0, fail = 0, done = 0]) => [
  [
    ...([0, 'calldataload', 0xe0, 'shr'] as const),
    ...(['dup1', 0x0902f1ac, 'eq', reserves, 'jumpi'] as const),
    ...(['dup1', 0x5c195217, 'eq', quote, 'jumpi'] as const),
    // What it is to hold of the first token, and what it holds.
    ...([...reserve0, ...amountIn, 'add'] as const),
    ...([...selector(0x70a08231), 0, 'mstore', 'address', 4, 'mstore'] as const),
    ...([32, 0xa0, 36, 0, FIRST, 'sload', 'gas', 'staticcall', 'pop'] as const),
    ...(['dup1', 0xa0, 'mload', 'lt', fail, 'jumpi'] as const),
    ...([...amountOut, 0x80, 'mstore'] as const),
    ...([0x80, 'mload', ...reserve1, 'sub', SHIFT, 'shl', 'add'] as const),
    ...([RESERVES, 'sstore'] as const),
    ...([...selector(0xa9059cbb), 0, 'mstore', 'caller', 4, 'mstore'] as const),
    ...([0x80, 'mload', 36, 'mstore', 0, 0, 68, 0, 0, SECOND, 'sload', 'gas', 'call'] as const),
    ...([done, 'jumpi', fail, 'jump'] as const),
  ],
  [
    ...(['jumpdest', ...reserve0, 0, 'mstore', ...reserve1, 32, 'mstore'] as const),
    ...([64, 0, 'return'] as const),
  ],
  ['jumpdest', ...amountOut, ...RETURN_WORD],
  ['jumpdest', 0, 0, 'revert'],
  [
    ...(['jumpdest', ...amountIn, 0, 'mstore', 0x80, 'mload', 32, 'mstore'] as const),
    ...(['caller', SWAPPED, 64, 0, 'log2', 32, 0x80, 'return'] as const),
  ],
])

/** A question of one argument, which is the name's hash: the last word of `resolve`'s data. */
const asking = (question: number): readonly Step[] => [
  ...([...selector(question), 0, 'mstore'] as const),
  ...([36, 'calldataload', 40, 'add', 'calldataload', 4, 'mstore'] as const),
]

/**
 * As ENS's: `resolve(bytes name, bytes data)` asks the registry in slot 0 for the name's resolver,
 * and that for the name's address; `ResolverNotFound(bytes)` if there is none.
 */
export const NAMES_CODE: Hex = withTargets(([found = 0]) => [
  [
    ...([...asking(0x0178b8bf), 32, 0x60, 36, 0, 0, 'sload', 'gas', 'staticcall', 'pop'] as const),
    ...([0x60, 'mload', found, 'jumpi', ...selector(0x77209fe8), 0, 'mstore'] as const),
    ...([0x20, 4, 'mstore', 0, 36, 'mstore', 68, 0, 'revert'] as const),
  ],
  [
    ...(['jumpdest', ...asking(0x3b3b57de), 32, 0xa0, 36, 0] as const),
    ...([0x60, 'mload', 'gas', 'staticcall', 'pop'] as const),
    ...([0x40, 0x40, 'mstore', 0x20, 0x80, 'mstore', 0x80, 0x40, 'return'] as const),
  ],
])
