/**
 * How a state in object storage grows, a system at a time: what is stored, and the requests of
 * blocks and of proofs, at 100,000, 1,000,000 and 10,000,000 keys; and what they would cost at
 * 1,000,000,000, by the law that the last two sizes show.
 *
 *   node bench/growth.mjs [--only SYSTEM,…] [--keys 10000000] [--readme]
 *
 *   --keys N  the largest state; one of more than 1,000,000 keys is filled with 12 GiB in memory
 *   --readme  puts the table between its markers in bench/README.md
 *
 * What was measured is kept in .cache/growth.json: systems may be measured one by one.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { asProgram, flags, named } from '../scripts/lib/program.mjs'
import { at } from '../scripts/lib/repo.mjs'
import { setup } from '../scripts/setup.mjs'
import { KEYED } from './lib/questions.mjs'

/** @typedef {import('./lib/store/growth.mjs').Rung} Rung */
/** @typedef {{ place: string, rungs: Rung[] }} Measured */

const RUNGS = [100_000, 1_000_000, 10_000_000]
const SIZE = {
  ...{ writes: 3_600, blocks: 5, firsts: 5, proofs: 1_000 },
  ...{ held: 1_000_000, warmUp: { writes: 20_000, blocks: 10 } },
}
const KEPT = at('.cache/growth.json')

await asProgram(import.meta.url, async () => {
  const usage = 'node bench/growth.mjs [--only SYSTEM,…] [--keys N] [--readme]'
  const text = /** @type {const} */ ({ type: 'string' })
  const given = flags(usage, { only: text, keys: text, readme: { type: 'boolean' } })
  const most = Number(given.keys ?? RUNGS.at(-1))
  const rungs = RUNGS.filter((keys) => keys <= most)
  if (rungs.length === 0) throw new Error(`usage: ${usage}; at least ${RUNGS[0]} keys`)
  // The positions of balanceproofs are as many in every state.
  const systems = named(given.only, [...KEYED].sort(), usage)
  await setup(['sdk', 'storeNode'])
  const { startS3 } = await import('./lib/store/s3.mjs')
  const { measureGrowth } = await import('./lib/store/growth.mjs')
  const { place } = await import('./lib/place.mjs')
  const { growthTable } = await import('./lib/store/cost.mjs')
  const { intoReadme } = await import('./lib/tables.mjs')
  /** @type {Record<string, Measured>} */
  const kept = existsSync(KEPT) ? JSON.parse(readFileSync(KEPT, 'utf8')) : {}
  for (const system of systems) {
    // A store that is gone needs no room beside the next one.
    const s3 = await startS3()
    try {
      const log = (/** @type {string} */ line) => console.error(`  ${line}`)
      const own = { place: place(), rungs: /** @type {Rung[]} */ ([]) }
      kept[system] = own
      await measureGrowth(s3, system, { ...SIZE, rungs }, log, (rung) => {
        own.rungs.push(rung)
        writeFileSync(KEPT, `${JSON.stringify(kept, undefined, 2)}\n`)
      })
    } finally {
      s3.stop()
    }
  }
  const markdown = growthTable(Object.values(kept))
  if (given.readme) {
    const file = at('bench/README.md')
    writeFileSync(file, intoReadme(readFileSync(file, 'utf8'), markdown, 'growth'))
  }
  console.log(markdown)
})
