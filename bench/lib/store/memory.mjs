/** What memory a reader of a store has while it is asked and its writer makes blocks. */

import { readFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { ALL, SYSTEMS } from '../questions.mjs'
import { pusherOf, startReader, startWriter } from './nodes.mjs'
import { ask, numbers } from './questions.mjs'
import { fill } from './state.mjs'

/** @typedef {import('./s3.mjs').S3} S3 */

/**
 * @typedef {object} Sample
 * @property {number} minute since the load began
 * @property {number} bytes that are resident
 * @property {number} answers since the sample before
 * @property {number} block the reader's newest
 */

/**
 * @typedef {object} Size
 * @property {number} keys of the state
 * @property {number} minutes
 * @property {number} samples after the first
 * @property {number} blockMs from one block to the next
 * @property {number} writes of a block
 * @property {number} connections
 * @property {number} pauseMs of a connection between an answer and the next question
 * @property {number} cache of the reader, MiB
 */

const NAME = 'memory'
/** The node's own default. */
const POLL_MS = 500
/** A prime, so that questions go through all keys. */
const APART = 7_919

/**
 * Asks one reader about keys of the whole state, in all systems in turn, and samples its memory.
 *
 * @param {S3} s3
 * @param {Size} size
 * @param {(line: string) => void} log
 * @returns {Promise<Sample[]>}
 * @throws {Error} if the reader refuses a question, or the writer a block
 */
export async function measureMemory(s3, size, log) {
  const writer = await startWriter(s3, NAME, ALL)
  const push = pusherOf(writer)
  await fill(push, 0, size.keys)
  const reader = await startReader(s3, NAME, ALL, { cache: size.cache, pollMs: POLL_MS })
  const agent = new Agent({ keepAlive: true })
  const began = performance.now()
  const end = began + size.minutes * 60_000
  const isOver = () => performance.now() >= end
  let asked = 0
  let answers = 0
  const asking = async () => {
    while (!isOver()) {
      const turn = asked++
      const system = SYSTEMS[turn % SYSTEMS.length] ?? 'mpt'
      await ask(reader, agent, system, (turn * APART) % size.keys)
      answers++
      await sleep(size.pauseMs)
    }
  }
  const writing = async () => {
    for (let block = 0; !isOver(); block++) {
      await push(numbers(size.writes).map((i) => (i * APART + block) % size.keys))
      await sleep(Math.min(size.blockMs, Math.max(0, end - performance.now())))
    }
  }
  /** @type {Sample[]} */
  const samples = []
  const sample = () => {
    const bytes = residentOf(readFileSync(`/proc/${reader.pid}/status`, 'utf8'))
    const minute = (performance.now() - began) / 60_000
    samples.push({ minute, bytes, answers, block: reader.head().number })
    log(`minute ${minute.toFixed(1)}: ${(bytes / 2 ** 20).toFixed(0)} MiB, ${answers} answers`)
    answers = 0
  }
  const sampling = async () => {
    for (let i = 1; i <= size.samples; i++) {
      await sleep(Math.max(0, began + ((end - began) * i) / size.samples - performance.now()))
      sample()
    }
  }
  // The first is of a reader that nobody has asked yet.
  sample()
  await Promise.all([...numbers(size.connections).map(asking), writing(), sampling()])
  agent.destroy()
  await Promise.all([reader.stop(), writer.stop()])
  return samples
}

/** @param {string} status text of a process's status in `/proc` */
function residentOf(status) {
  return Number(/VmRSS:\s*(\d+) kB/.exec(status)?.[1] ?? 0) * 1024
}

/**
 * The table of bench/README.md.
 *
 * @param {string} place commit and machine
 * @param {readonly Sample[]} samples
 */
export function memoryTable(place, samples) {
  const cells = samples.map(({ minute, bytes, answers, block }) => [
    minute.toFixed(0),
    `${(bytes / 2 ** 20).toFixed(0)} MiB`,
    answers.toLocaleString('en'),
    block.toLocaleString('en'),
  ])
  const rows = [
    ['minute', 'memory of the reader', 'answers since the row above', 'newest block'],
    ['---:', '---:', '---:', '---:'],
    ...cells,
  ]
  return [`Commit ${place}.`, rows.map((row) => `| ${row.join(' | ')} |`).join('\n')].join('\n\n')
}
