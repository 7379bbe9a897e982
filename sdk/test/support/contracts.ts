/** Small contracts, written in the instructions that they consist of. */

import type { Hex } from '../../src/encoding/hex.js'

const CODES = {
  stop: '00',
  add: '01',
  mul: '02',
  sub: '03',
  div: '04',
  lt: '10',
  gt: '11',
  and: '16',
  sha3: '20',
  address: '30',
  caller: '33',
  calldataload: '35',
  codecopy: '39',
  coinbase: '41',
  prevrandao: '44',
  gaslimit: '45',
  chainid: '46',
  pop: '50',
  mload: '51',
  mstore: '52',
  sload: '54',
  sstore: '55',
  jump: '56',
  jumpi: '57',
  gas: '5a',
  jumpdest: '5b',
  blockhash: '40',
  timestamp: '42',
  number: '43',
  selfbalance: '47',
  calldatasize: '36',
  calldatacopy: '37',
  returndatasize: '3d',
  returndatacopy: '3e',
  shl: '1b',
  shr: '1c',
  eq: '14',
  dup1: '80',
  dup3: '82',
  swap1: '90',
  log2: 'a2',
  log3: 'a3',
  delegatecall: 'f4',
  call: 'f1',
  staticcall: 'fa',
  return: 'f3',
  revert: 'fd',
  invalid: 'fe',
} as const

/** An instruction, or what is pushed: a number, or hex. */
export type Step = keyof typeof CODES | number | bigint | Hex

/** The code of these steps. */
export function code(...steps: readonly Step[]): Hex {
  return `0x${steps.map(byteCode).join('')}`
}

function byteCode(step: Step): string {
  if (typeof step === 'string' && !step.startsWith('0x')) return CODES[step as keyof typeof CODES]
  const digits = typeof step === 'string' ? step.slice(2) : BigInt(step).toString(16)
  const padded = digits.length % 2 === 0 ? digits : `0${digits}`
  return (0x5f + padded.length / 2).toString(16) + padded
}

/** Returns the word on the stack. */
export const RETURN_WORD = [0, 'mstore', 32, 0, 'return'] as const

/** Solidity's place of a holder in a mapping: what the input's first argument names. */
const slotOfArgument = (position: number) =>
  [4, 'calldataload', 0, 'mstore', position, 32, 'mstore', 64, 0, 'sha3'] as const

/** In the mapping at position 0. */
const SLOT_OF_ARGUMENT = slotOfArgument(0)

/**
 * A token that gives the same answer to every selector: the balance of the first argument, from the
 * mapping at position 0.
 */
export const TOKEN_CODE = code(...SLOT_OF_ARGUMENT, 'sload', ...RETURN_WORD)

/** Like {@link TOKEN_CODE}, with the mapping at another position. */
export const tokenAt = (position: number): Hex =>
  code(...slotOfArgument(position), 'sload', ...RETURN_WORD)

/**
 * As USDC keeps them: the highest bit of a holder's slot says whether they are frozen, the others
 * are the balance.
 */
export const FLAGGED_TOKEN_CODE = code(
  ...SLOT_OF_ARGUMENT,
  'sload',
  (1n << 255n) - 1n,
  'and',
  ...RETURN_WORD,
)

/** A rebasing token: shares of a holder, times what slot 9 says. */
export const REBASING_TOKEN_CODE = code(
  ...SLOT_OF_ARGUMENT,
  'sload',
  9,
  'sload',
  'mul',
  ...RETURN_WORD,
)

/** Answers with the address in slot 0, whatever it is asked. */
export const BEACON_CODE = code(0, 'sload', ...RETURN_WORD)

/** Runs the code at the address that the beacon in slot 0 names. */
export const BEACON_PROXY_CODE = code(
  ...(['calldatasize', 0, 0, 'calldatacopy'] as const),
  // What is called: the beacon, whose answer is laid behind the input.
  ...([32, 64, 0, 0, 0, 'sload', 'gas', 'staticcall', 'pop'] as const),
  ...([0, 0, 'calldatasize', 0, 64, 'mload', 'gas', 'delegatecall', 'pop'] as const),
  ...(['returndatasize', 0, 0, 'returndatacopy', 'returndatasize', 0, 'return'] as const),
)

/** Runs the code at the address in slot 0. */
export const PROXY_CODE = code(
  ...(['calldatasize', 0, 0, 'calldatacopy'] as const),
  ...([0, 0, 'calldatasize', 0, 0, 'sload', 'gas', 'delegatecall', 'pop'] as const),
  ...(['returndatasize', 0, 0, 'returndatacopy', 'returndatasize', 0, 'return'] as const),
)

/** Selector of `Panic(uint256)`, where a word begins with it. */
const PANIC = `0x4e487b71${'00'.repeat(28)}` as const
/** Panics of arithmetic. */
export const PANICS = [PANIC, 0, 'mstore', 0x11, 4, 'mstore', 36, 0, 'revert'] as const

/** Topic of `Transfer(address,address,uint256)`. */
export const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/**
 * Of two arguments, one moves what the caller holds, with a log; who has too little gets a panic.
 */
const movingParts = (move: number, fail: number): readonly (readonly Step[])[] => [
  [36, 'calldatasize', 'gt', move, 'jumpi', ...SLOT_OF_ARGUMENT, 'sload', ...RETURN_WORD],
  [
    ...(['jumpdest', 'caller', 0, 'mstore', 0, 32, 'mstore', 64, 0, 'sha3'] as const),
    ...(['dup1', 'sload', 36, 'calldataload', 'dup1', 'dup3', 'lt', fail, 'jumpi'] as const),
    ...(['swap1', 'sub', 'swap1', 'sstore'] as const),
    ...([4, 'calldataload', 0, 'mstore', 64, 0, 'sha3'] as const),
    ...(['dup1', 'sload', 36, 'calldataload', 'add', 'swap1', 'sstore'] as const),
    ...([36, 'calldataload', 0, 'mstore'] as const),
    ...([4, 'calldataload', 'caller', TRANSFER, 32, 0, 'log3', 1, ...RETURN_WORD] as const),
  ],
  ['jumpdest', ...PANICS],
]

/**
 * A token: one argument asks for a balance, two move what the caller holds, with a log; who has too
 * little gets a panic.
 */
export const MOVING_TOKEN_CODE = withTargets(([move = 0, fail = 0]) => movingParts(move, fail))

/** Selector of `approve(address,uint256)`. */
const APPROVE = 0x095ea7b3

/**
 * {@link MOVING_TOKEN_CODE}, and `approve`: allowances are in the mapping of mappings at position
 * 1.
 */
export const APPROVING_TOKEN_CODE = withTargets(([read = 0, move = 0, fail = 0, approve = 0]) => [
  [0, 'calldataload', 0xe0, 'shr', APPROVE, 'eq', approve, 'jumpi', read, 'jump'],
  ...movingParts(move, fail).map((part, i) => (i === 0 ? (['jumpdest', ...part] as const) : part)),
  [
    ...(['jumpdest', 'caller', 0, 'mstore', 1, 32, 'mstore', 64, 0, 'sha3'] as const),
    ...([32, 'mstore', 4, 'calldataload', 0, 'mstore', 36, 'calldataload'] as const),
    ...([64, 0, 'sha3', 'sstore', 1, ...RETURN_WORD] as const),
  ],
])

/** Where a mapping of mappings at a position keeps what the input's two arguments name, in order. */
const slotOfTwo = (position: number) =>
  [
    ...slotOfArgument(position),
    32,
    'mstore',
    36,
    'calldataload',
    0,
    'mstore',
    64,
    0,
    'sha3',
  ] as const

/**
 * A contract of all kinds of tokens, one function behind each selector: `balanceOf(address)` from
 * the mapping at position 0, `allowance(address,address)` at 1, `ownerOf(uint256)` at 2, where
 * nobody is a revert as of `ERC721NonexistentToken(uint256)`, and `balanceOf(address,uint256)` at
 * 3. To every other selector it reverts.
 */
export const STRICT_TOKEN_CODE = withTargets(
  ([balance = 0, allowance = 0, owner = 0, kind = 0, nobody = 0]) => [
    [
      ...([0, 'calldataload', 0xe0, 'shr'] as const),
      ...(['dup1', 0x70a08231, 'eq', balance, 'jumpi'] as const),
      ...(['dup1', 0xdd62ed3e, 'eq', allowance, 'jumpi'] as const),
      ...(['dup1', 0x6352211e, 'eq', owner, 'jumpi'] as const),
      ...(['dup1', 0x00fdd58en, 'eq', kind, 'jumpi', 0, 0, 'revert'] as const),
    ],
    ['jumpdest', ...slotOfArgument(0), 'sload', ...RETURN_WORD],
    ['jumpdest', ...slotOfTwo(1), 'sload', ...RETURN_WORD],
    [
      ...(['jumpdest', ...slotOfArgument(2), 'sload', 'dup1', 0, 'eq', nobody, 'jumpi'] as const),
      ...RETURN_WORD,
    ],
    ['jumpdest', ...slotOfTwo(3), 'sload', ...RETURN_WORD],
    [
      ...(['jumpdest', `0x7e273289${'00'.repeat(28)}`, 0, 'mstore'] as const),
      ...([4, 'calldataload', 4, 'mstore', 36, 0, 'revert'] as const),
    ],
  ],
)

/** Code of parts, which know where those behind the first begin. */
export function withTargets(
  make: (targets: readonly number[]) => readonly (readonly Step[])[],
): Hex {
  // Places take one byte each, whatever they are.
  const lengths = make([]).map((part) => code(...part).length / 2 - 1)
  let end = 0
  const targets = lengths.slice(0, -1).map((length) => {
    end += length
    return end
  })
  return code(...make(targets).flat())
}

/** What deploys a code, after it has written slots. */
export function deploying(runtime: Hex, slots: readonly (readonly [Hex, bigint])[] = []): Hex {
  const length = runtime.length / 2 - 1
  const before = code(...slots.flatMap(([slot, value]) => [value, slot, 'sstore'] as const))
  const copy = (from: number): Hex => code(length, 'dup1', from, 0, 'codecopy', 0, 'return')
  const start = before.length / 2 - 1 + copy(0x80).length / 2 - 1
  return `${before}${copy(start).slice(2)}${runtime.slice(2)}` as Hex
}
