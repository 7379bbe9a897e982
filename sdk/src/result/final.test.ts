import { describe, expect, test } from 'vitest'
import { ProviderRpcError, RPC_CODES, toRpcError } from '../adapters/rpcError.js'
import {
  InputError,
  PlatformError,
  ProofError,
  RpcError,
  TransportError,
  UnavailableError,
} from './errors.js'
import { isFinal } from './final.js'

const refusal = { node: 'http://n1', method: 'eth_call', rpcCode: -32000, message: 'no' }

describe.each([
  ['as it is', (error: Error): unknown => error],
  ['by a provider', (error: Error): unknown => toRpcError(error)],
  [
    'wrapped by a library',
    (error: Error): unknown => {
      const cause = Object.assign(new Error('unknown', { cause: toRpcError(error) }), { code: -1 })
      return new Error('call failed', { cause })
    },
  ],
])('%s', (_, wrapped) => {
  test.each([
    new ProofError('verify.merkle', 'false'),
    new ProofError('decode.response', 'malformed'),
    new InputError('input.address', 'address', 'wrong'),
    new PlatformError('platform.csp', 'forbidden'),
    new UnavailableError('expired', 'old'),
    new UnavailableError('chain.fork', 'new'),
    new UnavailableError('unsupported', 'unknown'),
    new ProviderRpcError(RPC_CODES.unsupportedMethod, 'refused', { code: 'unprovable' }),
    new ProviderRpcError(3, 'execution reverted', '0x'),
    new ProviderRpcError(4001, 'the user refused'),
  ])('final: $code', (error) => {
    expect(isFinal(wrapped(error))).toBe(true)
  })

  test.each([
    new UnavailableError('unreachable', 'down'),
    new UnavailableError('stale', 'old'),
    new UnavailableError('block', 'not yet'),
    new UnavailableError('untrusted', 'not signed yet'),
    new UnavailableError('limit', 'too many'),
    new UnavailableError('deadline', 'slow'),
    new PlatformError('platform.trap', 'memory'),
    new TransportError('transport.timeout', 'http://n1', 'slow'),
    new RpcError('rpc.server', refusal),
    new ProviderRpcError(RPC_CODES.disconnected, 'closed'),
  ])('not final: $code', (error) => {
    expect(isFinal(wrapped(error))).toBe(false)
  })
})

test('nothing that a node says is final but a revert and a transaction that it rejects', () => {
  const said = (rpcCode: number) =>
    isFinal(toRpcError(new RpcError('rpc.server', { ...refusal, rpcCode })))
  expect([-32602, 4200, -32070, -32000].map(said)).toEqual([false, false, false, false])
})

test('what is no error, and causes in a circle', () => {
  const circle = new Error('one')
  circle.cause = circle
  for (const value of [undefined, null, 'text', 7, {}, circle]) expect(isFinal(value)).toBe(false)
})
