/**
 * Checks of large proofs by pools of workers, which share them: in Node.js and in browsers, by the
 * clock.
 *
 *   node bench/workers.mjs [--engines node,chromium,firefox,webkit] [--sizes 1,2] [--runs 15]
 *       [--readme]
 *
 * Prints milliseconds (medians) for each size of a pool, and how many times as fast the last is as
 * the first.
 *
 *   --readme  puts the table between its markers in bench/README.md
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { build } from 'esbuild'
import { engineNames } from '../scripts/engines/find.mjs'
import { launch } from '../scripts/engines/launch.mjs'
import { serveStatic } from '../scripts/engines/serve.mjs'
import { asProgram, flags, named } from '../scripts/lib/program.mjs'
import { at } from '../scripts/lib/repo.mjs'
import { table } from '../scripts/lib/table.mjs'
import { setup } from '../scripts/setup.mjs'
import { runHarness } from './lib/harness.mjs'
import { median } from './lib/measure.mjs'
import { place } from './lib/place.mjs'
import { intoReadme } from './lib/tables.mjs'
import { timeChecks } from './workers/time.mjs'

/**
 * Proofs of each system by the arguments of its harness: what `verkle` and `lvmt` say of 100 keys,
 * and `balanceproofs` of 1,024 positions.
 *
 * @type {readonly (readonly [string, readonly string[], RegExp])[]}
 */
const PROOFS = [
  ['verkle', ['--leaves', '16384', '--trees', 'verkle/cf-32,verkle/cf-256'], /-100$/],
  ['lvmt', ['--keys', '20000', '--tree', '0/1'], /100-keys/],
  ['balanceproofs', ['--counts', '1024'], /(bucketed|two-layer|large)-(plain|T1|T3)-1024$/],
]
/** A page's checks may take minutes; it is waited for in pieces. */
const PATIENCE = 20

/** @typedef {Awaited<ReturnType<typeof timeChecks>>} Times */
/** @typedef {{ id: string, file: object }[]} Files */
/** @typedef {{ sizes: number[], runs: number }} How of pools, and times that each file is checked */

/** @returns {Promise<Files>} */
async function provenFiles() {
  const expected = { result: 'valid', fact: {} }
  /** @type {Files} */
  const files = []
  for (const [system, options, which] of PROOFS) {
    const { records } = await runHarness(system, 'bench', options)
    for (const [id, record] of records) {
      if (!which.test(id)) continue
      files.push({ id, file: { schema: 1, kind: 'proof', ...record, expected } })
    }
  }
  return files
}

/**
 * @param {Files} files
 * @param {How} how
 * @returns {Promise<Times>}
 */
async function inNode(files, how) {
  const [lightproof, systems, workers] = await Promise.all([
    import('lightproof'),
    import('lightproof/systems'),
    import('lightproof/workers'),
  ])
  return timeChecks(/** @type {any} */ ({ ...lightproof, ...systems, ...workers }), files, how)
}

/**
 * @param {import('../scripts/engines/types.ts').EngineName} name
 * @param {string} url of the page
 * @param {How} how
 * @returns {Promise<Times>}
 */
async function inPage(name, url, how) {
  const engine = await launch(name)
  try {
    await engine.open(`${url}/?${encodeURIComponent(JSON.stringify(how))}`)
    for (let piece = 1; ; piece++) {
      try {
        await engine.waitFor('window.times !== undefined')
        break
      } catch (error) {
        if (piece === PATIENCE) throw error
      }
    }
    const times = await engine.evaluate('window.times')
    if (typeof times === 'string') throw new Error(`${name}: ${times}`)
    return /** @type {Times} */ (times)
  } finally {
    await engine.close()
  }
}

/**
 * The package as it is published, and the page.
 *
 * @param {string} folder
 * @param {Files} files
 */
async function buildPage(folder, files) {
  const dist = at('sdk', 'dist')
  cpSync(path.join(dist, 'generated'), path.join(folder, 'generated'), { recursive: true })
  const entry = (/** @type {string} */ name) => path.join(dist, 'entry', name)
  const common = /** @type {const} */ ({ bundle: true, format: 'esm', logLevel: 'warning' })
  const [page, worker] = [at('bench', 'workers', 'page.mjs'), path.join(dist, 'workers', 'web.js')]
  await Promise.all([
    build({
      ...common,
      entryPoints: [page],
      outdir: path.join(folder, 'scripts'),
      splitting: true,
      alias: {
        lightproof: entry('web.js'),
        'lightproof/systems': entry('systems.js'),
        'lightproof/workers': entry('workersWeb.js'),
      },
    }),
    build({ ...common, entryPoints: [worker], outdir: path.join(folder, 'workers') }),
  ])
  const script = '<script type="module" src="scripts/page.js"></script>'
  const icon = '<link rel="icon" href="data:,">'
  writeFileSync(path.join(folder, 'index.html'), `<!doctype html><title>x</title>${icon}${script}`)
  writeFileSync(path.join(folder, 'files.json'), JSON.stringify(files))
}

/**
 * Milliseconds for each size of a pool, and the gain.
 *
 * @param {string} id of a proof
 * @param {Times} times
 */
function cellOf(id, times) {
  const of = times.filter((one) => one.id === id).map(({ samples }) => median(samples))
  const gain = (of[0] ?? 0) / (of.at(-1) ?? 1)
  return `${of.map((ms) => ms.toFixed(1)).join(', ')} (${gain.toFixed(2)}x)`
}

await asProgram(import.meta.url, async () => {
  const known = /** @type {const} */ (['node', ...engineNames])
  const usage =
    `node bench/workers.mjs [--engines ${known.join(',')}] [--sizes 1,2] [--runs 15] ` +
    '[--readme]'
  const text = /** @type {const} */ ({ type: 'string' })
  const given = flags(usage, {
    ...{ engines: text, sizes: text, runs: text },
    readme: { type: 'boolean' },
  })
  const engines = named(given.engines, known, usage)
  const how = {
    sizes: String(given.sizes ?? '1,2')
      .split(',')
      .map(Number),
    runs: Number(given.runs ?? 15),
  }
  if (![...how.sizes, how.runs].every((count) => Number.isInteger(count) && count > 0)) {
    throw new Error(`usage: ${usage}`)
  }
  await setup(['sdk'])
  const files = await provenFiles()
  const folder = mkdtempSync(path.join(tmpdir(), 'lightproof-bench-'))
  try {
    await buildPage(folder, files)
    const server = await serveStatic(folder)
    const where = place()
    /** @type {(readonly [engine: string, cells: readonly string[]])[]} */
    const columns = []
    for (const name of known.filter((one) => engines.includes(one))) {
      const times = name === 'node' ? await inNode(files, how) : await inPage(name, server.url, how)
      const cells = files.map(({ id }) => cellOf(id, times))
      columns.push([name, cells])
      console.error(table(files.map(({ id }, row) => [id, name, cells[row] ?? ''])))
    }
    await server.close()
    const rows = [
      ['proof', ...columns.map(([name]) => name)],
      ['---', ...columns.map(() => '---:')],
      ...files.map(({ id }, row) => [id, ...columns.map(([, cells]) => cells[row] ?? '')]),
    ]
    const lines = rows.map((row) => `| ${row.join(' | ')} |`).join('\n')
    const markdown = `Commit ${where}; pools of ${how.sizes.join(', ')}.\n\n${lines}`
    if (given.readme) {
      const file = at('bench', 'README.md')
      writeFileSync(file, intoReadme(readFileSync(file, 'utf8'), markdown, 'workers'))
    }
    console.log(markdown)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  process.exit()
})
