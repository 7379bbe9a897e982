import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import '../entry/node.js'
import { ProofError } from '../result/errors.js'
import { loadHash } from '../wasm/module.js'
import { equalBytes, fromHex, integerBytes, isBytes, toHex, toQuantity } from './hex.js'
import { parseAddress, parseOptions, parseSlot } from './input.js'
import { itemsOf, readRlp, stringOf } from './readRlp.js'
import { encodeRlp, name, type RlpValue } from './rlp.js'
import { asBytes, asInteger, asList, asRecord } from './untrusted.js'

const utf8 = new TextEncoder()
const hex = (value: RlpValue): string => toHex(encodeRlp(value)).slice(2)

describe('RLP', () => {
  const LOREM = utf8.encode('Lorem ipsum dolor sit amet, consectetur adipisicing elit')

  // The examples of the Ethereum wiki's page on RLP.
  test.each<[string, RlpValue, string]>([
    ['dog', name('dog'), '83646f67'],
    ['cat, dog', [name('cat'), name('dog')], 'c88363617483646f67'],
    ['empty string', new Uint8Array(0), '80'],
    ['empty list', [], 'c0'],
    ['zero byte', Uint8Array.of(0), '00'],
    ['fifteen', Uint8Array.of(15), '0f'],
    ['0x7f', Uint8Array.of(0x7f), '7f'],
    ['0x80', Uint8Array.of(0x80), '8180'],
    ['1024', integerBytes(1024n), '820400'],
    ['sets', [[], [[]], [[], [[]]]], 'c7c0c1c0c3c0c1c0'],
    ['56 bytes', LOREM, `b838${Buffer.from(LOREM).toString('hex')}`],
  ])('default: %s', (_, value, expected) => {
    expect(hex(value)).toBe(expected)
  })

  test('behavior: lengths at the edges of the prefix forms', () => {
    expect(hex(new Uint8Array(55)).slice(0, 2)).toBe('b7')
    expect(hex(new Uint8Array(56)).slice(0, 4)).toBe('b838')
    expect(hex(new Uint8Array(256)).slice(0, 6)).toBe('b90100')
    expect(hex(new Uint8Array(65536)).slice(0, 8)).toBe('ba010000')
    expect(hex([new Uint8Array(65536)]).slice(0, 16)).toBe('fa010004ba010000')
    expect(hex(Array.from({ length: 55 }, () => Uint8Array.of(1))).slice(0, 2)).toBe('f7')
    expect(hex(Array.from({ length: 256 }, () => Uint8Array.of(1))).slice(0, 6)).toBe('f90100')
  })
})

describe('bytes of another realm, as jsdom makes them', () => {
  const made = (code: string): unknown => runInNewContext(code)
  const foreign = made('Uint8Array.of(1, 0x80)')

  test('default: they are bytes, in RLP too', () => {
    expect(foreign).not.toBeInstanceOf(Uint8Array)
    if (!isBytes(foreign)) throw new Error('not bytes')
    expect(hex([foreign, [foreign]])).toBe('c7820180c3820180')
    const rlp = made('Uint8Array.of(0xc3, 0x82, 1, 0x80)')
    if (!isBytes(rlp)) throw new Error('not bytes')
    expect([...stringOf(itemsOf(readRlp(rlp))[0])]).toEqual([1, 0x80])
    expect(() => itemsOf(foreign)).toThrow(ProofError)
  })

  test.each([
    'new DataView(new ArrayBuffer(2))',
    'Uint16Array.of(1)',
    'new ArrayBuffer(2)',
    '[1, 2]',
    'undefined',
  ])('error: %s is no bytes', (code) => {
    expect(isBytes(made(code))).toBe(false)
  })
})

describe('hex', () => {
  test('behavior: bytes survive the way there and back', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const back = fromHex(toHex(bytes))
        return back !== undefined && equalBytes(bytes, back)
      }),
    )
  })

  test.each(['', '0', '0x0', '0xg0', '0x0g', 'ff', '0X00', '0x 1', '0x@@', '0x``', '0x٠٠'])(
    'error: %j is no hex',
    (text) => {
      expect(fromHex(text)).toBeUndefined()
    },
  )

  test('behavior: upper case is read, lower case written', () => {
    expect(toHex(fromHex('0xABCDEF') ?? new Uint8Array(0))).toBe('0xabcdef')
    const long = 'abcdef0123456789'.repeat(100)
    expect(toHex(fromHex(`0x${long.toUpperCase()}`) ?? new Uint8Array(0))).toBe(`0x${long}`)
  })

  // The last two end in a byte that is a digit.
  test.each(['g', 'G', '/', ':', '@', '`', ' ', '\0', '\u0130', '\u0661'])(
    'error: %j is no digit of long hex, wherever it is',
    (letter) => {
      for (const at of [2, 3, 254, 255, 256, 257, 998, 999]) {
        const text = `0x${'0'.repeat(998)}`
        expect(fromHex(text)).toHaveLength(499)
        expect(fromHex(text.slice(0, at) + letter + text.slice(at + 1))).toBeUndefined()
      }
    },
  )

  test.each(['shares memory', 'copies it'])(
    'behavior: what stands in for a Buffer on a page, and %s, reads no other bytes',
    async (kind) => {
      const from = (memory: ArrayBuffer) => {
        const bytes = new Uint8Array(kind === 'copies it' ? memory.slice(0) : memory)
        // As packages do that bring a Buffer to pages.
        const write = (text: string): number => {
          for (const i of bytes.keys()) bytes[i] = Number.parseInt(text.slice(2 * i, 2 * i + 2), 16)
          return bytes.length
        }
        return Object.assign(bytes, { write })
      }
      vi.stubGlobal('Buffer', { from })
      vi.resetModules()
      try {
        const page: typeof import('./hex.js') = await import('./hex.js')
        const long = `0x${'1f'.repeat(499)}`
        expect(page.fromHex(long)).toEqual(fromHex(long))
        expect(page.fromHex(`${long.slice(0, -2)}1g`)).toBeUndefined()
      } finally {
        vi.unstubAllGlobals()
        vi.resetModules()
      }
    },
  )

  test('behavior: integers are minimal', () => {
    expect(integerBytes(0n)).toHaveLength(0)
    expect(toHex(integerBytes(255n))).toBe('0xff')
    expect(toHex(integerBytes(256n))).toBe('0x0100')
    expect(toQuantity(0n)).toBe('0x0')
  })
})

describe('addresses', () => {
  const parse = async (text: unknown): Promise<string> =>
    parseAddress(text, 'address', await loadHash())

  // The examples of EIP-55.
  test.each([
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
    '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
    '0x52908400098527886E0F7030069857D2E4169EE7',
    '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
    '0xde709f2102306220921060314715629080e2fb77',
    '0x27b1fdb04752bbc536007a920d24acb045561c26',
  ])('default: %s', async (text) => {
    expect(await parse(text)).toBe(text.toLowerCase())
    expect(await parse(`0x${text.slice(2).toUpperCase()}`)).toBe(text.toLowerCase())
  })

  test('error: any single letter in the wrong case', async () => {
    const text = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
    for (const [at, char] of [...text].entries()) {
      if (at < 2 || !/[a-f]/i.test(char)) continue
      const other = char === char.toLowerCase() ? char.toUpperCase() : char.toLowerCase()
      const wrong = text.slice(0, at) + other + text.slice(at + 1)
      await expect(parse(wrong)).rejects.toMatchObject({ code: 'input.checksum' })
    }
  })

  test.each(['', '0x', '5aaeb6053f3e94c9b9a09f33669435e7ef1beaed', `0x${'1'.repeat(39)}`, null, 1])(
    'error: %j',
    async (text) => {
      await expect(parse(text)).rejects.toMatchObject({ code: 'input.address' })
    },
  )
})

describe('slots', () => {
  test('behavior: numbers and short hex are padded to 32 bytes', () => {
    const seven = `0x${'0'.repeat(63)}7`
    for (const slot of [7, 7n, '0x7', '0x07', seven]) expect(parseSlot(slot, 'slot')).toBe(seven)
  })
})

describe('options', () => {
  test('error: a misspelt option is named', () => {
    const parse = (): unknown => parseOptions({ timeoutMS: 1 }, 'options', ['timeoutMs'])
    expect(parse).toThrow(expect.objectContaining({ argument: 'timeoutMS', code: 'input.option' }))
  })
})

describe("a node's JSON", () => {
  test('error: random values are typed errors', () => {
    const parsers = [
      (value: unknown) => asRecord(value, 'field'),
      (value: unknown) => asList(value, 'field'),
      (value: unknown) => asBytes(value, 'field', 32),
      (value: unknown) => asInteger(value, 'field'),
    ]
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(...parsers), (value, parse) => {
        try {
          parse(value)
        } catch (error) {
          expect(error).toBeInstanceOf(ProofError)
          expect(error).toMatchObject({ code: 'decode.response', kind: 'decode' })
          expect(error).toHaveProperty('message', expect.stringContaining('field'))
        }
      }),
    )
  })

  test('behavior: padded integers are read, floats and decimals are not', () => {
    expect(asInteger('0x002a', 'value')).toBe(42n)
    for (const value of [42, '42', '0x', `0x${'1'.repeat(65)}`, '0x1.0', '-0x1', null]) {
      expect(() => asInteger(value, 'value')).toThrow(ProofError)
    }
  })
})
