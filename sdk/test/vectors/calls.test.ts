/** Every shared vector of calls, in the shipped wasm. */

import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { bytesOf, type Hex, integerBytes } from '../../src/encoding/hex.js'
import { encodeRlp, name } from '../../src/encoding/rlp.js'
import '../../src/entry/node.js'
import { execute } from '../../src/evm/execute.js'

interface Expected {
  readonly status: string
  readonly item?: unknown
}

interface File {
  /** How many there are, pinned by core's runner. */
  readonly cases: number
  readonly groups: readonly {
    readonly chain: { readonly kind: string; readonly chainId: number; readonly genesisHash: Hex }
    readonly tests: readonly {
      readonly id: number
      readonly comment: string
      readonly forks: Hex
      readonly request: Hex
      readonly expected:
        | { readonly result: 'answers'; readonly answers: readonly Expected[] }
        | { readonly result: 'invalid'; readonly code: string }
    }[]
  }[]
}

const path = new URL('../../../test-vectors/calls.json', import.meta.url)
const { cases, groups } = JSON.parse(readFileSync(path, 'utf8')) as File
const all = groups.flatMap(({ chain, tests }) => tests.map((vector) => ({ chain, ...vector })))

describe('calls', () => {
  test('all of them are run', () => expect(all).toHaveLength(cases))

  test.each(all)('$id: $comment', async ({ chain, forks, request, expected }) => {
    const { kind, chainId, genesisHash } = chain
    const answer = await execute({
      kind: 'calls',
      chain: encodeRlp([name(kind), integerBytes(BigInt(chainId)), bytesOf(genesisHash)]),
      forks: bytesOf(forks),
      request: bytesOf(request),
    })
    const got = JSON.parse(String(answer)) as { answers?: { items?: unknown[] }[] }
    if (expected.result === 'invalid') {
      expect(got).toMatchObject({ status: 'rejected', code: expected.code })
      return
    }
    expect(got.answers).toMatchObject(expected.answers.map(({ item: _, ...rest }) => rest))
    const items = expected.answers.map(({ item }) => item)
    expect(got.answers?.map((one) => one.items?.[0])).toEqual(items)
  })
})
