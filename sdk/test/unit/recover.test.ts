/** Senders by the module of calls, beside ethers' own recovery. */

import { keccak256, recoverAddress as recoverByEthers, SigningKey, toUtf8Bytes } from 'ethers'
import { describe, expect, test } from 'vitest'
import type { Hex } from '../../src/encoding/hex.js'
import { recoverAddress } from '../../src/entry/evm.js'
import { InputError } from '../../src/entry/node.js'

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const hashOf = (text: string): Hex => keccak256(toUtf8Bytes(text)) as Hex
const word = (value: bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`

function signed(text: string) {
  const { r, s, yParity } = new SigningKey(hashOf(`key ${text}`)).sign(hashOf(text))
  return { hash: hashOf(text), r: r as Hex, s: s as Hex, yParity }
}

describe('recoverAddress', () => {
  test('default: the address that ethers recovers, of both parities', async () => {
    const parities = new Set<number>()
    for (let i = 0; i < 32; i++) {
      const one = signed(`transaction ${i}`)
      const { hash, ...signature } = one
      parities.add(one.yParity)
      expect(await recoverAddress(one)).toBe(recoverByEthers(hash, signature).toLowerCase())
    }
    expect([...parities].sort()).toEqual([0, 1])
  })

  test('behavior: another hash, parity or half of the signature is another address', async () => {
    const one = signed('honest')
    const own = await recoverAddress(one)
    const flipped: 0 | 1 = one.yParity === 0 ? 1 : 0
    const others = [
      { ...one, hash: hashOf('other') },
      { ...one, yParity: flipped },
      { ...one, s: word(BigInt(one.s) - 1n) },
    ]
    for (const other of others) expect(await recoverAddress(other)).not.toBe(own)
    // The other signature of the same key: a block holds only the one with the low s.
    const mirrored = { ...one, s: word(ORDER - BigInt(one.s)), yParity: flipped }
    expect(await recoverAddress(mirrored)).toBe(own)
  })

  test.each([
    ['r of zero', { r: word(0n) }],
    ['s of zero', { s: word(0n) }],
    ['r of the order', { r: word(ORDER) }],
    ['s of the order', { s: word(ORDER) }],
    ['r that is no coordinate', { r: word(5n) }],
    ['r of 31 bytes', { r: `0x${'11'.repeat(31)}` as Hex }],
    ['a hash of 33 bytes', { hash: `0x${'11'.repeat(33)}` as Hex }],
  ])('error: %s', async (_, change) => {
    const refused = await Promise.resolve(recoverAddress({ ...signed('honest'), ...change })).catch(
      (error: unknown) => error,
    )
    expect(refused).toBeInstanceOf(InputError)
    expect(refused).toMatchObject({ code: 'input.request' })
  })
})
