/**
 * A contract that answers exact calldata with exact data: a stand-in for a resolver of names, and
 * for the callbacks of one.
 */

import type { Hex } from '../../src/encoding/hex.js'
import { bytesOf, toHex } from '../../src/encoding/hex.js'
import { loadHash } from '../../src/wasm/module.js'
import { code } from './contracts.js'

const { keccak256 } = await loadHash()

/** What it answers to one calldata. */
export interface Scripted {
  readonly to: Hex
  readonly data: Hex
  /** Default: it returns. */
  readonly reverts?: boolean
}

const place = (at: number): Hex => `0x${at.toString(16).padStart(4, '0')}`
const lengthOf = (hex: Hex): number => hex.length / 2 - 1

/** The code of that contract; to anything else it answers with `fallback`, as a revert. */
export function scriptedCode(cases: readonly Scripted[], fallback: Hex): Hex {
  const hash = code('calldatasize', 0, 0, 'calldatacopy', 'calldatasize', 0, 'sha3')
  const all = [...cases, { to: '0x' as Hex, data: fallback, reverts: true }]
  const bodies = all.map(({ data, reverts = false }) => {
    const words = data.slice(2).match(/.{1,64}/g) ?? []
    const stores = words.map((part, i) =>
      code(`0x${part.padEnd(64, '0')}`, place(32 * i), 'mstore').slice(2),
    )
    const end = code(place(lengthOf(data)), 0, reverts ? 'revert' : 'return').slice(2)
    return `${code('jumpdest').slice(2)}${stores.join('')}${end}`
  })
  const test = (to: Hex, target: number): string =>
    code('dup1', toHex(keccak256(bytesOf(to))), 'eq', place(target), 'jumpi').slice(2)
  const jump = (target: number): string => code(place(target), 'jump').slice(2)
  const front = lengthOf(hash) + cases.length * (test('0x', 0).length / 2) + jump(0).length / 2
  const starts: number[] = []
  let at = front
  for (const body of bodies) {
    starts.push(at)
    at += body.length / 2
  }
  const tests = cases.map(({ to }, i) => test(to, starts[i] ?? 0))
  return `${hash}${tests.join('')}${jump(starts.at(-1) ?? 0)}${bodies.join('')}` as Hex
}
