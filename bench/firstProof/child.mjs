/**
 * A first balance in a fresh process: `node child.mjs ENTRY TASK` prints when each step was over,
 * or why the balance was not proven. ENTRY is the package's, as built.
 */
import { pathToFileURL } from 'node:url'
import { proveFirst } from './start.mjs'
import { watch } from './watch.mjs'

const [entry = '', task = ''] = process.argv.slice(2)
const began = performance.now()
const lightproof = await import(pathToFileURL(entry).href)
const { fetch, ends } = watch()
try {
  await proveFirst(lightproof, JSON.parse(task), fetch)
  const found = Object.entries(ends()).map(([step, end]) => [step, end - began])
  console.log(JSON.stringify(Object.fromEntries(found)))
} catch (error) {
  console.log(JSON.stringify(String(error)))
}
process.exit()
