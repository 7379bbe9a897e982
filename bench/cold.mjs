/**
 * A cold start: `node bench/cold.mjs ENGINE CASEFILE` loads an engine, proves one case with it and
 * prints the microseconds that took, Node's own start not counted.
 */
import { readFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { fromJson } from './lib/caseFile.mjs'
import { loadEngine } from './lib/suites.mjs'

const [id = '', file = ''] = process.argv.slice(2)
const bench = fromJson(readFileSync(file, 'utf8'))
const start = performance.now()
const engine = await loadEngine(id)
const check = await engine.prepare(bench)
await check()
console.log(JSON.stringify({ us: (performance.now() - start) * 1000 }))
