/**
 * Whether the memory of a reader of a store stays what it is: it is asked about a whole state for an
 * hour while blocks are written.
 *
 *   node bench/memory.mjs [--minutes 60] [--readme]
 *
 *   --readme  puts the table between its markers in bench/README.md
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { asProgram, flags } from '../scripts/lib/program.mjs'
import { at } from '../scripts/lib/repo.mjs'
import { setup } from '../scripts/setup.mjs'

const SIZE = {
  ...{ keys: 100_000, samples: 12, blockMs: 12_000, writes: 200 },
  ...{ connections: 4, pauseMs: 150, cache: 64 },
}

await asProgram(import.meta.url, async () => {
  const usage = 'node bench/memory.mjs [--minutes N] [--readme]'
  const text = /** @type {const} */ ({ type: 'string' })
  const given = flags(usage, { minutes: text, readme: { type: 'boolean' } })
  const minutes = Number(given.minutes ?? 60)
  if (!(minutes > 0)) throw new Error(`usage: ${usage}`)
  await setup(['sdk', 'storeNode'])
  const { startS3 } = await import('./lib/store/s3.mjs')
  const { measureMemory, memoryTable } = await import('./lib/store/memory.mjs')
  const { place } = await import('./lib/place.mjs')
  const { intoReadme } = await import('./lib/tables.mjs')
  const s3 = await startS3()
  try {
    const log = (/** @type {string} */ line) => console.error(`  ${line}`)
    const markdown = memoryTable(place(), await measureMemory(s3, { ...SIZE, minutes }, log))
    if (given.readme) {
      const file = at('bench/README.md')
      writeFileSync(file, intoReadme(readFileSync(file, 'utf8'), markdown, 'reader-memory'))
    }
    console.log(markdown)
  } finally {
    s3.stop()
  }
})
