/** One set-up at a time: `npm test` beside `npm start` must not both run `npm ci` in one tree. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { at } from './repo.mjs'

/** @param {number} pid */
function alive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** @param {string} file */
function tryLock(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    // On a full disk it is made without a holder's name, and nobody could ever take it over.
    rmSync(file, { force: true })
    throw error
  }
}

/** @param {string} file */
function holder(file) {
  try {
    return Number(readFileSync(file, 'utf8'))
  } catch {
    return Number.NaN // released between the two calls
  }
}

/**
 * Runs `work` while holding the named lock; waits for another live process, takes over from a dead one.
 *
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} work
 */
export async function withLock(name, work) {
  mkdirSync(at('.cache'), { recursive: true })
  const file = at('.cache', `${name}.lock`)
  let told = false
  while (!tryLock(file)) {
    const pid = holder(file)
    if (pid > 0 && !alive(pid)) {
      rmSync(file, { force: true })
      continue
    }
    if (!told) console.log(`Waiting for another ${name} (process ${pid}) …`)
    told = true
    await sleep(500)
  }
  const release = () => rmSync(file, { force: true })
  process.once('exit', release)
  try {
    return await work()
  } finally {
    process.removeListener('exit', release)
    release()
  }
}
