/** Small contracts, written in the instructions that they consist of. */

import type { Hex } from '../../src/encoding/hex.js'

const CODES = {
  stop: '00',
  add: '01',
  sha3: '20',
  caller: '33',
  calldataload: '35',
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
  shr: '1c',
  eq: '14',
  log3: 'a3',
  delegatecall: 'f4',
  call: 'f1',
  staticcall: 'fa',
  return: 'f3',
  revert: 'fd',
  invalid: 'fe',
} as const

/** An instruction, or what is pushed: a number, or hex. */
type Step = keyof typeof CODES | number | bigint | Hex

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

/** Solidity's place of a holder in the mapping at position 0: what the input's first argument names. */
const SLOT_OF_ARGUMENT = [4, 'calldataload', 0, 'mstore', 0, 32, 'mstore', 64, 0, 'sha3'] as const

/** A token that gives the same answer to every selector: the balance of the first argument, from the mapping at position 0. */
export const TOKEN_CODE = code(...SLOT_OF_ARGUMENT, 'sload', ...RETURN_WORD)

/** Runs the code at the address in slot 0. */
export const PROXY_CODE = code(
  ...(['calldatasize', 0, 0, 'calldatacopy'] as const),
  ...([0, 0, 'calldatasize', 0, 0, 'sload', 'gas', 'delegatecall', 'pop'] as const),
  ...(['returndatasize', 0, 0, 'returndatacopy', 'returndatasize', 0, 'return'] as const),
)
