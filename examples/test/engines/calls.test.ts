/** The vectors of calls in each engine. */

import { readFile } from 'node:fs/promises'
import { encodeRlp, hexlify, toBeArray, toUtf8Bytes } from 'ethers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { consoleErrors, inEveryEngine } from '../support/engines.js'
import type { CallsFile, CallsReport, ExpectedAnswer } from './pages/calls.js'
import { buildPages } from './pages.js'

/** `test-vectors/calls.json`, as far as this needs to know it. */
interface VectorFile {
  /** How many there are, pinned by core's runner. */
  readonly cases: number
  readonly groups: readonly {
    readonly chain: {
      readonly kind: string
      readonly chainId: number
      readonly genesisHash: string
    }
    readonly tests: readonly {
      readonly id: number
      readonly comment: string
      readonly forks: string
      readonly request: string
      readonly expected:
        | { readonly result: 'answers'; readonly answers: readonly ExpectedAnswer[] }
        | { readonly result: 'invalid'; readonly code: string }
    }[]
  }[]
}

const url = new URL('../../../test-vectors/calls.json', import.meta.url)
const { cases, groups } = JSON.parse(await readFile(url, 'utf8')) as VectorFile

function callsOf(): CallsFile {
  const tests = groups.flatMap(({ chain: { kind, chainId, genesisHash }, tests }) => {
    const chain = encodeRlp([hexlify(toUtf8Bytes(kind)), hexlify(toBeArray(chainId)), genesisHash])
    return tests.map(({ expected, ...rest }) => ({
      ...rest,
      chain,
      expected: expected.result === 'answers' ? expected.answers : expected.code,
    }))
  })
  return { tests }
}

let pages: Awaited<ReturnType<typeof buildPages>>

beforeAll(async () => {
  pages = await buildPages(JSON.stringify(callsOf()))
})

afterAll(() => pages.remove())

inEveryEngine((lab) => {
  test('every call: its output, what it lacks, or its code', async () => {
    const { url } = await lab.serve(pages.folder)
    const engine = lab.engine()
    await engine.open(`${url}/calls.html`)
    await engine.waitFor('window.report !== undefined')
    const report = (await engine.evaluate('window.report')) as CallsReport
    expect(report).toEqual({ count: cases, failures: [] })
    expect(await consoleErrors(engine)).toEqual([])
  })
})
