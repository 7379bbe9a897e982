/** Writers and readers of a store, and the blocks that are pushed to a writer. */

import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { createPushClient, pushBlock } from 'lightproof/push'
import { storeProgram } from '../../../scripts/lib/repo.mjs'
import { start } from '../../../scripts/lib/run.mjs'

/** @typedef {import('./s3.mjs').S3} S3 */
/** @typedef {{ number: number, hash: string }} Head */
/** @typedef {{ url: string, push?: string, head: Head }} Ready the first line of a node */

/**
 * @typedef {object} Running
 * @property {Ready} ready
 * @property {() => Head} head the newest block that it announced
 * @property {(number: number) => Promise<void>} reached resolves when it has announced a block
 * @property {number} pid
 * @property {(signal?: NodeJS.Signals) => Promise<void>} stop
 */

const DAY = 86_400
const SECRET = randomBytes(32).toString('hex')

/**
 * Runs a program of the node's until it is ready; it goes away with this process.
 *
 * @param {string[]} args
 * @param {Record<string, string>} env
 * @returns {Promise<Running>}
 * @throws {Error} with what it printed, if it ends before
 */
function runUntilReady(args, env) {
  const child = start(process.env.LIGHTPROOF_STORE_NODE ?? storeProgram(), args, { env })
  const complaints = [`lightproof-node ${args[0]} ended early`]
  createInterface({ input: child.stderr }).on('line', (line) => complaints.push(line))
  /** @type {Head} */
  let head = { number: 0, hash: '' }
  /** @type {Set<() => void>} */
  const waiting = new Set()
  const reached = async (/** @type {number} */ number) => {
    while (head.number < number) {
      await new Promise((resolve) => {
        const tell = () => {
          waiting.delete(tell)
          resolve(undefined)
        }
        waiting.add(tell)
      })
    }
  }
  const stop = async (/** @type {NodeJS.Signals} */ signal = 'SIGTERM') => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill(signal)
    await ended
  }
  return new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const event = JSON.parse(line)
      head = event.event === 'ready' ? event.head : event
      for (const tell of waiting) tell()
      if (event.event === 'ready') {
        resolve({ ready: event, head: () => head, reached, pid: child.pid ?? 0, stop })
      }
    })
    child.once('error', reject)
    child.once('close', () => reject(new Error(complaints.join('\n'))))
  })
}

/** Flags that writer and readers share. */
const CHAIN = ['--committee-size', '0']

/**
 * @param {S3} s3
 * @param {string} name of the store
 * @param {string} systems
 * @param {number} [cache] MiB
 */
export async function startWriter(s3, name, systems, cache = 64) {
  const folder = mkdtempSync(path.join(tmpdir(), 'lightproof-writer-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const jwt = path.join(folder, 'jwt.hex')
  writeFileSync(jwt, SECRET)
  const push = ['--push', '127.0.0.1:0', '--jwt', jwt]
  const genesis = ['--genesis-time', `${Math.floor(Date.now() / 1000) - DAY}`]
  const chain = ['--store', s3.url(name), '--systems', systems, '--cache', `${cache}`, ...CHAIN]
  const known = await runUntilReady(['run', ...chain, ...push], s3.env).catch(() => undefined)
  // A chain that is there has its own time.
  return known ?? runUntilReady(['run', ...chain, ...push, ...genesis], s3.env)
}

/**
 * @param {S3} s3
 * @param {string} name
 * @param {string} systems
 * @param {{ cache?: number, pollMs?: number }} [how] `cache`: MiB
 */
export function startReader(s3, name, systems, { cache = 64, pollMs = 200 } = {}) {
  const how = ['--cache', `${cache}`, '--poll-ms', `${pollMs}`, '--systems', systems]
  return runUntilReady(['serve', '--store', s3.url(name), ...how, ...CHAIN], s3.env)
}

/** @param {string} text */
function wordOf(text) {
  return `0x${Buffer.from(text.padEnd(32, '.')).subarray(0, 32).toString('hex')}`
}

/** @param {number} key */
const addressOf = (key) => wordOf(`account ${key}`).slice(0, 42)
/** @param {number} key */
const slotOf = (key) => wordOf(`slot ${key}`)

/** Slots of one account. */
const SLOTS = 100

/**
 * Where the value of a key is: a sixth of all are accounts.
 *
 * @param {number} key
 */
export function placeOf(key) {
  return { address: addressOf(Math.floor(key / SLOTS)), slot: slotOf(key) }
}

/**
 * What pushes blocks to a writer, and says how long each took to be durable.
 *
 * @param {Running} writer
 */
export function pusherOf(writer) {
  const client = createPushClient({
    url: writer.ready.push ?? '',
    secret: SECRET,
    timeoutMs: 600_000,
  })
  let number = writer.ready.head.number
  /**
   * @param {readonly number[]} keys
   * @returns {Promise<{ ms: number, head: Head }>}
   */
  return async (keys) => {
    number++
    const accounts = keys
      .filter((_, i) => i % 6 === 0)
      .map((key) => ({ address: addressOf(-1 - key), nonce: 0, balance: BigInt(number) }))
    const slots = keys
      .filter((_, i) => i % 6 !== 0)
      .map((key) => ({ ...placeOf(key), value: BigInt(number) }))
    const timestamp = Math.floor(Date.now() / 1000)
    const began = performance.now()
    const { hash } = await pushBlock(client, { number, timestamp, accounts, slots })
    return { ms: performance.now() - began, head: { number, hash } }
  }
}

/**
 * The most memory that a process had, in bytes.
 *
 * @param {string} status text of its status in `/proc`
 */
export function peakOf(status) {
  return Number(/VmHWM:\s*(\d+) kB/.exec(status)?.[1] ?? 0) * 1024
}
