#!/usr/bin/env node
/**
 * Measures what a proof costs (`npm run bench`), beside others on the same proofs in the same run.
 *
 *   node bench/run.mjs [--json FILE] [--markdown] [--readme] [--rounds N]
 *
 *   --json FILE   also writes the report as JSON
 *   --markdown    prints the tables as Markdown
 *   --readme      puts them between the bench markers of README.md
 *   --rounds N    rounds in which every engine has its turn (default 100)
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
  const { rounds, json, markdown, readme } = parseOptions(process.argv.slice(2))
  await setup(['sdk'])
  // Only now: these modules need what the set-up brings.
  const { runBench } = await import('./lib/bench.mjs')
  const { toMarkdown, toText, intoReadme } = await import('./lib/tables.mjs')
  const report = await runBench({ rounds, log: (line) => console.error(`  ${line}`) })
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(report, undefined, 2)}\n`)
  if (readme) {
    const file = at('README.md')
    writeFileSync(file, intoReadme(readFileSync(file, 'utf8'), toMarkdown(report)))
  }
  console.log(markdown ? toMarkdown(report) : toText(report))
}

main().catch((error) => {
  printFailure(error)
  process.exitCode = 1
})
