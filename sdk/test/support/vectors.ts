/** The shared vectors, and the verdict of the shipped wasm on them. */

import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { fromHex, integerBytes } from '../../src/encoding/hex.js'
import { encodeRlp, name } from '../../src/encoding/rlp.js'
import type { FactJson, SourceJson } from '../../src/file.js'
import type { VerifierClass } from '../../src/wasm/module.js'

export interface Vector {
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

/** What a group's vectors have in common. */
export interface Setting {
  readonly chain: { readonly kind: string; readonly chainId: number; readonly genesisHash: string }
  readonly config: {
    readonly format: string
    readonly paramsDigest?: string
    readonly params?: string
  }
}

interface Group extends Setting {
  readonly tests: readonly Vector[]
}

/** All vectors of a system, each with its setting. */
export function readVectors(system: string): (Setting & { vector: Vector; title: string })[] {
  const file = new URL(`../../../test-vectors/${system}.json`, import.meta.url)
  const { groups } = JSON.parse(readFileSync(file, 'utf8')) as { groups: readonly Group[] }
  return groups.flatMap(({ chain, config, tests }) =>
    tests.map((vector) => ({ chain, config, vector, title: `${vector.id}: ${vector.comment}` })),
  )
}

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
export function judge(
  Verifier: VerifierClass,
  { chain, config }: Setting,
  vector: Vector,
): Verdict {
  const chainRlp = encodeRlp([
    name(chain.kind),
    integerBytes(BigInt(chain.chainId)),
    bytes(chain.genesisHash),
  ])
  const digest = bytes(config.paramsDigest ?? '0x')
  try {
    const configRlp = encodeRlp([name(config.format), digest])
    const verifier = new Verifier(chainRlp, configRlp, bytes(config.params ?? '0x'))
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
