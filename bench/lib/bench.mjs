/** The whole benchmark: every case by every engine, cold starts, sizes. */

import { cpus, loadavg } from 'node:os'
import { isDeepStrictEqual } from 'node:util'
import { probe } from '../../scripts/lib/run.mjs'
import { questionOf } from '../engines/lightproof-wasm.mjs'
import { measureCold } from './cold.mjs'
import { measure, median, pairedRatio } from './measure.mjs'
import { measureNative, NATIVE } from './native.mjs'
import { proofBytes } from './record.mjs'
import { measureSizes } from './sizes.mjs'
import { loadEngine, loadOwnSuites, loadSuites } from './suites.mjs'

/** @typedef {import('./types.js').BenchCase} BenchCase */
/** @typedef {import('./types.js').Engine} Engine */
/** @typedef {import('./types.js').Report} Report */
/** @typedef {import('./types.js').Row} Row */
/** @typedef {import('./types.js').Suite} Suite */
/** @typedef {import('../browser/types.js').Question} Question */

/** Cold starts take a process each; more rounds than this tell nothing more. */
const MAX_COLD_ROUNDS = 11
/** Accounts of the state that proofs are made over: they have as many nodes as mainnet's. */
const ACCOUNTS = 1_000_000

/**
 * @param {object} options
 * @param {number} options.rounds
 * @param {string | undefined} [options.only] of one system
 * @param {import('../browser/types.js').Browsers | undefined} [options.browsers] which have their
 *   turns after Node.js
 * @param {(line: string) => void} options.log
 * @returns {Promise<Report>}
 */
export async function runBench({ rounds, only, browsers, log }) {
  /** @type {Row[]} */
  const rows = []
  /** @type {NonNullable<Report['titles']['systems']>} */
  const systems = {}
  /** @type {Report['titles']} */
  const titles = { cases: {}, engines: { [NATIVE.id]: NATIVE.title }, systems }
  Object.assign(titles.engines, Object.fromEntries(browsers?.titles ?? []))
  /** @type {Map<string, Question>} */
  const questions = new Map()
  const isWanted = (/** @type {{ system: string }} */ { system }) =>
    only === undefined || only === system
  for (const own of (await loadOwnSuites()).filter(isWanted)) {
    const began = performance.now()
    const { rows: theirs, titles: named, note, questions: asked } = await own.run({ rounds, log })
    log(`${own.system}: ${elapsed(began)}`)
    rows.push(...theirs)
    for (const [id, question] of asked ?? []) questions.set(id, question)
    Object.assign(titles.cases, named.cases)
    Object.assign(titles.engines, named.engines)
    const about = note === undefined ? own.about : `${own.about} ${note}`
    systems[own.system] = { title: own.title, about, peer: own.peer }
  }
  for (const suite of (await loadSuites()).filter(isWanted)) {
    const began = performance.now()
    const engines = await Promise.all(suite.engines.map(loadEngine))
    log(`${suite.system}: cases`)
    const cases = await suite.cases({ profile: 'bench', accounts: ACCOUNTS })
    for (const { id, title } of engines) titles.engines[id] = title
    log(`${suite.system}: native`)
    const native = await measureNative(cases)
    for (const bench of cases) {
      log(`${suite.system}: ${bench.title}`)
      titles.cases[bench.id] = bench.title
      questions.set(bench.id, questionOf(bench))
      const [ours, ...theirs] = await rowsOf(bench, engines, rounds)
      if (ours !== undefined) rows.push(ours, nativeRow(bench, native, ours), ...theirs)
    }
    const [first] = cases
    if (first !== undefined) {
      log(`${suite.system}: cold starts`)
      titles.cases[coldId(first)] = `cold start, ${first.title}`
      rows.push(...(await coldRows(first, suite, Math.min(rounds, MAX_COLD_ROUNDS))))
    }
    log(`${suite.system}: ${elapsed(began)}`)
  }
  if (browsers !== undefined) {
    const began = performance.now()
    for (const [id, question] of questions) {
      log(`in browsers: ${titles.cases[id]}`)
      const ours = rows.find((row) => row.case === id)
      if (ours !== undefined) rows.push(...(await browserRows(browsers, ours, question)))
    }
    log(`in browsers: ${elapsed(began)}`)
  }
  log('sizes')
  return { schema: 1, ...place(), titles, rows, sizes: await measureSizes() }
}

/**
 * Readies the engines' checks of a case, after each has shown that it proves what it should.
 *
 * @param {BenchCase} bench
 * @param {readonly Engine[]} engines
 */
export async function prepareChecks(bench, engines) {
  const checks = []
  for (const engine of engines) {
    const check = await engine.prepare(bench)
    const fact = engine.fact(await check())
    if (!isDeepStrictEqual(fact, bench.expected)) {
      throw new Error(`${engine.id} proves something else for ${bench.id}`)
    }
    checks.push(check)
  }
  return checks
}

/**
 * @param {BenchCase} bench
 * @param {readonly Engine[]} engines
 * @param {number} rounds
 * @returns {Promise<Row[]>} in the order of the engines
 */
async function rowsOf(bench, engines, rounds) {
  const results = await measure(await prepareChecks(bench, engines), rounds)
  const times = results.map(({ samples }) => samples)
  return engines.map(({ id }, i) => ({
    case: bench.id,
    engine: id,
    runs: results[i]?.runs ?? 0,
    proofBytes: proofBytes(bench),
    ...compared(times, i),
  }))
}

/**
 * @param {BenchCase} bench
 * @param {Suite} suite
 * @param {number} rounds
 * @returns {Promise<Row[]>}
 */
async function coldRows(bench, suite, rounds) {
  // Ours as a user starts it: the published entry, not the bare module.
  const engines = suite.engines.filter((id) => id !== 'lightproof-wasm')
  const times = await measureCold(engines, bench, rounds)
  return engines.map((engine, i) => ({
    case: coldId(bench),
    engine,
    runs: rounds,
    proofBytes: proofBytes(bench),
    ...compared(times, i),
  }))
}

/**
 * @param {import('../browser/types.js').Browsers} browsers
 * @param {Row} ours the same case in Node.js
 * @param {Question} question
 * @returns {Promise<Row[]>}
 */
async function browserRows(browsers, ours, question) {
  const { shown: _, ...base } = ours
  const found = await browsers.measure(question)
  return [...found].map(([engine, { medianUs, runs }]) => {
    const ratioToOurs = rounded(medianUs / ours.medianUs)
    return { ...base, engine, runs, medianUs: rounded(medianUs), ratioToOurs }
  })
}

/**
 * What a part of the run has taken, by the clock.
 *
 * @param {number} began
 */
function elapsed(began) {
  return `${((performance.now() - began) / 1000).toFixed(0)} s`
}

/** @param {BenchCase} bench */
function coldId({ id }) {
  return `cold-${id}`
}

/**
 * @param {readonly number[][]} times samples of each engine, ours first
 * @param {number} i
 */
function compared(times, i) {
  const [ours = []] = times
  const samples = times[i] ?? []
  const ratioToOurs = i === 0 ? null : rounded(pairedRatio(samples, ours))
  return { medianUs: rounded(median(samples)), ratioToOurs }
}

/**
 * @param {BenchCase} bench
 * @param {Awaited<ReturnType<typeof measureNative>>} native
 * @param {Row} ours
 * @returns {Row}
 */
function nativeRow(bench, native, ours) {
  const { medianUs, runs } = native.get(bench.id) ?? { medianUs: Number.NaN, runs: 0 }
  return {
    case: bench.id,
    engine: NATIVE.id,
    medianUs: rounded(medianUs),
    runs,
    proofBytes: proofBytes(bench),
    ratioToOurs: rounded(medianUs / ours.medianUs),
  }
}

/** @param {number} value */
function rounded(value) {
  return Math.round(value * 100) / 100
}

/** Where and of what these figures are. */
function place() {
  const commit = probe('git', ['rev-parse', '--short=12', 'HEAD']) ?? 'unknown'
  const changed = probe('git', ['status', '--porcelain', '--untracked-files=no']) !== ''
  const cores = cpus()
  return {
    commit: changed ? `${commit} with changes` : commit,
    machine: `${cores.length} × ${cores[0]?.model ?? 'unknown'}, ${process.platform} ${process.arch}`,
    node: process.version,
    load: Math.round((loadavg()[0] ?? 0) * 10) / 10,
  }
}
