/**
 * Staleness: a piece is current when its outputs exist and its inputs hash to what they did when it
 * was built. And the lock under which pieces are built.
 */
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { at } from './repo.mjs'

const SKIP = new Set(['node_modules', 'target', 'dist', '.cache', 'corpus', 'artifacts'])
/** Made among the SDK's sources when it is built: else it would be stale once it is. */
const MADE = /\.inline\.(js|d\.ts)$/

/**
 * @param {string} relative
 * @returns {Generator<string>}
 */
function* files(relative) {
  const full = at(relative)
  if (!existsSync(full)) return
  if (!statSync(full).isDirectory()) {
    yield relative
    return
  }
  for (const name of readdirSync(full).sort()) {
    if (!SKIP.has(name) && !MADE.test(name)) yield* files(path.posix.join(relative, name))
  }
}

/**
 * Hash of files and directories (by name and content), with extra strings such as versions.
 *
 * @param {string[]} inputs paths from the repository's root
 * @param {string[]} extra
 */
export function hashInputs(inputs, extra) {
  const hash = createHash('sha256')
  for (const text of extra) hash.update(`${text}\0`)
  for (const file of inputs.flatMap((input) => [...files(input)])) {
    const bytes = readFileSync(at(file))
    hash.update(`${file}\0${bytes.length}\0`).update(bytes)
  }
  return hash.digest('hex')
}

const stampFile = (/** @type {string} */ name) => at('.cache', 'stamps', name)

/**
 * True if `outputs` (absolute paths) exist and the stamp of `name` is `hash`.
 *
 * @param {string} name
 * @param {string} hash
 * @param {string[]} outputs
 */
export function isCurrent(name, hash, outputs) {
  const file = stampFile(name)
  return (
    outputs.every((out) => existsSync(out)) &&
    existsSync(file) &&
    readFileSync(file, 'utf8') === hash
  )
}

/**
 * Records that `name` was built from inputs that hash to `hash`.
 *
 * @param {string} name
 * @param {string} hash
 */
export function mark(name, hash) {
  mkdirSync(at('.cache', 'stamps'), { recursive: true })
  writeFileSync(stampFile(name), hash)
}

const LOCK = at('.cache', 'setup.lock')
/** How many set-ups of this process go on, and the taking of the lock that they share. */
let holders = 0
/** @type {Promise<void> | undefined} */
let taken

/** Waits for another live process; takes over from a dead one. */
async function take() {
  mkdirSync(at('.cache'), { recursive: true })
  for (let told = false; ; told = true) {
    try {
      writeFileSync(LOCK, String(process.pid), { flag: 'wx' })
      return
    } catch (error) {
      if (error.code !== 'EEXIST') {
        // On a full disk it is made without a holder's name, and nobody could ever take it over.
        rmSync(LOCK, { force: true })
        throw error
      }
    }
    const holder = lockHolder()
    if (holder > 0 && !isAlive(holder)) {
      rmSync(LOCK, { force: true })
      continue
    }
    if (!told) console.log(`Waiting for another set-up (process ${holder}) …`)
    await sleep(500)
  }
}

/** The process that holds the lock; 0 while it is made or released. */
function lockHolder() {
  try {
    return Number(readFileSync(LOCK, 'utf8'))
  } catch {
    return 0
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/**
 * Runs `work` while no other process builds in this tree: `npm test` beside `npm start` must not
 * both run `npm ci`.
 *
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(work) {
  holders += 1
  taken ??= take()
  try {
    await taken
    return await work()
  } finally {
    holders -= 1
    if (holders === 0) {
      taken = undefined
      rmSync(LOCK, { force: true })
    }
  }
}
