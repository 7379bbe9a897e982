/**
 * Counts starts of a module that an engine compiled wrongly: each time in a page of its own, with
 * the file fetched and compiled anew, and run often enough to be compiled again.
 *
 *   node bench/starts.mjs [--engine webkit|chromium|firefox] [--starts 100] [--module bn254]
 *
 * Prints one JSON line for each start that failed, and the counts.
 */
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { engineNames } from '../scripts/engines/find.mjs'
import { launch } from '../scripts/engines/launch.mjs'
import { serveStatic } from '../scripts/engines/serve.mjs'
import { asProgram, flags } from '../scripts/lib/program.mjs'
import { at } from '../scripts/lib/repo.mjs'
import { setup } from '../scripts/setup.mjs'
import { median } from './lib/measure.mjs'

/** What a right self-test returns, as in wasm/bindings. */
const PASSED = 0x3c6ef372
/** Self-tests in each page: the first ones are interpreted, later ones compiled. */
const RUNS = 20
/** Starts of one browser: memory of closed pages is given back late. */
const STARTS_PER_BROWSER = 100

/** Without the package's glue: nothing but the engine and the module. */
const page = `<!doctype html>
<meta charset="utf-8">
<title>starts</title>
<link rel="icon" href="data:,">
<script type="module">
  const response = await fetch('module.wasm?' + Math.random(), { cache: 'no-store' })
  const module = await WebAssembly.compile(await response.arrayBuffer())
  const imports = {}
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    imports[from] = { ...imports[from], [name]: () => 0 }
  }
  const { exports } = await WebAssembly.instantiate(module, imports)
  const tests = Object.keys(exports).filter((name) => name.startsWith('selfTest'))
  const answers = []
  const times = []
  for (let run = 0; run < ${RUNS}; run++) {
    const began = performance.now()
    try {
      for (const test of tests) answers.push(exports[test]())
    } catch (error) {
      answers.push(String(error))
    }
    times.push(performance.now() - began)
  }
  window.report = { answers, times, engine: navigator.userAgent }
</script>
`

/** @typedef {{ answers: unknown[], times: [number, number], engine: string }} Report */

/**
 * @param {(typeof engineNames)[number]} engine
 * @param {number} starts
 * @param {string} module
 */
async function countWrong(engine, starts, module) {
  const folder = mkdtempSync(path.join(tmpdir(), 'lightproof-starts-'))
  const counts = { starts: 0, wrong: 0, engine: '' }
  /**
   * Milliseconds of the first self-test of each start, and of the second.
   *
   * @type {[number, number][]}
   */
  const times = []
  try {
    writeFileSync(path.join(folder, 'index.html'), page)
    const file = at('sdk/src/generated', `${module}_bg.wasm`)
    copyFileSync(file, path.join(folder, 'module.wasm'))
    const server = await serveStatic(folder)
    while (counts.starts < starts) {
      const browser = await launch(engine)
      const end = Math.min(starts, counts.starts + STARTS_PER_BROWSER)
      for (; counts.starts < end; counts.starts++) {
        await browser.open(`${server.url}/index.html?${counts.starts}`)
        await browser.waitFor('window.report !== undefined')
        const report = /** @type {Report} */ (await browser.evaluate('window.report'))
        counts.engine = report.engine
        times.push(report.times)
        if (report.answers.length === 0 || report.answers.some((answer) => answer !== PASSED)) {
          counts.wrong++
          console.log(JSON.stringify({ start: counts.starts, answers: report.answers }))
        }
      }
      await browser.close()
    }
    await server.close()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  const [firstMs, againMs] = [0, 1].map((run) =>
    Number(median(times.map((each) => each[run] ?? Number.NaN)).toFixed(1)),
  )
  console.log(JSON.stringify({ module, runs: RUNS, ...counts, firstMs, againMs }))
}

await asProgram(import.meta.url, async () => {
  const usage = `node bench/starts.mjs [--engine ${engineNames.join('|')}] [--starts N] [--module NAME]`
  const text = /** @type {const} */ ({ type: 'string' })
  const given = flags(usage, { engine: text, starts: text, module: text })
  const { module = 'bn254' } = given
  const engine = engineNames.find((known) => known === (given.engine ?? 'webkit'))
  const starts = Number(given.starts ?? 100)
  if (engine === undefined || !Number.isInteger(starts) || starts < 1) {
    throw new Error(`usage: ${usage}`)
  }
  await setup(['wasm'])
  await countWrong(engine, starts, module)
})
