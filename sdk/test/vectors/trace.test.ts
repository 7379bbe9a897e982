/**
 * The modules that tell their steps: their verdicts are those of the shipped ones, and the steps
 * are about the proof.
 */

import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type Chain, devnet as devnetOf } from '../../src/client/chains.js'
import type { DevnetConsensus } from '../../src/client/consensus.js'
import { bytesOf, type Hex } from '../../src/encoding/hex.js'
import '../../src/entry/node.js'
import { type HeaderProof, traceHeaders, traceProofFile } from '../../src/entry/traceNode.js'
import { type SystemName, systems } from '../../src/systems/registry.js'
import type { ProofSystem } from '../../src/systems/system.js'
import { loadModule, type VerifierClass } from '../../src/wasm/module.js'
import { type Case, fileNameOf, judge, readVectors } from '../support/vectors.js'

/** The first honest and the first false proof of each format and variant. */
function chosen(system: string): Case[] {
  const seen = new Set<string>()
  return readVectors(system).filter(({ config, vector }) => {
    const { expected, variant } = vector
    if (expected.result === 'invalid' && !expected.code.startsWith('verify.')) return false
    const kind = [config.format, variant, expected.result].join(' ')
    return !seen.has(kind) && seen.add(kind)
  })
}

const fileOf = (system: string, { chain, config, vector }: Case) => ({
  ...{ schema: 1, kind: 'proof', system, chain, config },
  ...vector,
})

describe.each<ProofSystem>(systems)('$name', (system) => {
  const cases = chosen(fileNameOf(system.name))

  test('default: there are proofs of both kinds', () => {
    const results = new Set(cases.map(({ vector }) => vector.expected.result))
    expect([...results].sort()).toEqual(['invalid', 'valid'])
  })

  test.each(cases)('behavior: $title', async (one) => {
    const Verifier = (await loadModule(system.module))[system.verifier] as VerifierClass
    const traced = await traceProofFile(fileOf(system.name, one))
    expect(traced.verdict).toEqual(judge(Verifier, one, one.vector))
    const { steps, proof, counts } = traced
    expect(proof).toEqual(bytesOf(one.vector.proof as Hex))
    expect(steps.length).toBeGreaterThan(1)
    expect(counts.steps).toBe(steps.length)
    for (const { span } of steps) {
      const [from, to] = span ?? [0, 0]
      expect(from >= 0 && from <= to && to <= proof.length).toBe(true)
    }
    const times = steps.map(({ at }) => at)
    expect(times).toEqual([...times].sort((a, b) => a - b))
    // Equations of a claim that failed before are settled all the same.
    const last = steps.filter(({ claim }) => claim === 0).at(-1)
    if (traced.verdict.status === 'rejected') {
      const { code, span } = traced.verdict
      expect(last).toMatchObject({ claim: 0, kind: 'rejected', what: code, span })
    } else {
      expect(steps.filter(({ kind }) => kind === 'rejected')).toEqual([])
    }
  })
})

/** Words that an honest proof's steps have, and whether they end in pairings. */
const WORDS: readonly (readonly [SystemName, readonly string[], boolean])[] = [
  ['balanceproofs', ['proof', 'position', 'equations'], true],
  ['cole', ['source', 'H_state'], false],
  ['lmpt', ['layer roots', 'layer', 'trie node'], false],
  ['lvmt', ['tree', 'leaf', 'key tuple', 'present', 'equations'], true],
  ['mpt', ['header', 'commitment', 'account', 'trie node', 'claimed field'], false],
  ['verkle', ['key', 'path node', 'terminal', 'equations'], true],
]

test.each(WORDS)(
  'default: the steps of %s are those of its check',
  async (system, words, paired) => {
    for (const one of chosen(system)) {
      if (one.vector.expected.result !== 'valid') continue
      const { steps, counts } = await traceProofFile(fileOf(system, one))
      const told = new Set(steps.map(({ what }) => what))
      expect([...told]).toEqual(expect.arrayContaining([...words]))
      const settled = steps.filter(({ kind }) => kind === 'settled')
      expect(settled).toHaveLength(paired ? 1 : 0)
      expect(counts).toMatchObject({ exponentiations: paired ? 1 : 0 })
      expect(paired ? counts.loops > 1 && counts.opened > 0 : counts.hashes > 2).toBe(true)
    }
  },
)

describe('mpt', () => {
  const [first] = chosen('mpt')
  const file = first === undefined ? {} : fileOf('mpt', first)

  test('default: every node is hashed, from the root down', async () => {
    const { steps, counts } = await traceProofFile(file)
    const nodes = steps.filter(({ what }) => what === 'trie node')
    expect(nodes.map(({ node }) => node)).toEqual(nodes.map((_, index) => index))
    expect(nodes[0]).toMatchObject({ kind: 'hashed', depth: 0 })
    expect(counts.hashes).toBeGreaterThanOrEqual(nodes.length)
    expect(counts.bytesHashed).toBeGreaterThan(100)
    expect(counts).toMatchObject({ loops: 0, terms: 0 })
  })

  test('error: a flipped byte breaks the node that holds it, and the steps before it stand', async () => {
    const honest = await traceProofFile(file)
    const nodes = honest.steps.filter(({ what }) => what === 'trie node')
    const [from, to] = nodes.at(-1)?.span ?? [0, 0]
    const proof = Buffer.from(honest.proof)
    proof[to - 1] = (proof[to - 1] ?? 0) ^ 1
    const traced = await traceProofFile({ ...file, proof: `0x${proof.toString('hex')}` })
    expect(traced.verdict).toMatchObject({ status: 'rejected', span: [from, to] })
    const before = traced.steps.filter(({ what }) => what === 'trie node')
    expect(before).toHaveLength(nodes.length - 1)
  })

  test('error: no proof file', async () => {
    await expect(traceProofFile({})).rejects.toMatchObject({ code: 'decode.response' })
  })

  test('error: options that are none', async () => {
    const wrong = traceProofFile(file, { parms: 1 } as never)
    await expect(wrong).rejects.toMatchObject({ code: 'input.option', argument: 'parms' })
    const params = traceProofFile(file, { params: 'x' as never })
    await expect(params).rejects.toMatchObject({ code: 'input.option', argument: 'params' })
  })
})

describe('signed headers', () => {
  interface Given {
    readonly form: HeaderProof['form']
    readonly bytes: Hex
    readonly expected: { readonly result: string; readonly code?: string }
  }
  const vectors = new URL('../../../test-vectors/headers.json', import.meta.url)
  const { groups } = JSON.parse(readFileSync(vectors, 'utf8')) as {
    readonly groups: readonly {
      readonly chain: Chain
      readonly tests: readonly { readonly checkpoint: Hex; readonly steps: readonly Given[] }[]
    }[]
  }
  const [devnet] = groups
  if (devnet === undefined) throw new Error('no vectors of signed headers')
  const { genesisHash, consensus } = devnet.chain
  const chain = devnetOf(genesisHash, consensus as DevnetConsensus)
  const proofsOf = ({ checkpoint, steps }: (typeof devnet.tests)[number]): HeaderProof[] =>
    steps.map(({ form, bytes }) => ({ form, bytes: bytesOf(bytes), pinned: checkpoint }))
  /** The first case of a signed header after a bootstrap that ends so. */
  const ending = (result: string, code?: string) => {
    const found = devnet.tests.find(({ steps }) => {
      const last = steps.at(-1)
      const isSigned = steps.length === 2 && last?.form === 'finality'
      return isSigned && last?.expected.result === result && last.expected.code === code
    })
    if (found === undefined) throw new Error(`no such case: ${result} ${code}`)
    return found
  }

  test('default: every step from the checkpoint to the signature, in time, each about its own proof', async () => {
    const proofs = proofsOf(ending('valid'))
    const { rejected, steps, counts } = await traceHeaders(chain, proofs)
    expect(rejected).toBe(undefined)
    expect(steps.map(({ what }) => what)).toEqual(
      expect.arrayContaining(['checkpoint', 'committee', 'participation', 'signature', 'rules']),
    )
    expect([...new Set(steps.map(({ claim }) => claim))]).toEqual([0, 1])
    const times = steps.map(({ at }) => at)
    expect(times).toEqual([...times].sort((a, b) => a - b))
    expect(counts).toMatchObject({ loops: 2, exponentiations: 1 })
  })

  test('error: a forged signature breaks in its place', async () => {
    const proofs = proofsOf(ending('invalid', 'verify.signature'))
    const { rejected, steps } = await traceHeaders(chain, proofs)
    expect(rejected).toMatchObject({ code: 'verify.signature', proof: 1 })
    expect(steps.at(-1)).toMatchObject({ kind: 'rejected', what: 'verify.signature', claim: 1 })
    expect(steps.at(-1)?.span).toEqual(rejected?.span)
  })

  test('error: a chain without committees', async () => {
    await expect(traceHeaders(devnetOf(genesisHash), [])).rejects.toMatchObject({
      code: 'input.chain',
    })
  })
})
