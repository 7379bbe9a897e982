#!/usr/bin/env node
/**
 * Measures what a proof costs (`npm run bench`), beside others on the same proofs in the same run.
 *
 *   node bench/run.mjs [--only SYSTEM] [--engines] [--json FILE] [--markdown] [--readme] [--rounds N]
 *
 *   --only SYSTEM measures one system, and leaves the other tables as they are
 *   --engines     asks the browsers on this machine the same; their times are the clock's
 *   --json FILE   also writes the report as JSON
 *   --markdown    prints the tables as Markdown
 *   --readme      puts them between the markers of bench/README.md, and draws the pictures; not if
 *                 work of other crates takes another time after the run than before it
 *   --rounds N    rounds in which every engine has its turn, at most (default 100): checks that
 *                 take long have fewer
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { at } from '../scripts/lib/repo.mjs'
import { printFailure } from '../scripts/lib/steps.mjs'
import { setup } from '../scripts/setup.mjs'

const DEFAULT_ROUNDS = 100

/** @param {string[]} args */
function parseOptions(args) {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string' },
      engines: { type: 'boolean', default: false },
      json: { type: 'string' },
      markdown: { type: 'boolean', default: false },
      readme: { type: 'boolean', default: false },
      rounds: { type: 'string', default: String(DEFAULT_ROUNDS) },
    },
  })
  const rounds = Number(values.rounds)
  if (!Number.isInteger(rounds) || rounds < 1) {
    throw new Error(`--rounds: expected a positive integer, got ${values.rounds}`)
  }
  return { ...values, rounds }
}

async function main() {
  const { rounds, only, engines, json, markdown, readme } = parseOptions(process.argv.slice(2))
  await setup(['sdk'])
  // Only now: these modules need what the set-up brings.
  const { runBench } = await import('./lib/bench.mjs')
  const { toMarkdown, toMarkdownOf, toText, intoReadme } = await import('./lib/tables.mjs')
  const { plots } = await import('./lib/plots.mjs')
  const { acceptRun, measureYardsticks } = await import('./lib/yardstick.mjs')
  const { openBrowsers } = await import('./browser/open.mjs')
  const before = readme ? await measureYardsticks() : []
  const browsers = engines ? await openBrowsers() : undefined
  const log = (/** @type {string} */ line) => console.error(`  ${line}`)
  const report = await runBench({ rounds, only, browsers, log }).finally(() => browsers?.close())
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(report, undefined, 2)}\n`)
  console.log(markdown ? toMarkdown(report) : toText(report))
  if (readme) {
    acceptRun(before, await measureYardsticks())
    const file = at('bench/README.md')
    const systems = Object.keys(report.titles.systems ?? {})
    const own = systems.reduce(
      (text, system) => intoReadme(text, toMarkdownOf(report, system), system),
      readFileSync(file, 'utf8'),
    )
    const isAll = only === undefined || !systems.includes(only)
    const text = isAll ? intoReadme(own, toMarkdown(report)) : own
    writeFileSync(file, text)
    for (const [name, svg] of plots(text)) writeFileSync(at(name), svg)
  }
}

// Nodes that were started go away with this process, and would keep it.
main().then(
  () => process.exit(),
  (error) => {
    printFailure(error)
    process.exit(1)
  },
)
