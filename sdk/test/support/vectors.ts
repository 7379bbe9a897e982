/** The shared vectors, and the verdict of the shipped wasm on them. */

import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parseChain } from '../../src/client/chains.js'
import { fromHex, integerBytes } from '../../src/encoding/hex.js'
import { encodeRlp, name } from '../../src/encoding/rlp.js'
import { InputError, type ProofError, verifyProofFile } from '../../src/entry/node.js'
import type { Place, VerifyJob } from '../../src/proving/engine.js'
import type { SourceJson } from '../../src/result/file.js'
import type { ProofSystem } from '../../src/systems/system.js'
import { loadModule, type SystemVerifier, type VerifierClass } from '../../src/wasm/module.js'

interface Vector {
  readonly id: number
  readonly comment: string
  readonly source: SourceJson
  readonly query: string
  readonly variant: string
  readonly proof: string
  readonly expected:
    | { readonly result: 'valid'; readonly fact: object }
    | { readonly result: 'invalid'; readonly code: string }
}

/** What a group's vectors have in common. */
interface Setting {
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

/** A vector with its setting. */
export interface Case extends Setting {
  readonly vector: Vector
  readonly title: string
}

/** The name of a system's file in `test-vectors/`, without the ending. */
export const fileNameOf = (system: string): string => (system === 'body' ? 'inclusion' : system)

/** A file's vectors. Core's runner pins how many it states. */
interface File {
  readonly cases: number
  readonly groups: readonly Group[]
}

function readFile(name: string): File {
  const file = new URL(`../../../test-vectors/${name}.json`, import.meta.url)
  return JSON.parse(readFileSync(file, 'utf8')) as File
}

/** All vectors of a file. */
export function readVectors(name: string): Case[] {
  return readFile(name).groups.flatMap(({ chain, config, tests }) =>
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

/** Verifiers by the configuration of their group: some take long to prepare. */
const verifiers = new WeakMap<object, SystemVerifier>()

function verifierFor(Verifier: VerifierClass, { chain, config }: Setting): SystemVerifier {
  const known = verifiers.get(config)
  if (known !== undefined) return known
  const made = settingOf({ chain, config })
  const verifier = new Verifier(made.chain, made.config, made.params)
  verifiers.set(config, verifier)
  return verifier
}

function settingOf({ chain, config }: Setting): Pick<Place, 'chain' | 'config' | 'params'> {
  const { kind, chainId, genesisHash } = chain
  return {
    chain: encodeRlp([name(kind), integerBytes(BigInt(chainId)), bytes(genesisHash)]),
    config: encodeRlp([name(config.format), bytes(config.paramsDigest ?? '0x')]),
    params: bytes(config.params ?? '0x'),
  }
}

function claimOf(vector: Vector): Uint8Array {
  const strings = [bytes(vector.query), name(vector.variant), bytes(vector.proof)]
  return listOf([sourceRlp(vector.source), ...strings.map((item) => encodeRlp(item))])
}

/** The check of vectors of one group, as a job that is cut into parts. */
export function cutJobOf(system: ProofSystem, cases: readonly [Case, ...Case[]]): VerifyJob {
  const { module, verifier } = system
  const [{ title }] = cases
  const place = { key: title, module, verifier, ...settingOf(cases[0]) }
  const claims = listOf(cases.map(({ vector }) => claimOf(vector)))
  return { kind: 'verify', ...place, claims, fresh: new Uint8Array(32), isLarge: true }
}

/** The verdict of the wasm itself. */
export function judge(Verifier: VerifierClass, setting: Setting, vector: Vector): Verdict {
  try {
    const verifier = verifierFor(Verifier, setting)
    const claims = listOf([claimOf(vector)])
    const verdicts = JSON.parse(verifier.verify(claims, new Uint8Array(32))) as Verdict[]
    expect(verdicts).toHaveLength(1)
    return verdicts[0] ?? { status: 'none' }
  } catch (error) {
    if (typeof error !== 'string') throw error
    return JSON.parse(error) as Verdict
  }
}

/**
 * Every shared vector of a system: through the shipped wasm as it is, and through the SDK as a
 * proof file. As many as the file states: a runner that skips some fails.
 */
export async function runVectors(system: ProofSystem): Promise<void> {
  const file = fileNameOf(system.name)
  const cases = readVectors(file)
  const module = await loadModule(system.module)
  const Verifier = module[system.verifier] as VerifierClass

  test('default: no vector is missing', () => {
    const count = readFile(file).cases
    expect(cases).toHaveLength(count)
    expect(new Set(cases.map(({ vector }) => vector.id)).size).toBe(count)
  })

  describe('the shipped wasm', () => {
    test.each(cases)('$title', ({ chain, config, vector }) => {
      const verdict = judge(Verifier, { chain, config }, vector)
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
    test.each(cases)('$title', async (one) => {
      const { expected, query } = one.vector
      const verdict = await judgeFile(system, one).catch((error: unknown) => error)
      if (expected.result === 'valid') {
        expect(verdict).toMatchObject({ ...system.read(expected.fact, bytes(query)).finding })
      } else if (expected.code === 'verify.unsupported') {
        // Nobody lied: a type of a later fork needs a later version.
        expect(verdict).toMatchObject({ name: 'UnavailableError', code: 'unsupported' })
      } else if (verdict instanceof InputError) {
        // What the caller states: the chain with its systems, and the root that is pinned.
        expect(expected.code).toMatch(/^input\./)
        expect(verdict.argument).toMatch(/^(anchor\.root|chain|config|params)/)
      } else {
        expect(verdict).toMatchObject({ status: 'invalid' })
        const { error } = verdict as { error: ProofError }
        expect(codesOf(error)).toContain(AS_FILE.get(expected.code) ?? expected.code)
      }
    })
  })
}

/** A vector as a proof file. Its chain is the reader's too where the system's parameters matter. */
async function judgeFile(system: ProofSystem, { chain, config, vector }: Case): Promise<unknown> {
  const { source } = vector
  const record = { schema: 1, kind: 'proof', system: system.name, chain, config, ...vector }
  const anchor =
    'header' in source
      ? { block: source.header.hash }
      : { root: source.root.bytes, system: system.name, number: Number(source.root.number) }
  const options = { anchor, systems: [system] }
  if (config.paramsDigest === undefined) return verifyProofFile(record, options)
  const own = { ...chain, name: 'vectors', systems: { [system.name]: config } }
  return verifyProofFile(record, { ...options, chain: parseChain(own, 'chain') })
}

/**
 * What the caller configures is a stranger's word in a file: malformed there, not the caller's
 * mistake.
 */
const AS_FILE = new Map(
  ['input.chain', 'input.config', 'input.params'].map((code) => [code, 'decode.response']),
)

/** The error's code, and that of the core's error behind it. */
function codesOf(error: ProofError): string[] {
  const { cause } = error
  return cause instanceof InputError ? [error.code, cause.code] : [error.code]
}
