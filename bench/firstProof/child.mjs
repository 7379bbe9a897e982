/**
 * A first balance in a fresh process: `node child.mjs ENTRY TASK` prints when each step was over,
 * or why the balance was not proven. ENTRY is the package's, as built.
 */
import { subscribe } from 'node:diagnostics_channel'
import { pathToFileURL } from 'node:url'
import { proveFirst } from './start.mjs'
import { watch } from './watch.mjs'

const [entry = '', task = ''] = process.argv.slice(2)
const began = performance.now()
const lightproof = await import(pathToFileURL(entry).href)
const { note, ends } = watch()
// As a program does that gives the client no `fetch`: requests go by `node:http`.
subscribe('http.client.response.finish', () => note('answers'))
try {
  await proveFirst(lightproof, JSON.parse(task))
  const found = Object.entries(ends()).map(([step, end]) => [step, end - began])
  console.log(JSON.stringify(Object.fromEntries(found)))
} catch (error) {
  console.log(JSON.stringify(String(error)))
}
process.exit()
