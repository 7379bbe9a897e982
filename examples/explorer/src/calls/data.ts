/** What is called, in words: a function with its arguments, or bytes. */

import { InputError } from 'lightproof'
import { printable } from 'lightproof/printable'

/** Functions that are known by name, and the first four bytes of their signatures' hashes. */
export const FUNCTIONS: Readonly<Record<string, `0x${string}`>> = {
  'name()': '0x06fdde03',
  'symbol()': '0x95d89b41',
  'decimals()': '0x313ce567',
  'totalSupply()': '0x18160ddd',
  'balanceOf(address)': '0x70a08231',
  'allowance(address,address)': '0xdd62ed3e',
  'owner()': '0x8da5cb5b',
  'ownerOf(uint256)': '0x6352211e',
  'isApprovedForAll(address,address)': '0xe985e9c5',
  'transfer(address,uint256)': '0xa9059cbb',
  'approve(address,uint256)': '0x095ea7b3',
}

/**
 * Calldata of `balanceOf(0x…)`, of `0x70a08231(0x…)`, or bytes as they are. Arguments are words:
 * decimal numbers, or hex that is padded on the left.
 *
 * @throws {@link InputError} for anything else.
 */
export function dataOf(text: string): string {
  if (/^(0x([0-9a-f]{2})*)?$/i.test(text)) return text === '' ? '0x' : text
  const [, name = '', list = ''] = /^(\w+)\s*\((.*)\)$/.exec(text) ?? []
  const given = list.trim() === '' ? [] : list.split(',').map((one) => one.trim())
  const selector = selectorOf(name, given.length)
  const words = given.map(wordOf)
  if (selector !== undefined && !words.includes(undefined)) return selector + words.join('')
  const known = `a function such as balanceOf(0x…), its first four bytes and arguments, or hex`
  throw new InputError('input.option', 'data', `expected ${known}, got "${printable(text)}"`)
}

function selectorOf(name: string, count: number): string | undefined {
  if (/^0x[0-9a-f]{8}$/i.test(name)) return name
  const found = Object.entries(FUNCTIONS).find(([signature]) => {
    const [called, kinds = ''] = signature.slice(0, -1).split('(')
    return called === name && kinds.split(',').filter((kind) => kind !== '').length === count
  })
  return found?.[1]
}

function wordOf(text: string): string | undefined {
  if (!/^(0x[0-9a-f]{1,64}|\d{1,78})$/i.test(text)) return undefined
  const digits = BigInt(text).toString(16)
  return digits.length > 64 ? undefined : digits.padStart(64, '0')
}
