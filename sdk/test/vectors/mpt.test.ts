/** Every shared vector: through the shipped wasm as it is, and through the SDK as a proof file. */

import { describe, expect, test } from 'vitest'
import { InputError, type ProofError, verifyProofFile } from '../../src/entry/node.js'
import { loadHash } from '../../src/wasm/module.js'
import { judge, readVectors } from '../support/vectors.js'

/** Raise it when vectors are added: a runner that skips some must fail. */
const COUNT = 221

const cases = readVectors('mpt')
const { MptVerifier } = await loadHash()

test('default: no vector is missing', () => {
  expect(cases).toHaveLength(COUNT)
  expect(new Set(cases.map(({ vector }) => vector.id)).size).toBe(COUNT)
})

describe('the shipped wasm', () => {
  test.each(cases)('$title', ({ chain, config, vector }) => {
    const verdict = judge(MptVerifier, { chain, config }, vector)
    const { expected } = vector
    if (expected.result === 'valid') {
      expect(verdict).toMatchObject({ status: 'proven' })
      expect(verdict.fact).toEqual(expected.fact)
    } else {
      expect(verdict).toMatchObject({ status: 'rejected', code: expected.code })
    }
  })
})

describe('the SDK', () => {
  test.each(cases)('$title', async ({ chain, config, vector }) => {
    const { source, expected } = vector
    const record = { schema: 1, kind: 'proof', system: 'mpt', chain, config, ...vector }
    const anchor =
      'header' in source
        ? { block: source.header.hash }
        : { root: source.root.bytes, number: Number(source.root.number) }
    const verdict = await verifyProofFile(record, { anchor }).catch((error: unknown) => error)
    if (expected.result === 'valid') {
      const status = expected.fact.account.status
      expect(verdict).toMatchObject({ status })
    } else if (verdict instanceof InputError) {
      // A root that is none is the caller's, since the anchor is.
      expect([verdict.argument, expected.code]).toEqual(['anchor.root', 'input.request'])
    } else {
      expect(verdict).toMatchObject({ status: 'invalid' })
      const { error } = verdict as { error: ProofError }
      const expectedCode = AS_FILE.get(expected.code) ?? expected.code
      expect(codesOf(error)).toContain(expectedCode)
    }
  })
})

/** What the caller configures is a stranger's word in a file: malformed there, not the caller's mistake. */
const AS_FILE = new Map(
  ['input.chain', 'input.config', 'input.params'].map((code) => [code, 'decode.response']),
)

/** The error's code, and that of the core's error behind it. */
function codesOf(error: ProofError): string[] {
  const { cause } = error
  return cause instanceof InputError ? [error.code, cause.code] : [error.code]
}
