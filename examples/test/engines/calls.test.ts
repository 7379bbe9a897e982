/** The vectors of calls in each engine, and calls in a page's worker. */

import { readFile } from 'node:fs/promises'
import { encodeRlp, hexlify, toBeArray, toUtf8Bytes } from 'ethers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ALICE, chain, methods, PROXY } from '../../../sdk/test/support/callWorld.js'
import { consoleErrors, inEveryEngine } from '../support/engines.js'
import { type StubNode, scriptedNode } from '../support/rpc.js'
import type { CallWorkersReport } from './pages/call-workers.js'
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
let node: StubNode

beforeAll(async () => {
  node = await scriptedNode(methods)
  pages = await buildPages(JSON.stringify(callsOf()))
})

afterAll(() => Promise.all([pages.remove(), node.stop()]))

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

  test('behavior: calls run in a worker, and end with it if they go on after an abort', async () => {
    const { url, requests } = await lab.serve(pages.folder)
    const engine = lab.engine()
    const { chainId, genesisHash } = chain.chain
    const pin = { chainId: `${chainId}`, genesis: genesisHash, anchor: chain.head.hash }
    const query = new URLSearchParams({ ...pin, node: node.url, to: PROXY, owner: ALICE })
    await engine.open(`${url}/call-workers.html?${query}`)
    await engine.waitFor('window.report !== undefined')
    const report = (await engine.evaluate('window.report')) as CallWorkersReport
    // A thread that ran them would hear of the abort when they are over.
    expect(report).toMatchObject({ balances: ['99', '99'], reason: 'left' })
    expect(report.workers).toEqual([
      { started: 1, ended: 0 },
      { started: 1, ended: 1 },
      { started: 2, ended: 1 },
    ])
    // The page's own thread has the module that hashes addresses, and not the one that runs calls.
    expect(report.loads).toMatchObject({ compileStreaming: 1, compile: 0 })
    expect(requests).toContain('/generated/evm_bg.wasm')
    expect(await consoleErrors(engine)).toEqual([])
  })
})
