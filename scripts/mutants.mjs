#!/usr/bin/env node
/**
 * Mutation testing of core (`npm run mutants`): tries every mutant of files that changed since
 * their last full run, or that had none, and writes what came of it to wasm/core/mutants.json.
 *
 *   node scripts/mutants.mjs [--minutes N] [--file part of a path,…] [--all]
 *
 * Hours for everything. `--all` tries files that are known, too. A file is written to the ledger as
 * run when none of its mutants survived; a survivor wants a test, or a line with the reason in
 * .cargo/mutants.toml.
 */
import {
  compare,
  examined,
  install,
  mutate,
  readLedger,
  testsOf,
  writeLedger,
} from './lib/mutants.mjs'
import { asProgram, flags } from './lib/program.mjs'
import { duration, step } from './lib/steps.mjs'
import { table } from './lib/table.mjs'

await asProgram(import.meta.url, async () => {
  const usage = 'npm run mutants [-- --minutes N] [--file part,…] [--all]'
  const given = flags(usage, {
    minutes: { type: 'string' },
    file: { type: 'string' },
    all: { type: 'boolean' },
  })
  const minutes = Number(given.minutes ?? Number.POSITIVE_INFINITY)
  if (!(minutes >= 0)) throw new Error(`usage: ${usage}`)
  const parts = given.file?.split(',')
  const began = Date.now()
  const { changed, never } = compare(readLedger())
  const wanted = (given.all ? examined() : [...changed, ...never]).filter(
    (file) => parts?.some((part) => file.includes(part)) ?? true,
  )
  const findings = []
  if (minutes > 0) await step('cargo-mutants', (onLine) => install({ onLine }))
  for (const file of wanted) {
    const timeoutMs = Math.min(began + minutes * 60_000 - Date.now(), 2 ** 31 - 1)
    if (timeoutMs <= 0) break
    const title = `${file} (tests: ${testsOf(file).name})`
    const [found] = await step(title, (onLine) => mutate([file], { onLine, timeoutMs }))
    if (found === undefined) continue
    for (const survivor of found.survivors) console.log(`    ${survivor}`)
    findings.push(found)
    // What is known is kept if this ends here.
    writeLedger(readLedger(), [found])
  }
  writeLedger(readLedger(), findings)
  const rows = findings.map(({ file, tried, killed, survivors, left }) => [
    file,
    tried,
    killed,
    survivors.length,
    left,
  ])
  if (rows.length > 0)
    console.log(`\n${table([['file', 'tried', 'killed', 'survived', 'left'], ...rows])}\n`)
  const rest = compare(readLedger())
  const without = rest.changed.length + rest.never.length
  console.log(
    `${without} of ${examined().length} files are without a full run (${duration(Date.now() - began)}).`,
  )
  if (findings.some(({ survivors }) => survivors.length > 0)) process.exitCode = 1
})
