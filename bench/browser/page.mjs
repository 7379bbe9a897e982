/**
 * Times checks in a page. Its clock may tell whole milliseconds only, so one sample is of many
 * checks.
 */

import { client } from '../headers/lightproof.mjs'
import { startModule } from '../lib/glue.mjs'

/** @typedef {import('./types.js').Question} Question */
/** @typedef {() => (() => unknown)} Task readies a check, which is timed then */

const WARM_UP_MS = 300
const SAMPLE_MS = 60

/** @type {Map<string, Promise<any>>} verifiers by module and configuration, whose points take seconds to read */
const verifiers = new Map()

/** @param {string} hex */
function fromHex(hex) {
  const digits = hex.slice(2)
  return Uint8Array.from({ length: digits.length / 2 }, (_, i) =>
    Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16),
  )
}

/**
 * @param {import('./types.js').ProofQuestion} question
 * @returns {Promise<Task>}
 */
async function proofTask({ module, verifier, chain, config, params, claims, isCombined }) {
  const key = [module, verifier, chain, config].join(' ')
  const known =
    verifiers.get(key) ??
    startModule(module).then(
      (glue) => new glue[verifier](fromHex(chain), fromHex(config), fromHex(params)),
    )
  verifiers.set(key, known)
  const [ours, bytes, none] = [await known, fromHex(claims), new Uint8Array(32)]
  const check = () => {
    const fresh = isCombined ? crypto.getRandomValues(new Uint8Array(32)) : none
    const [{ status, code }] = JSON.parse(ours.verify(bytes, fresh))
    if (status !== 'proven') throw new Error(code)
  }
  return () => check
}

/**
 * @param {import('./types.js').HeadersQuestion} question
 * @returns {Promise<Task>}
 */
async function headersTask({ task, data }) {
  const bytes = Object.fromEntries(
    Object.entries(data).map(([name, value]) => [
      name,
      typeof value === 'string' && value.startsWith('0x') ? fromHex(value) : value,
    ]),
  )
  const found = (await client.load(/** @type {any} */ (bytes)))[task]
  if (found === undefined) throw new Error(`no task ${task}`)
  return found
}

/**
 * Milliseconds that so many checks take, by the clock.
 *
 * @param {Task} task
 * @param {number} count
 */
function timed(task, count) {
  let ms = 0
  for (let i = 0; i < count; i++) {
    const check = task()
    const began = performance.now()
    check()
    ms += performance.now() - began
  }
  return ms
}

/**
 * The same of checks that need no readying: the clock is read once.
 *
 * @param {Task} task
 * @param {number} count
 */
function timedAtOnce(task, count) {
  const check = task()
  const began = performance.now()
  for (let i = 0; i < count; i++) check()
  return performance.now() - began
}

/**
 * Microseconds of a check, one sample a round.
 *
 * @param {string} file the question
 * @param {number} rounds
 */
async function measure(file, rounds) {
  /** @type {Question} */
  const question = await (await fetch(file)).json()
  const isProof = question.kind === 'proof'
  const task = isProof ? await proofTask(question) : await headersTask(question)
  const time = isProof ? timedAtOnce : timed
  let [count, spent] = [0, 0]
  const began = performance.now()
  do {
    spent += time(task, 1)
    count++
  } while (performance.now() - began < WARM_UP_MS)
  const each = Math.max(1, Math.round((count * SAMPLE_MS) / Math.max(spent, 1)))
  const samples = []
  for (let round = 0; round < rounds; round++) samples.push((time(task, each) * 1000) / each)
  return samples
}

Object.assign(window, {
  /**
   * @param {string} file
   * @param {number} rounds
   */
  begin: (file, rounds) => {
    Object.assign(window, { samples: undefined })
    measure(file, rounds).then(
      (samples) => Object.assign(window, { samples }),
      (error) => Object.assign(window, { samples: String(error) }),
    )
  },
})
