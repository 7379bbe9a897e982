import { expect, test } from 'vitest'
import {
  InputError,
  PlatformError,
  ProofError,
  RpcError,
  TransportError,
  UnavailableError,
} from '../result/errors.js'
import { shown } from './input.js'
import { escaped, printable } from './printable.js'

/** What moves a cursor, hides or turns text, or ends a line. */
const HOSTILE: readonly string[] = [
  '\u001b[2J\u001b[32mPROVEN',
  '\u009b2J',
  'a\rb',
  'a\nb',
  '\u0000\u0007\u0008\u007f\u0085',
  '\u202eVEORP\u202c',
  '\u2066a\u2069\u200e\u200f\u061c',
  'a\u2028b\u2029c',
  '\u200b\ufeff\u00ad',
  '\ud800',
  '\u{e0041}',
]
const BAD = /[\p{C}\p{Zl}\p{Zp}]/u

test('default: plain text is left as it is', () => {
  for (const text of ['', 'verify.root', 'Übergröße ✓ 漢字 😀', '"\\n"']) {
    expect(printable(text)).toBe(text)
  }
})

test('default: each hostile character becomes its number', () => {
  expect(printable('a\u001b[2Jb\u2028\u202e')).toBe('a\\u{1b}[2Jb\\u{2028}\\u{202e}')
  for (const text of HOSTILE) expect(printable(text)).not.toMatch(BAD)
})

test('behavior: long text is cut, however it was made long', () => {
  expect(printable('a'.repeat(200))).toBe('a'.repeat(200))
  for (const text of ['a'.repeat(201), '\u001b'.repeat(200), '😀'.repeat(101)]) {
    expect(printable(text)).toHaveLength(200)
    expect(printable(text)).toMatch(/…$/)
  }
  expect(printable('abcdef', 4)).toBe('abc…')
  // Nobody raises it.
  expect(printable('a'.repeat(999), Number.POSITIVE_INFINITY)).toHaveLength(200)
})

test('behavior: of a whole message nothing is cut', () => {
  expect(escaped('a'.repeat(999))).toHaveLength(999)
  for (const text of HOSTILE) expect(escaped(text)).toBe(printable(text))
})

test('error: no error of this package carries it on', () => {
  for (const text of HOSTILE) {
    const details = { node: 'n', method: text, rpcCode: 1, message: text }
    const errors = [
      new InputError('input.option', text, text),
      new ProofError('verify.root', text),
      new UnavailableError('node', text),
      new TransportError('transport.json', 'n', text),
      new RpcError('rpc.server', details),
      new PlatformError('platform.wasm', text),
    ]
    for (const error of errors) {
      expect(error.message).not.toMatch(BAD)
      expect(String(error.stack?.split('\n    at ')[0])).not.toMatch(BAD)
    }
    expect(errors[0]).toHaveProperty('argument', printable(text))
    expect(shown(text)).not.toMatch(BAD)
  }
})

test('error: a long stranger is cut, and so is a message made of many', () => {
  const long = 'x'.repeat(100_000)
  const message = (error: Error): number => error.message.length
  expect(message(new InputError('input.option', long, 'no'))).toBeLessThan(210)
  const details = { node: 'n', method: 'm', rpcCode: 1, message: long }
  expect(message(new RpcError('rpc.server', details))).toBeLessThan(230)
  expect(message(new ProofError('verify.root', long))).toBe(2000)
})
