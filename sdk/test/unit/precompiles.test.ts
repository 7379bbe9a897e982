/**
 * Precompiled contracts on curves, called over proven state, beside another library's arithmetic.
 */

// Before any module is loaded.
import '../support/traps.js'
import { bls12_381 } from '@noble/curves/bls12-381.js'
import { bn254 } from '@noble/curves/bn254.js'
import { p256 } from '@noble/curves/nist.js'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Hex } from '../../src/encoding/hex.js'
import { call } from '../../src/entry/evm.js'
import { Curves } from '../../src/evm/execute.js'
import { address, chain, methods } from '../support/callWorld.js'
import { ASKING, clientOf } from '../support/client.js'
import { instancesWith, poison } from '../support/traps.js'

const G1 = bls12_381.G1.Point
const G2 = bls12_381.G2.Point
const BN = bn254.G1.Point

/** 64 bytes, big-endian. */
const field = (value: bigint): string => value.toString(16).padStart(128, '0')
const half = (value: bigint): string => value.toString(16).padStart(64, '0')
const bn = ({ x, y }: { x: bigint; y: bigint }): string => half(x) + half(y)
const g1 = ({ x, y }: { x: bigint; y: bigint }): string => field(x) + field(y)
type Complex = { c0: bigint; c1: bigint }
const g2 = ({ x, y }: { x: Complex; y: Complex }): string =>
  [x.c0, x.c1, y.c0, y.c1].map(field).join('')
/** BN254's imaginary part comes first. */
const bn2 = ({ x, y }: { x: Complex; y: Complex }): string =>
  [x.c1, x.c0, y.c1, y.c0].map(half).join('')

const P = BN.BASE.multiply(11n).toAffine()
const [Q, R] = [G1.BASE.multiply(5n), G1.BASE.multiply(7n)]
const [S, T] = [G2.BASE.multiply(5n), G2.BASE.multiply(7n)]
const key = p256.keygen(new Uint8Array(48).fill(3))
const hash = new Uint8Array(32).fill(9)
const signature = p256.sign(hash, key.secretKey, { prehash: false })
const point = p256.Point.fromBytes(key.publicKey).toAffine()
const signed = (message: Uint8Array): string =>
  Buffer.from(message).toString('hex') +
  Buffer.from(signature).toString('hex') +
  half(point.x) +
  half(point.y)

/** Whatever its type says, the library wants the element itself. */
const ONE_ELEMENT = 9n as unknown as bigint[]
const TRUE = half(1n)
const cases: readonly [string, number, string, string][] = [
  ['a sum on BN254', 6, bn(P) + bn(BN.BASE), bn(BN.BASE.multiply(12n).toAffine())],
  ['a multiple on BN254', 7, bn(P) + half(6n), bn(BN.BASE.multiply(66n).toAffine())],
  [
    'pairings on BN254',
    8,
    bn(P) +
      bn2(bn254.G2.Point.BASE) +
      bn(BN.BASE.negate()) +
      bn2(bn254.G2.Point.BASE.multiply(11n).toAffine()),
    TRUE,
  ],
  ['pairings that do not cancel', 8, bn(P) + bn2(bn254.G2.Point.BASE), half(0n)],
  ['a sum on G1', 0x0b, g1(Q.toAffine()) + g1(R.toAffine()), g1(Q.add(R).toAffine())],
  [
    'multiples on G1',
    0x0c,
    g1(Q.toAffine()) + half(3n) + g1(R.toAffine()) + half(2n),
    g1(G1.BASE.multiply(29n).toAffine()),
  ],
  ['a sum on G2', 0x0d, g2(S.toAffine()) + g2(T.toAffine()), g2(S.add(T).toAffine())],
  [
    'multiples on G2',
    0x0e,
    g2(S.toAffine()) + half(3n) + g2(T.toAffine()) + half(2n),
    g2(G2.BASE.multiply(29n).toAffine()),
  ],
  [
    'pairings on BLS12-381',
    0x0f,
    g1(Q.toAffine()) + g2(T.toAffine()) + g1(R.negate().toAffine()) + g2(S.toAffine()),
    TRUE,
  ],
  ['a map to G1', 0x10, field(9n), g1(bls12_381.G1.mapToCurve(ONE_ELEMENT))],
  ['a map to G2', 0x11, field(9n) + field(8n), g2(bls12_381.G2.mapToCurve([9n, 8n]))],
]

const run = async (number: number, input: string): Promise<unknown> => {
  const { client } = clientOf(chain, [methods], ASKING)
  const data = `0x${input}` as Hex
  const result = await call(client, { to: address(number), data, gas: 2n ** 24n })
  return 'error' in result ? result.error.code : result.value.output
}

const bytes = (text: string): Uint8Array => Buffer.from(text, 'hex')
const hex = (of: Uint8Array): string => Buffer.from(of).toString('hex')

describe('precompiled contracts on curves', () => {
  const curves = new Curves()
  beforeAll(async () => {
    for (const number of [6, 0x0b]) curves.precompile(number, new Uint8Array())
    await curves.load()
  })

  test.each(cases)('%s', (_, number, input, output) => {
    expect(hex(curves.precompile(number, bytes(input)))).toBe(`01${output}`)
    expect(hex(curves.precompile(number, bytes(input.slice(2))))).not.toBe(`01${output}`)
  })

  test('a signature on secp256r1', () => {
    expect(hex(curves.precompile(0x100, bytes(signed(hash))))).toBe(`01${TRUE}`)
    const other = new Uint8Array(32).fill(8)
    expect(hex(curves.precompile(0x100, bytes(signed(other))))).toBe('01')
  })

  test('unknown: a number that is none', () => {
    for (const number of [1, 5, 9, 0x12, 0x101]) {
      expect(curves.precompile(number, bytes(TRUE))).toHaveLength(0)
    }
  })
})

test.each(cases.filter(([, number]) => number <= 8))(
  'a call runs %s',
  async (_, number, input, output) => {
    expect(await run(number, input)).toBe(`0x${output}`)
  },
)

describe('a module of curves that traps', () => {
  beforeAll(async () => void (await run(6, bn(P))))

  test('takes the call with it, and both are replaced', async () => {
    const curves = new Curves()
    expect(curves.precompile(6, new Uint8Array(128))).toHaveLength(0)
    expect(await curves.load()).toBe(true)
    expect(await curves.load()).toBe(false)
    const before = instancesWith('precompile')
    poison('precompile')
    expect(() => curves.precompile(6, new Uint8Array(128))).toThrow('precompile failed')
    expect(instancesWith('precompile')).toBeGreaterThan(before)
    expect(curves.precompile(6, new Uint8Array(128))[0]).toBe(1)
    poison('precompile')
    const calls = instancesWith('calls')
    expect(await run(6, bn(P) + bn(BN.BASE))).toBe('node')
    expect(instancesWith('calls')).toBe(calls + 1)
    expect(await run(6, bn(P) + bn(BN.BASE))).toBe(`0x${bn(BN.BASE.multiply(12n).toAffine())}`)
  })
})
