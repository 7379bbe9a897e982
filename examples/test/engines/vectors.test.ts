import { appendFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Engine } from '../../../scripts/engines/types.ts'
import { consoleErrors, inEveryEngine } from '../support/engines.js'
import type { PoolFile, PoolReport } from './pages/pool.js'
import type { Report, VectorFile } from './pages/run.js'
import type { WindowReport } from './pages/window.js'
import { buildPages } from './pages.js'

const vectors = (system: string) =>
  readFile(new URL(`../../../test-vectors/${system}.json`, import.meta.url), 'utf8')
const countOf = (tests: readonly { readonly expected: { readonly result: string } }[]) => ({
  proven: tests.filter(({ expected }) => expected.result === 'valid').length,
  rejected: tests.filter(({ expected }) => expected.result === 'invalid').length,
})

const text = await vectors('mpt')
const tests = (JSON.parse(text) as VectorFile).groups.flatMap((group) => group.tests)
const count = countOf(tests)

/** Proofs, true and false, of which each takes milliseconds. */
const [group] = (JSON.parse(await vectors('verkle')) as { readonly groups: readonly PoolFile[] })
  .groups
if (group === undefined) throw new Error('no vectors')
const isTrue = ({ expected }: PoolFile['tests'][number]): boolean => expected.result === 'valid'
const isFalse = ({ expected }: PoolFile['tests'][number]): boolean =>
  expected.result === 'invalid' && expected.code.startsWith('verify.')
const lies = group.tests.filter(isFalse)
const inTurn = group.tests.filter(isTrue).flatMap((one, i) => [one, ...lies.slice(i, i + 1)])
const slow: PoolFile = { ...group, tests: inTurn }
const slowCount = countOf(slow.tests)

let pages: Awaited<ReturnType<typeof buildPages>>
let poolPages: Awaited<ReturnType<typeof buildPages>>

beforeAll(async () => {
  pages = await buildPages(text)
  poolPages = await buildPages(JSON.stringify(slow))
})

afterAll(async () => {
  await pages.remove()
  await poolPages.remove()
})

async function reportOf(engine: Engine, url: string): Promise<Report> {
  await engine.open(url)
  await engine.waitFor('window.report !== undefined')
  return (await engine.evaluate('window.report')) as Report
}

async function poolOf(engine: Engine, origin: string): Promise<PoolReport> {
  await engine.open(`${origin}/pool.html`)
  await engine.waitFor('window.report !== undefined')
  return (await engine.evaluate('window.report')) as PoolReport
}

test('the file has cases of both kinds', () => {
  expect(count.proven).toBeGreaterThan(0)
  expect(count.rejected).toBeGreaterThan(0)
  expect(count.proven + count.rejected).toBe(tests.length)
  expect(slowCount.proven).toBeGreaterThan(10)
  expect(slowCount.rejected).toBeGreaterThan(10)
})

inEveryEngine((lab) => {
  test('every vector, wasm streamed from its URL', async () => {
    const { url, requests } = await lab.serve(pages.folder)
    const report = await reportOf(lab.engine(), `${url}/url.html`)
    expect(report).toEqual({
      ...count,
      failures: [],
      calls: { fetch: 1, compileStreaming: 1, compile: 0 },
    })
    expect(requests.filter((path) => path.endsWith('.wasm'))).toEqual(['/generated/mpt_bg.wasm'])
    expect(await consoleErrors(lab.engine())).toEqual([])
  })

  test('every vector, from a server that does not know the MIME type of wasm', async () => {
    const { url } = await lab.serve(pages.folder, { wasmType: 'application/octet-stream' })
    const report = await reportOf(lab.engine(), `${url}/url.html`)
    expect(report).toEqual({
      ...count,
      failures: [],
      calls: { fetch: 1, compileStreaming: 0, compile: 1 },
    })
    expect(await consoleErrors(lab.engine())).toEqual([])
  })

  test('error: a file that its server replaced is neither compiled nor run', async () => {
    const replaced = await buildPages(text)
    try {
      // A custom section: it runs as before.
      await appendFile(
        join(replaced.folder, 'generated', 'mpt_bg.wasm'),
        Uint8Array.of(0, 2, 1, 0x61),
      )
      const { url, requests } = await lab.serve(replaced.folder)
      for (const name of ['url', 'worker-page']) {
        const report = await reportOf(lab.engine(), `${url}/${name}.html`)
        expect(report).toMatchObject({
          proven: 0,
          rejected: 0,
          calls: { compileStreaming: 0, compile: 0 },
          fault: {
            code: 'platform.wasm',
            message: expect.stringContaining("this version's file"),
          },
        })
      }
      expect(requests).toContain('/generated/mpt_bg.wasm')
    } finally {
      await replaced.remove()
    }
  })

  test('every vector, in a worker', async () => {
    const { url } = await lab.serve(pages.folder)
    const report = await reportOf(lab.engine(), `${url}/worker-page.html`)
    expect(report).toEqual({
      ...count,
      failures: [],
      calls: { fetch: 1, compileStreaming: 1, compile: 0 },
    })
    expect(await consoleErrors(lab.engine())).toEqual([])
  })

  test('behavior: the script of workers does nothing in a window', async () => {
    const { url } = await lab.serve(pages.folder)
    await lab.engine().open(`${url}/window.html`)
    await lab.engine().waitFor('window.report !== undefined')
    const report = (await lab.engine().evaluate('window.report')) as WindowReport
    expect(report).toEqual({
      listens: [],
      answers: [],
      verified: { ...count, failures: [], calls: { fetch: 1, compileStreaming: 1, compile: 0 } },
    })
    expect(await consoleErrors(lab.engine())).toEqual([])
  })

  test('vectors, in the workers that a page has by default; watched, and through their deaths', async () => {
    const policy = "default-src 'none'; connect-src 'self'; img-src data:"
    for (const csp of [undefined, `${policy}; script-src 'self' 'wasm-unsafe-eval'`]) {
      const served = await lab.serve(poolPages.folder, csp === undefined ? {} : { csp })
      const report = await poolOf(lab.engine(), served.url)
      expect(report.byDefault).toEqual({
        ...slowCount,
        failures: [],
        calls: { fetch: 0, compileStreaming: 0, compile: 0 },
      })
      expect(served.requests).toContain('/workers/web.js')
      expect(report.own).toMatchObject({ failures: [], started: 2, told: { running: 0 } })
      const { queued, done } = report.own.told
      expect(queued).toBeGreaterThan(4)
      expect(done).toBeGreaterThan(report.own.proven + report.own.rejected)
      expect(report.lost).toEqual({ ...slowCount, failures: [], started: 3 })
      expect(await consoleErrors(lab.engine())).toEqual([])
    }
  })

  test('behavior: where workers cannot start, a page verifies on its own thread', async () => {
    const csp = "script-src 'self' 'wasm-unsafe-eval'; worker-src 'none'"
    const forbidden = await lab.serve(poolPages.folder, { csp })
    const { byDefault } = await poolOf(lab.engine(), forbidden.url)
    expect(byDefault).toMatchObject({ ...slowCount, failures: [], calls: { fetch: 1 } })
    const missing = await lab.serve(poolPages.folder, { missing: ['/workers/web.js'] })
    const alone = await poolOf(lab.engine(), missing.url)
    expect(alone.byDefault).toMatchObject({ ...slowCount, failures: [], calls: { fetch: 1 } })
    expect(alone.own).toMatchObject({ failures: [], told: { running: 0, done: 0 } })
  })

  test('every vector, from the inline entry, which fetches nothing', async () => {
    const csp = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; img-src data:"
    const { url, requests } = await lab.serve(pages.folder, { csp })
    const report = await reportOf(lab.engine(), `${url}/inline.html`)
    expect(report).toMatchObject({
      ...count,
      failures: [],
      calls: { fetch: 0, compileStreaming: 0 },
    })
    expect(requests.filter((path) => path.endsWith('.wasm'))).toEqual([])
    expect(await consoleErrors(lab.engine())).toEqual([])
  })

  test("every vector, under the policy script-src 'self' 'wasm-unsafe-eval'", async () => {
    const { url } = await lab.serve(pages.folder, { csp: "script-src 'self' 'wasm-unsafe-eval'" })
    const report = await reportOf(lab.engine(), `${url}/url.html`)
    expect(report).toMatchObject({ ...count, failures: [] })
    expect(await consoleErrors(lab.engine())).toEqual([])
  })

  test("error: a policy without 'wasm-unsafe-eval' is named, with what to add", async () => {
    const csp = "script-src 'self'"
    for (const page of ['url', 'inline', 'worker-page', 'pool']) {
      const { folder } = page === 'pool' ? poolPages : pages
      const { url } = await lab.serve(folder, { csp })
      const { byDefault, ...own } = (await reportOf(
        lab.engine(),
        `${url}/${page}.html`,
      )) as Report & Partial<PoolReport>
      const report = byDefault ?? own
      expect(report).toMatchObject({
        proven: 0,
        rejected: 0,
        fault: { name: 'PlatformError', code: 'platform.csp' },
      })
      expect(report.fault?.message).toContain("'wasm-unsafe-eval'")
    }
  })
})
