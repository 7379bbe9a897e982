import { readFileSync } from 'node:fs'
import { expect, expectTypeOf, test } from 'vitest'
import {
  CORE_CODES,
  type CoreCode,
  InputError,
  PlatformError,
  ProofError,
  RpcError,
  TransportError,
  UnavailableError,
} from './errors.js'

test("default: the codes are those of Rust's list", () => {
  const file = new URL('../../../test-vectors/codes.json', import.meta.url)
  const json: unknown = JSON.parse(readFileSync(file, 'utf8'))
  const codes = Array.isArray(json) ? json : (json as { codes: string[] }).codes
  expect([...CORE_CODES].sort()).toEqual([...codes].sort())
  expectTypeOf<CoreCode>().toEqualTypeOf<(typeof CORE_CODES)[number]>()
})

test('default: every error keeps its cause, its code and its name', () => {
  const cause = new Error('why')
  const errors = [
    new InputError('input.address', 'address', 'is short', { cause }),
    new ProofError('verify.root', 'is another', { cause, span: [0, 1], node: 'http://n1' }),
    new UnavailableError('window', 'is pruned', { cause }),
    new TransportError('transport.status', 'http://n1', 'refused', { cause, status: 403 }),
    new PlatformError('platform.csp', 'is forbidden', { cause }),
  ]
  for (const error of errors) {
    expect(error).toBeInstanceOf(Error)
    expect(error.cause).toBe(cause)
    expect(error.name).toBe(error.constructor.name)
    expect(error.code).toContain(error instanceof UnavailableError ? 'window' : '.')
  }
})

test('behavior: without a cause there is no such property', () => {
  expect('cause' in new ProofError('decode.rlp', 'no')).toBe(false)
  const error = { node: 'http://n1', method: 'm', rpcCode: 1, message: 'no' }
  expect('cause' in new RpcError('rpc.server', error)).toBe(false)
})

test('behavior: the kind of a proof error follows from its code', () => {
  expect(new ProofError('decode.response', 'no').kind).toBe('decode')
  expect(new ProofError('verify.code', 'no').kind).toBe('verify')
})
