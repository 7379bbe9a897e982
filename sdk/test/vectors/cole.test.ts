/** Every shared vector of cole, through the shipped wasm as it is. */

import { expect, test } from 'vitest'
import '../../src/entry/node.js'
import { loadHash } from '../../src/wasm/module.js'
import { judge, readVectors } from '../support/vectors.js'

/** Raise it when vectors are added: a runner that skips some must fail. */
const COUNT = 392

const cases = readVectors('cole')
const { ColeVerifier } = await loadHash()

test('default: no vector is missing', () => {
  expect(cases).toHaveLength(COUNT)
  expect(new Set(cases.map(({ vector }) => vector.id)).size).toBe(COUNT)
})

test.each(cases)('$title', ({ chain, config, vector }) => {
  const verdict = judge(ColeVerifier, { chain, config }, vector)
  const { expected } = vector
  if (expected.result === 'valid') {
    expect(verdict).toMatchObject({ status: 'proven' })
    expect(verdict.fact).toEqual(expected.fact)
  } else {
    expect(verdict).toMatchObject({ status: 'rejected', code: expected.code })
  }
})
