/**
 * A node under load, while it makes blocks: 1, 64 and 512 connections, each for a third of
 * `LIGHTPROOF_SOAK_SECONDS`, or for some answers where no time is given.
 */

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { startLoaded } from '../lib/load.mjs'

const LEVELS = [1, 64, 512]
/** Answers that each connection waits for where no time is given. */
const TURNS = 3
const ANSWERS = 200
/** Of this process beside its connections. */
const FILES = 200
/**
 * Mebibytes that the node may hold at most, with a question in each connection, and that the second
 * half of a level may add: within some minutes all 512 wait for the proofs that take long, of which
 * each holds about one.
 */
const MOST = 1024
const GROWTH = 256

const isLinux = process.platform === 'linux'

test.skipIf(!isLinux)('behavior: a node under load', { timeout: 24 * 3_600_000 }, async () => {
  const open = /Max open files\s+(\d+)/.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
  expect(Number(open), 'too few open files: ulimit -n 1024').toBeGreaterThan(512 + FILES)
  const seconds = process.env.LIGHTPROOF_SOAK_SECONDS
  const { ask, memory, head } = await startLoaded()
  const first = head()
  for (const connections of LEVELS) {
    const began = performance.now()
    const ms = (Number(seconds ?? 0) * 1000) / LEVELS.length
    const most = Math.max(ANSWERS, TURNS * connections)
    const level = await ask(connections, (answers) =>
      seconds === undefined ? answers / most : (performance.now() - began) / ms,
    )
    const { answers, verified, p50, p99, errors, wrong, resident } = level
    const [start, middle, end] = resident
    const codes = [...errors].map(([code, count]) => `${count} × ${code}`).join(', ') || 'none'
    console.log(
      `soak load ${connections}: ${answers} answers, p50 ${p50.toFixed(1)} ms, ` +
        `p99 ${p99.toFixed(1)} ms, errors: ${codes}; ${verified} verified, ${wrong.length} wrong; ` +
        `resident ${resident.map(Math.round).join(', ')} MiB at start, half and end`,
    )
    expect(wrong).toEqual([])
    expect(errors).toEqual(new Map())
    expect(verified).toBeGreaterThan(0)
    expect(middle).toBeGreaterThan(start / 2)
    expect(end - middle).toBeLessThan(GROWTH)
  }
  const peak = memory('VmHWM')
  console.log(`soak load: ${head() - first} blocks made, peak memory ${peak.toFixed(0)} MiB`)
  expect(peak).toBeLessThan(MOST)
})
