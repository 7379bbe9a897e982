/**
 * Start-up in Node.js: how long the import of the package takes, and how long it is until the first
 * request goes out, with the module of `mpt` started. Each time in a fresh process.
 *
 *   node bench/start.mjs [--beside DIST] [--rounds N]
 *
 *   --beside DIST  another build of the package's `dist`, measured in turn with this one
 *   --rounds N     processes of each (default 20)
 */
import path from 'node:path'
import { performance } from 'node:perf_hooks'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { asProgram, flags } from '../scripts/lib/program.mjs'
import { run } from '../scripts/lib/run.mjs'
import { setup } from '../scripts/setup.mjs'

const SELF = fileURLToPath(import.meta.url)
const HASH = `0x${'11'.repeat(32)}`
const ROUNDS = 20

/** @param {string} dist */
async function startOnce(dist) {
  const url = pathToFileURL(path.join(dist, 'entry', 'node.js')).href
  const began = performance.now()
  const { createClient, getBalance, mainnet } = await import(url)
  const importMs = performance.now() - began
  let readyMs = 0
  const fetch = async () => {
    readyMs ||= performance.now() - began
    throw new TypeError('not sent')
  }
  const options = { chain: mainnet, anchor: { block: HASH }, nodes: ['http://localhost'], fetch }
  const client = createClient({ ...options, retries: 0 })
  await getBalance(client, { address: HASH.slice(0, 42) })
  return { importMs, readyMs }
}

/** @param {readonly number[]} times */
function summary(times) {
  const sorted = [...times].sort((a, b) => a - b)
  const [least = 0, median = 0] = [sorted[0], sorted[sorted.length >> 1]]
  return `${median.toFixed(1)} ms (least ${least.toFixed(1)})`
}

/**
 * Measures builds in turn.
 *
 * @param {string | undefined} beside another build
 * @param {number} rounds
 */
async function compare(beside, rounds) {
  await setup(['sdk'])
  const dists = [fileURLToPath(new URL('../sdk/dist', import.meta.url))]
  if (beside !== undefined) dists.push(path.resolve(beside))
  /** @type {{ importMs: number, readyMs: number }[][]} */
  const samples = dists.map(() => [])
  for (let round = 0; round < rounds; round++) {
    for (const [i, dist] of dists.entries()) {
      samples[i]?.push(JSON.parse(await run(process.execPath, [SELF, '--child', dist])))
    }
  }
  for (const [i, own] of samples.entries()) {
    console.log(i === 0 ? 'this build' : 'beside it')
    console.log(`  import ${summary(own.map(({ importMs }) => importMs))}`)
    console.log(`  ready  ${summary(own.map(({ readyMs }) => readyMs))}`)
  }
}

await asProgram(import.meta.url, async () => {
  const usage = 'node bench/start.mjs [--beside DIST] [--rounds N]'
  const text = /** @type {const} */ ({ type: 'string' })
  const given = flags(usage, { beside: text, rounds: text, child: text })
  const rounds = Number(given.rounds ?? ROUNDS)
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error(`usage: ${usage}`)
  if (given.child === undefined) await compare(given.beside, rounds)
  else console.log(JSON.stringify(await startOnce(given.child)))
})
