/** Every shared vector: through the shipped wasm as it is, and through the SDK as a proof file. */

import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { fromHex, integerBytes } from '../../src/encoding/hex.js'
import { encodeRlp, name } from '../../src/encoding/rlp.js'
import { InputError, type ProofError, verifyProofFile } from '../../src/entry/node.js'
import type { FactJson, SourceJson } from '../../src/file.js'
import { loadHash } from '../../src/wasm/module.js'

/** Raise it when vectors are added: a runner that skips some must fail. */
const COUNT = 221

interface Vector {
  readonly id: number
  readonly comment: string
  readonly source: SourceJson
  readonly query: string
  readonly variant: string
  readonly proof: string
  readonly expected:
    | { readonly result: 'valid'; readonly fact: FactJson }
    | { readonly result: 'invalid'; readonly code: string }
}

interface Group {
  readonly chain: { readonly kind: string; readonly chainId: number; readonly genesisHash: string }
  readonly config: { readonly format: string; readonly paramsDigest?: string }
  readonly tests: readonly Vector[]
}

const file = new URL('../../../test-vectors/mpt.json', import.meta.url)
const { groups } = JSON.parse(readFileSync(file, 'utf8')) as { groups: readonly Group[] }
const cases = groups.flatMap(({ chain, config, tests }) =>
  tests.map((vector) => ({ chain, config, vector, title: `${vector.id}: ${vector.comment}` })),
)

const { MptVerifier } = await loadHash()
const none = new Uint8Array(0)

function bytes(hex: string): Uint8Array {
  const parsed = fromHex(hex)
  if (parsed === undefined) throw new Error(`not hex: ${hex}`)
  return parsed
}

function sourceRlp(source: SourceJson): Uint8Array {
  return 'header' in source
    ? encodeRlp([name('header'), bytes(source.header.hash), source.header.rlps.map(bytes)])
    : encodeRlp([name('root'), integerBytes(BigInt(source.root.number)), bytes(source.root.bytes)])
}

/** A list of already encoded items. */
function listOf(items: readonly Uint8Array[]): Uint8Array {
  const payload = Uint8Array.from(items.flatMap((item) => [...item]))
  // A string's prefix of 56 bytes or more becomes a list's by adding 0x40.
  const string = encodeRlp(payload)
  string[0] = (string[0] ?? 0) + 0x40
  return string
}

interface Verdict {
  readonly status: string
  readonly code?: string
  readonly fact?: unknown
}

/** The verdict of the wasm itself. */
function judge({ chain, config }: Group, vector: Vector): Verdict {
  const chainRlp = encodeRlp([
    name(chain.kind),
    integerBytes(BigInt(chain.chainId)),
    bytes(chain.genesisHash),
  ])
  const digest = config.paramsDigest === undefined ? none : bytes(config.paramsDigest)
  try {
    const configRlp = encodeRlp([name(config.format), digest])
    const verifier = new MptVerifier(chainRlp, configRlp, none)
    const strings = [bytes(vector.query), name(vector.variant), bytes(vector.proof)]
    const claim = listOf([sourceRlp(vector.source), ...strings.map((item) => encodeRlp(item))])
    const verdicts = JSON.parse(verifier.verify(listOf([claim]), new Uint8Array(32))) as Verdict[]
    expect(verdicts).toHaveLength(1)
    return verdicts[0] ?? { status: 'none' }
  } catch (error) {
    if (typeof error !== 'string') throw error
    return JSON.parse(error) as Verdict
  }
}

test('default: no vector is missing', () => {
  expect(cases).toHaveLength(COUNT)
  expect(new Set(cases.map(({ vector }) => vector.id)).size).toBe(COUNT)
})

describe('the shipped wasm', () => {
  test.each(cases)('$title', ({ chain, config, vector }) => {
    const verdict = judge({ chain, config, tests: [] }, vector)
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
