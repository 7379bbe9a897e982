/** One start in a fresh process: `node child.mjs FILE` prints the milliseconds until it is ready. */
import { pathToFileURL } from 'node:url'
import { readyAt } from './watch.mjs'

const [file = ''] = process.argv.slice(2)
const began = performance.now()
const ready = await readyAt(async () => (await import(pathToFileURL(file).href)).start())
console.log(JSON.stringify({ ms: ready - began }))
process.exit()
