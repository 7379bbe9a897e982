import { expect, test } from 'vitest'
import { mainnet } from '../client/chains.js'
import { parseHash } from '../encoding/input.js'
import { ProofError, RpcError, UnavailableError } from './errors.js'
import { resultToJson } from './json.js'
import type { Trust } from './result.js'

const HASH = parseHash(mainnet.genesisHash, 'hash', 'input.block')

const TRUST: Trust = {
  chain: { name: 'mainnet', chainId: 1 },
  block: { number: 16n, hash: HASH, timestamp: 1_700_000_000n, ageSeconds: 12 },
  finality: 'pinned',
  anchor: { kind: 'block', hash: HASH, ageSeconds: 12 },
  headLagSeconds: 12,
  system: 'mpt',
  variant: 'plain',
  headersFrom: [],
  servedBy: 'http://n1',
  tried: [],
  proved: ['header', 'account', 'balance'],
  notProved: ['anchor', 'recency'],
}

test('default: a proven value', () => {
  const json = resultToJson({ status: 'present', value: 42n, trust: TRUST })
  expect(json).toEqual({
    status: 'present',
    value: '0x2a',
    trust: {
      ...TRUST,
      block: { number: '0x10', hash: HASH, timestamp: '0x6553f100', ageSeconds: 12 },
    },
  })
  expect(JSON.parse(JSON.stringify(json))).toEqual(json)
})

test('default: proven absence keeps its null', () => {
  const json = resultToJson({ status: 'absent', value: null, trust: TRUST })
  expect(json).toMatchObject({ status: 'absent', value: null })
})

test('default: an invalid result', () => {
  const error = new ProofError('verify.root', 'is another', { node: 'http://n1', span: [3, 9] })
  expect(resultToJson({ status: 'invalid', error, evidence: [] })).toEqual({
    status: 'invalid',
    error: {
      name: 'ProofError',
      code: 'verify.root',
      message: 'is another',
      kind: 'verify',
      span: [3, 9],
      node: 'http://n1',
    },
    evidence: [],
  })
})

test('default: an unavailable result leaves the cause out', () => {
  const details = { node: 'http://n1', method: 'm', rpcCode: -1, message: 'no', data: { a: 1n } }
  const cause = new RpcError('rpc.server', details)
  const error = new UnavailableError('node', 'no proof', { cause })
  const tried = [{ node: 'http://n1', code: 'rpc.server' }]
  expect(resultToJson({ status: 'unavailable', error, tried })).toEqual({
    status: 'unavailable',
    error: { name: 'UnavailableError', code: 'node', message: 'no proof' },
    tried,
  })
})
