/**
 * The vectors of each proof system in each engine. Those of mpt run through the package, in
 * vectors.test.ts.
 */

import { readFile } from 'node:fs/promises'
import { encodeRlp, hexlify, toBeArray, toUtf8Bytes } from 'ethers'
import { systems } from 'lightproof/systems'
import { afterAll, expect, test } from 'vitest'
import { consoleErrors, inEveryEngine } from '../support/engines.js'
import type { SystemFile, SystemReport } from './pages/systems.js'
import { buildPages } from './pages.js'

/** Where a system's verifier is: not in the published types. */
type Verifier = Pick<SystemFile, 'module' | 'verifier'>

const SYSTEMS = systems.flatMap(({ name, ...own }) => {
  const { module, verifier } = own as typeof own & Verifier
  // The vectors of a block's lists are those of inclusion.
  return name === 'mpt' ? [] : [{ system: name === 'body' ? 'inclusion' : name, module, verifier }]
})

/** A file of `test-vectors/`, as far as this needs to know it. */
interface VectorFile {
  /** How many there are, pinned by core's runner. */
  readonly cases: number
  readonly groups: readonly {
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
    readonly tests: readonly {
      readonly id: number
      readonly comment: string
      readonly source:
        | { readonly header: { readonly hash: string; readonly rlps: readonly string[] } }
        | { readonly root: { readonly number: string; readonly bytes: string } }
      readonly query: string
      readonly variant: string
      readonly proof: string
      readonly expected:
        | { readonly result: 'valid'; readonly fact: unknown }
        | { readonly result: 'invalid'; readonly code: string }
    }[]
  }[]
}

type Vector = VectorFile['groups'][number]['tests'][number]

const name = (text: string) => hexlify(toUtf8Bytes(text))
const integer = (value: string | number) => hexlify(toBeArray(value))

function claimsOf({ source, query, variant, proof }: Vector): string {
  const root =
    'header' in source
      ? [name('header'), source.header.hash, [...source.header.rlps]]
      : [name('root'), integer(source.root.number), source.root.bytes]
  return encodeRlp([[root, query, name(variant), proof]])
}

async function bytesOf({
  system,
  module,
  verifier,
}: (typeof SYSTEMS)[number]): Promise<SystemFile & Pick<VectorFile, 'cases'>> {
  const url = new URL(`../../../test-vectors/${system}.json`, import.meta.url)
  const { cases, groups } = JSON.parse(await readFile(url, 'utf8')) as VectorFile
  return {
    cases,
    module,
    verifier,
    groups: groups.map(({ chain, config, tests }) => ({
      chain: encodeRlp([name(chain.kind), integer(chain.chainId), chain.genesisHash]),
      config: encodeRlp([name(config.format), config.paramsDigest ?? '0x']),
      params: config.params ?? '0x',
      tests: tests.map(({ id, comment, expected, ...claim }) => ({
        id,
        comment,
        claims: claimsOf({ id, comment, expected, ...claim }),
        expected: expected.result === 'valid' ? { fact: expected.fact } : { code: expected.code },
      })),
    })),
  }
}

/** Cases and pages of each system, made when the first engine needs them. */
const made = new Map<string, ReturnType<typeof make>>()

async function make(entry: (typeof SYSTEMS)[number]) {
  const file = await bytesOf(entry)
  return { file, pages: await buildPages(JSON.stringify(file)) }
}

afterAll(async () => {
  for (const { pages } of await Promise.all(made.values())) await pages.remove()
})

// An engine runs all systems after one start, which takes seconds.
inEveryEngine((lab) => {
  test.each(SYSTEMS)('every vector of $system: its fact, or its code', async (entry) => {
    const making = made.get(entry.system) ?? make(entry)
    made.set(entry.system, making)
    const { file, pages } = await making
    const tests = file.groups.flatMap((group) => group.tests)
    expect(tests).toHaveLength(file.cases)
    const proven = tests.filter(({ expected }) => 'fact' in expected).length
    const { url } = await lab.serve(pages.folder)
    const engine = lab.engine()
    await engine.open(`${url}/systems.html`)
    await engine.waitFor('window.report !== undefined')
    const report = (await engine.evaluate('window.report')) as SystemReport
    expect(report).toEqual({ proven, rejected: tests.length - proven, failures: [] })
    expect(await consoleErrors(engine)).toEqual([])
  })
})
