/**
 * How much memory a proof takes that was made to take much, in the modules as they are shipped:
 * every list and every string of honest proofs blown up to half a megabyte, and honest proofs by
 * the hundred.
 */

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Chain } from '../../src/client/chains.js'
import { encodeChain } from '../../src/encoding/chain.js'
import { encodeRlp, name, type RlpValue } from '../../src/encoding/rlp.js'
import { type System, systems } from '../../src/systems/registry.js'
import { TRACERS } from '../../src/trace/load.js'
import {
  blownUp,
  bytes,
  decode,
  encode,
  encodeInPlace,
  Items,
  integer,
  places,
  repeated,
  Sealed,
  SIZE,
  start,
  Worst,
} from '../support/memory.js'
import { fileNameOf } from '../support/vectors.js'

/** Bytes of the claims and of what they prove, and what a module may take beside them. */
interface Bound {
  readonly factor: number
  readonly fixed: number
}

const MIB = 1 << 20

/**
 * What the bytes of a list may take. Of inputs so long, half a MiB beside them is as strict as a
 * whole one of inputs twice as long.
 */
const BOUND: Bound = { factor: 4, fixed: MIB / 2 }

/** Honest claims that are given together. */
const MANY = 250_000

interface Case {
  readonly source: {
    readonly header?: { readonly hash: string; readonly rlps: readonly string[] }
    readonly root?: { readonly number: string; readonly bytes: string }
  }
  readonly query: string
  readonly variant: string
  readonly proof: string
  readonly expected: { readonly result: string }
}

interface Group {
  readonly chain: {
    readonly kind: string
    readonly chainId: number
    readonly genesisHash: string
  }
  readonly config: {
    readonly format: string
    readonly paramsDigest?: string
    readonly params?: string
  }
  readonly tests: readonly Case[]
}

interface Verifier {
  verify(claims: Uint8Array, fresh: Uint8Array): string
  /** In the modules that tell their steps. */
  trace(claims: Uint8Array, fresh: Uint8Array): string
  /** Of systems over curves. */
  part?(claims: Uint8Array, fresh: Uint8Array, number: number, of: number): Uint8Array
}

/** What a traced call answers. */
interface Told {
  readonly verdicts: readonly object[]
  readonly steps: readonly object[]
  readonly omitted: number
}

const HASH = { lists: BOUND, many: { factor: 4, fixed: MIB } }

/** Points, scalars and equations of claims are settled whenever 4,096 are held. */
const PAIRING = { lists: BOUND, many: { factor: 4, fixed: 3 * MIB } }

/** Modules in which systems only hash. */
const HASHED = ['mpt', 'hash']

/** Each system with the bounds that follow from its module. */
const SYSTEMS = systems.map(({ name: system, module, verifier }) => {
  const bounds = HASHED.includes(module) ? HASH : PAIRING
  return { system, module, verifier, bounds }
})

const groupsOf = (system: string): readonly (Group & { readonly valid: readonly Case[] })[] => {
  const url = new URL(`../../../test-vectors/${fileNameOf(system)}.json`, import.meta.url)
  const { groups } = JSON.parse(readFileSync(url, 'utf8')) as { readonly groups: readonly Group[] }
  return groups
    .map((group) => ({
      ...group,
      valid: group.tests.filter(({ expected }) => expected.result === 'valid'),
    }))
    .filter(({ valid }) => valid.length > 0)
}

/** A verifier in a module of its own, and by how many bytes its memory has grown since. */
async function open(
  { module, verifier }: { readonly module: string; readonly verifier: string },
  { chain, config }: Group,
): Promise<{ readonly handle: Verifier; grown(): number }> {
  const glue = await start(module)
  const Verifier = glue[verifier] as new (...parts: readonly Uint8Array[]) => Verifier
  const handle = new Verifier(
    encodeRlp([name(chain.kind), integer(BigInt(chain.chainId)), bytes(chain.genesisHash)]),
    encodeRlp([name(config.format), bytes(config.paramsDigest)]),
    bytes(config.params),
  )
  const base = glue.memory.buffer.byteLength
  return { handle, grown: () => glue.memory.buffer.byteLength - base }
}

const trusted = ({ header, root }: Case['source']): RlpValue =>
  header === undefined
    ? [name('root'), integer(BigInt(root?.number ?? 0)), bytes(root?.bytes)]
    : [name('header'), bytes(header.hash), header.rlps.map(bytes)]

/** What a part may take more: points that wait are held until there are four times as many. */
const PART = MIB

/** What steps may take: half a megabyte of text, as it grows and as it is returned. */
const STEPS = 4 * MIB

const FRESH = new Uint8Array(32)

/** Only a fault takes this long. */
const TIMEOUT = { timeout: 900_000 }

test.each(SYSTEMS)(
  'no list of a proof of $system takes more than its bound',
  TIMEOUT,
  async (one) => {
    let tried = 0
    const worst = new Worst()
    const { factor, fixed } = one.bounds.lists
    const seen = new Set<string>()
    for (const group of groupsOf(one.system)) {
      const { handle, grown } = await open(one, group)
      for (const { source, query, variant, proof } of group.valid) {
        for (const { at, put, kind } of places(decode(bytes(proof)))) {
          const place = `${group.config.format} ${variant} ${kind}`
          if (seen.has(place)) continue
          seen.add(place)
          for (const to of blownUp(at)) {
            const proof = new Sealed(put(to))
            const claims = encodeInPlace([[trusted(source), bytes(query), name(variant), proof]])
            worst.take(place, claims.length, () => handle.verify(claims, FRESH), grown)
            // Memory only grows, and all claims are about as long: the worst one so far counts.
            expect(grown(), place).toBeLessThanOrEqual(factor * claims.length + fixed)
            tried += 1
          }
        }
      }
    }
    worst.print(one.system)
    expect(tried).toBeGreaterThan(50)
  },
)

/** The module that tells the steps of a system's checks. */
const tracerOf = ({ module, verifier }: Pick<System, 'module' | 'verifier'>) => ({
  module: TRACERS[module],
  verifier,
})

test.each(SYSTEMS)(
  'no number of proofs of $system takes more than its bound',
  TIMEOUT,
  async (one) => {
    const { factor, fixed } = one.bounds.many
    let omitted = 0
    const longest = new Map<string, { readonly group: Group; readonly test: Case }>()
    const shortest: typeof longest = new Map()
    for (const group of groupsOf(one.system)) {
      for (const test of group.valid) {
        const kind = `${group.config.format} ${test.variant}`
        const { length } = test.proof
        if ((longest.get(kind)?.test.proof.length ?? 0) < length) longest.set(kind, { group, test })
        const least = shortest.get(kind)?.test.proof.length ?? Number.POSITIVE_INFINITY
        if (length < least) shortest.set(kind, { group, test })
      }
    }
    // The longest proofs; if their steps stay below the limit, the shortest too, which have more
    // steps per byte.
    function* chosen() {
      yield* longest
      if (omitted === 0) yield* shortest
    }
    for (const [kind, { group, test }] of chosen()) {
      const { handle, grown } = await open(one, group)
      const { source, query, variant, proof } = test
      const claim = [trusted(source), bytes(query), name(variant), bytes(proof)]
      const count = Math.min(1024, Math.ceil(MANY / encodeRlp(claim).length))
      const claims = encodeRlp(new Array<RlpValue>(count).fill(claim))
      const verdicts = handle.verify(claims, FRESH)
      expect(verdicts.includes('"code"'), verdicts.slice(0, 200)).toBe(false)
      // What was proven is told as text.
      const bound = factor * (claims.length + verdicts.length) + fixed
      expect(grown(), kind).toBeLessThanOrEqual(bound)
      const cut = await open(one, group)
      cut.handle.part?.(claims, FRESH, 0, 2)
      expect(cut.grown(), kind).toBeLessThanOrEqual(bound + PART)
      if (omitted > 0) continue
      const traced = await open(tracerOf(one), group)
      const told = JSON.parse(traced.handle.trace(claims, FRESH)) as Told
      expect(traced.grown(), kind).toBeLessThanOrEqual(bound + STEPS)
      expect(told.verdicts).toHaveLength(count)
      omitted += told.omitted
    }
    expect(omitted).toBeGreaterThan(0)
  },
)

test.each(SYSTEMS)(
  'the steps of a check of $system take no more than theirs',
  TIMEOUT,
  async (one) => {
    const { factor, fixed } = one.bounds.lists
    const seen = new Set<string>()
    for (const group of groupsOf(one.system)) {
      const { handle, grown } = await open(tracerOf(one), group)
      for (const { source, query, variant, proof } of group.valid) {
        for (const { at, put, kind } of places(decode(bytes(proof)))) {
          const place = `${group.config.format} ${variant} ${kind}`
          if (seen.has(place)) continue
          seen.add(place)
          for (const to of repeated(at)) {
            const proof = new Sealed(put(to))
            const claims = encodeInPlace([[trusted(source), bytes(query), name(variant), proof]])
            handle.trace(claims, FRESH)
            expect(grown(), place).toBeLessThanOrEqual(factor * claims.length + fixed + STEPS)
          }
        }
      }
    }
  },
)

test('headers that nobody vouches for take no more', async () => {
  const [group] = groupsOf('mpt')
  if (group === undefined) throw new Error('no group')
  const { kind, chainId, genesisHash } = group.chain
  const chain = encodeRlp([name(kind), integer(BigInt(chainId)), bytes(genesisHash)])
  const { headers, memory } = await start('mpt')
  const base = memory.buffer.byteLength
  for (const item of [new Uint8Array(0), new Uint8Array(1), new Uint8Array(40)]) {
    const list = encode(new Items([], item))
    const link = headers as (...parts: readonly Uint8Array[]) => string
    expect(JSON.parse(link(chain, bytes(genesisHash), list))).toMatchObject({
      code: 'verify.header',
    })
    const grown = memory.buffer.byteLength - base
    expect(grown).toBeLessThanOrEqual(BOUND.factor * list.length + BOUND.fixed)
  }
})

interface Signed {
  readonly groups: readonly {
    readonly chain: object
    readonly tests: readonly {
      readonly checkpoint: string
      readonly steps: readonly {
        readonly form: string
        readonly bytes: string
        readonly now?: string
        readonly expected: { readonly result: string }
      }[]
    }[]
  }[]
}

interface Light {
  bootstrap(checkpoint: Uint8Array, bytes: Uint8Array): string
  apply(form: string, bytes: Uint8Array, now: bigint): string
  attested(header: Uint8Array, aggregate: Uint8Array, slot: bigint): string
  import(bytes: Uint8Array, checkpoint: Uint8Array): string
  loadPoints(bytes: Uint8Array): string
  export(): Uint8Array
  points(): Uint8Array
}

/**
 * Inputs of about half a megabyte, made of an honest one: its lists and strings blown up, or itself
 * repeated.
 */
function* longer(honest: Uint8Array): Generator<Uint8Array> {
  yield new Uint8Array(SIZE)
  if (honest.length > 0) yield Buffer.alloc(SIZE, honest)
  yield Buffer.concat([honest, new Uint8Array(SIZE)])
  // Only RLP starts so, and ends where its prefix says.
  if ((honest[0] ?? 0) < 0xf8) return
  const seen = new Set<string>()
  for (const { at, put, kind } of places(decode(honest))) {
    if (seen.has(kind)) continue
    seen.add(kind)
    for (const to of blownUp(at)) yield encode(put(to))
  }
}

test('nothing that a light client is given takes more', async () => {
  const url = new URL('../../../test-vectors/headers.json', import.meta.url)
  const { groups } = JSON.parse(readFileSync(url, 'utf8')) as Signed
  const forms = new Set<string>()
  const worst = new Worst()
  for (const { chain, tests } of groups) {
    const valid = tests.filter(({ steps }) =>
      steps.every(({ expected }) => expected.result === 'valid'),
    )
    const formsOf = ({ steps }: (typeof valid)[number]): number =>
      new Set(steps.map(({ form }) => form)).size
    const [one] = valid.sort((a, b) => formsOf(b) - formsOf(a))
    if (one === undefined) continue
    const { LightClient, memory } = await start('light')
    const client = new (LightClient as new (chain: Uint8Array) => Light)(
      encodeChain(chain as Chain),
    )
    const base = memory.buffer.byteLength
    const checkpoint = bytes(one.checkpoint)
    const take = (form: string, input: Uint8Array, now: bigint): string => {
      if (form === 'bootstrap') return client.bootstrap(checkpoint, input)
      if (form === 'import') return client.import(input, checkpoint)
      return form === 'force' ? '' : client.apply(form, input, now)
    }
    const all: [string, Uint8Array, (input: Uint8Array) => unknown][] = one.steps.map((step) => {
      const now = BigInt(step.now ?? 2n ** 64n - 1n)
      return [step.form, bytes(step.bytes), (input) => take(step.form, input, now)]
    })
    for (const [form, honest, call] of all) {
      if (!forms.has(form)) check(form, honest, call)
      call(honest)
    }
    check('import', client.export(), (input) => client.import(input, checkpoint))
    check('points', client.points(), (input) => client.loadPoints(input))
    check('header', new Uint8Array(1), (input) => client.attested(input, new Uint8Array(160), 0n))
    check('aggregate', new Uint8Array(1), (input) => client.attested(input, input, 0n))

    function check(form: string, honest: Uint8Array, call: (input: Uint8Array) => unknown): void {
      forms.add(form)
      for (const input of longer(honest)) {
        const grown = (): number => memory.buffer.byteLength - base
        worst.take(form, input.length, () => call(input), grown)
        expect(grown(), `${form} ${input.length}`).toBeLessThanOrEqual(
          BOUND.factor * input.length + BOUND.fixed,
        )
      }
    }
  }
  worst.print('light client')
  expect([...forms].sort()).toEqual([
    'aggregate',
    'bootstrap',
    'finality',
    'header',
    'import',
    'optimistic',
    'points',
    'update',
  ])
})
