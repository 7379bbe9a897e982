/** Every case runs in every engine with the right verdict; nothing here judges a time. */

import { describe, expect, test } from 'vitest'
import { findGeth } from '../../scripts/lib/geth.mjs'
import { blocks, checksOf } from '../cases/body.mjs'
import { runTask, tasksOf } from '../cases/history.mjs'
import { measureBlocks } from '../cases/node.mjs'
import { measurePeers } from '../cases/peers.mjs'
import { rootOf } from '../engines/ethers-trie.mjs'
import { headerData } from '../headers/data.mjs'
import { client as ours, storeBytes } from '../headers/lightproof.mjs'
import { measureTasks, TASKS } from '../headers/measure.mjs'
import { measureNativeTasks } from '../headers/native.mjs'
import { loadPeers } from '../headers/peers.mjs'
import { prepareChecks } from '../lib/bench.mjs'
import { runByClient } from '../lib/callClient.mjs'
import { madeCalls } from '../lib/callState.mjs'
import {
  bytesOf,
  measureNativeCalls,
  prepareEthereumjs,
  prepareOurs,
  recordedCalls,
} from '../lib/calls.mjs'
import { measureCold } from '../lib/cold.mjs'
import { measureNativeCole } from '../lib/cole.mjs'
import { makeLongChain } from '../lib/gethChain.mjs'
import { checkOf } from '../lib/harness.mjs'
import { measureNativeLmpt } from '../lib/lmpt.mjs'
import { measure, median, pairedRatio } from '../lib/measure.mjs'
import { BRIEF, measureNative } from '../lib/native.mjs'
import { hasPeers } from '../lib/peers.mjs'
import { partsOf } from '../lib/record.mjs'
import { fromHex, toHex } from '../lib/rlp.mjs'
import { SERVED, startServing } from '../lib/serving.mjs'
import { measureSizes } from '../lib/sizes.mjs'
import { loadEngine, loadSuites } from '../lib/suites.mjs'
import { CLIENTS } from '../lightClients/clients.mjs'
import { FEATURES } from '../lightClients/features.mjs'
import { hasBrowser } from '../lightClients/measure.mjs'

/** @typedef {import('../lib/types.js').BenchCase} BenchCase */

const MINUTES = 60_000

const SYSTEMS = ['balanceproofs', 'cole', 'lmpt', 'lvmt', 'mpt', 'verkle']

const suites = await loadSuites()

// Engines are warmed up one after another, and processes are started: on a busy machine that takes
// long.
describe.each(suites)('$system', { timeout: 2 * MINUTES }, async (suite) => {
  const cases = await suite.cases({ profile: BRIEF.profile, accounts: 2_000 })

  test.each(cases)('every engine proves: $title', async (bench) => {
    const engines = await Promise.all(suite.engines.map(loadEngine))
    const results = await measure(await prepareChecks(bench, engines), 2)
    expect(results.map(({ samples }) => samples.length)).toEqual(suite.engines.map(() => 2))
  })

  test.each(cases)('every engine refuses a flipped digit: $title', async (bench) => {
    for (const id of suite.engines) {
      const check = await (await loadEngine(id)).prepare(tampered(bench))
      await expect((async () => check())(), id).rejects.toThrow()
    }
  })

  test('the native core proves every case', { timeout: 10 * MINUTES }, async () => {
    const lines = await measureNative(cases, BRIEF)
    expect([...lines.keys()]).toEqual(cases.map(({ id }) => id))
  })

  test('every engine starts cold', async () => {
    const [bench] = cases
    if (bench === undefined) throw new Error('no cases')
    const samples = await measureCold(suite.engines, bench, 1)
    expect(samples.flat().every((us) => us > 0)).toBe(true)
    expect(samples.length).toBe(suite.engines.length)
  })
})

test('a node makes and follows blocks, and answers', { timeout: 10 * MINUTES }, async () => {
  const size = { blocks: 1, known: 600, writes: 600, transfers: 5, small: 5 }
  const rows = await measureBlocks(BRIEF.profile, size)
  const followed = (/** @type {string} */ kind) => [
    ...[`${kind}/mpt`, `${kind}/mpt/mpt`, `${kind}/all`],
    ...SYSTEMS.map((system) => `${kind}/all/${system}`),
  ]
  expect(rows.map(({ id }) => id)).toEqual([
    ...[SYSTEMS.join(','), ...SYSTEMS].map((systems) => `write/${systems}`),
    `large/${SYSTEMS.join(',')}`,
    ...['senders', 'k256', 'roots', 'memory'].map((part) => `follow/${part}`),
    ...followed('follow'),
    ...followed('catch-up'),
  ])
  for (const { id, wallUs, cpuUs, peakBytes, bytes } of rows) {
    expect(Math.min(wallUs, cpuUs, peakBytes), id).toBeGreaterThan(0)
    const isWhole = /^(write|large|catch-up)\/[^/]*$/.test(id)
    if (isWhole) expect(bytes, id).toBeGreaterThan(0)
  }
  const ask = await startServing(4)
  for (const system of SERVED) expect((await ask(system, 2, 4)).bytes).toBeGreaterThan(0)
})

const made = madeCalls(100)

test('calls: every engine gives the same answers and gas', { timeout: 10 * MINUTES }, async () => {
  const all = [...recordedCalls(), ...(await made)]
  expect([...(await measureNativeCalls(all, BRIEF)).keys()]).toEqual(all.map(({ id }) => id))
  for (const recorded of all) {
    const answers = (await prepareOurs(recorded))()
    expect(answers).toHaveLength(recorded.calls.length)
    // A transaction's own gas is not the code's.
    const own = recorded.calls.reduce((sum, { data }) => sum + intrinsicGas(data), 0)
    const used = answers.reduce((sum, { gasUsed }) => sum + Number(gasUsed), 0)
    expect(BigInt(used - own), recorded.id).toBe(await (await prepareEthereumjs(recorded))())
    const short = { ...recorded, proofs: recorded.proofs.slice(1) }
    expect(bytesOf(short)).toBeLessThan(bytesOf(recorded))
    await expect((async () => (await prepareOurs(short))())(), recorded.id).rejects.toThrow(
      'missing',
    )
  }
})

/** Rounds that a client needs at most, by call. */
const ROUNDS = new Map([
  ['made-balance', 4],
  ['made-swap', 4],
  ['made-200-balances', 6],
])

test(
  'calls: a client asks in few rounds, in one with the witness',
  async () => {
    for (const recorded of [...recordedCalls(), ...(await made)]) {
      const { id, calls } = recorded
      const most = ROUNDS.get(id)
      if (most !== undefined)
        expect((await runByClient(recorded, { offers: false })).rounds, id).toBeLessThanOrEqual(
          most,
        )
      if (calls.length > 1) continue
      expect((await runByClient(recorded, { offers: true })).rounds, id).toBe(1)
      const other = { ...recorded, output: `0x${'22'.repeat(32)}` }
      await expect(runByClient(other, { offers: true }), id).rejects.toThrow('another output')
    }
  },
  10 * MINUTES,
)

const program = findGeth()
// Lanes beside this one build geth; without it there is nothing to ask.
test.runIf(program)('history: a block is found by a slot and by a walk, and logs', async () => {
  const chain = await makeLongChain(program ?? '', 30)
  const found = []
  for (const task of tasksOf(chain)) found.push(await runTask(chain, task))
  const [slot, walk, logs] = found.map(({ bytes }) => bytes)
  expect(slot).toBeLessThan(Number(walk))
  expect(logs).toBeGreaterThan(0)
})

const periods = await headerData(BRIEF.profile)

test('headers: periods of Electra and of Gloas are made here', () => {
  expect(periods.map(({ id }) => id)).toEqual(
    expect.arrayContaining(['made-electra', 'made-gloas']),
  )
})

describe.each(periods)('headers: $title', { timeout: 2 * MINUTES }, async (data) => {
  const peers = (await loadPeers()).filter(({ forks }) => forks.includes(data.fork))

  test.each([ours, ...peers])(
    '$title takes what holds, and refuses a flipped bit',
    async (client) => {
      for (const task of Object.values(await client.load(data))) task()()
      // In the signature, which stands before the 8 bytes of the slot.
      const flipped = (/** @type {Uint8Array} */ ssz, /** @type {number} */ fixed) =>
        ssz.map((byte, at) => (at === fixed - 8 - 20 ? byte ^ 1 : byte))
      const shorter = data.update.length - data.finality.length
      const update = flipped(data.update, fixedPart(data))
      const finality = flipped(data.finality, fixedPart(data) - shorter)
      const lies = /** @type {const} */ ([
        ['cold', { ...data, update }],
        ['finality', { ...data, finality }],
      ])
      for (const [name, lie] of lies) {
        if (!(name in (await client.load(data)))) continue
        await expect(
          (async () => {
            const { [name]: task } = await client.load(lie)
            task?.()()
          })(),
        ).rejects.toThrow()
      }
    },
  )

  test('a client keeps at most 56,000 bytes', async () => {
    expect(await storeBytes(data)).toBeLessThanOrEqual(56_000)
  })

  test('every task gives a sample a round', async () => {
    const samples = measureTasks([await ours.load(data)], 2)
    expect(TASKS.map((name) => samples[name].map(({ length }) => length))).toEqual(
      TASKS.map(() => [2]),
    )
  })

  test('the native core takes it too', { timeout: 10 * MINUTES }, async () => {
    expect([...(await measureNativeTasks(data, BRIEF)).keys()]).toEqual(TASKS)
  })
})

test(
  'cole: every proof of a short chain holds, and not with its last digit flipped',
  async () => {
    const { rows, records } = await measureNativeCole({ profile: BRIEF.profile, blocks: 200 })
    // Four engines; seven lengths at two places, two questions about nobody, and the insert; the
    // trie's insert, the yardstick.
    expect([rows.length, records.size]).toEqual([4 * 17 + 2, 4 * 16])
    for (const record of records.values()) {
      expect((await checkOf('cole', record))()).toBeTypeOf('object')
      const last = Number.parseInt(record.proof.slice(-1), 16) ^ 1
      const proof = record.proof.slice(0, -1) + last.toString(16)
      const flipped = await checkOf('cole', { ...record, proof })
      expect(() => flipped()).toThrow(/^(decode|verify)\./)
    }
  },
  10 * MINUTES,
)

test(
  'lmpt: every proof over a small state holds, and not with its last digit flipped',
  async () => {
    const { writes, rows, records } = await measureNativeLmpt({
      profile: BRIEF.profile,
      keys: 20_000,
      rounds: 1,
    })
    expect([rows.size, records.length]).toEqual([15, 15])
    expect(writes.ratio).toBeGreaterThan(0)
    for (const bench of records) {
      await prepareChecks(bench, [await loadEngine('lightproof-wasm')])
      const check = await (await loadEngine('lightproof-wasm')).prepare(tampered(bench))
      await expect((async () => check())(), bench.id).rejects.toThrow(/^(decode|verify)\./)
    }
  },
  10 * MINUTES,
)

test.each(blocks())(
  'body: $title hold, their logs are found, and not with one digit flipped',
  async (block) => {
    const { ours, others, record } = await checksOf(block)
    for (const root of others) await root()
    const { logs } = /** @type {{ logs: object[] }} */ (ours())
    expect(logs).toHaveLength(block.logs)
    const last = Number.parseInt(record.proof.slice(-1), 16) ^ 1
    const proof = record.proof.slice(0, -1) + last.toString(16)
    const flipped = await checkOf('body', { id: 'flipped', ...record, proof })
    expect(() => flipped()).toThrow(/^(decode|verify)\./)
    const short = await checksOf({
      ...block,
      list: block.list.slice(1),
      root: fromHex(rootOf(block.list)),
    })
    for (const check of [short.ours, ...short.others])
      await expect((async () => check())()).rejects.toThrow(/another root|verify\.root/)
  },
)

/**
 * Where an update's parts of fixed length end: there the first of the others begins, if it has any.
 *
 * @param {import('../headers/types.js').HeaderData} data
 */
function fixedPart({ fork, update }) {
  if (fork === 'gloas') return update.length
  return new DataView(update.buffer, update.byteOffset).getUint32(0, true)
}

test('light clients start, and every cell is filled', { timeout: 5 * MINUTES }, async () => {
  const clients = hasPeers() ? CLIENTS : CLIENTS.slice(0, 1)
  const { rows, titles } = await measurePeers({ rounds: 1, log: () => {}, clients })
  const cases = [...(hasBrowser() ? ['loads', 'page'] : []), 'node', 'proof']
  const features = FEATURES.map((_, i) => `feature-${i}`)
  for (const name of [...cases, ...features]) {
    const own = rows.filter((row) => row.case === `peers-${name}`)
    expect(
      own.map(({ engine }) => engine),
      name,
    ).toEqual(clients.map(({ id }) => id))
    for (const { shown } of own) expect(shown).toMatch(/\S/)
    expect(Object.keys(titles.cases)).toContain(`peers-${name}`)
  }
})

test('sizes of modules and bundles', { timeout: 2 * MINUTES }, async () => {
  const sizes = await measureSizes()
  expect(sizes.map(({ name }) => name)).toContain('module hash')
  for (const { raw, gzip, brotli } of sizes) {
    expect(raw).toBeGreaterThan(gzip)
    expect(gzip).toBeGreaterThan(brotli)
  }
})

test('median and paired ratio', () => {
  expect(median([3, 1, 2])).toBe(2)
  expect(median([4, 1, 2, 3])).toBe(2.5)
  expect(pairedRatio([10, 30, 20], [1, 10, 4])).toBe(5)
})

/**
 * Gas of a transaction with this data, before its code runs.
 *
 * @param {string} data
 */
function intrinsicGas(data) {
  const bytes = [...Buffer.from(data.slice(2), 'hex')]
  return bytes.reduce((sum, byte) => sum + (byte === 0 ? 4 : 16), 21_000)
}

/**
 * The case with one digit of its last node flipped; of mpt, of the account's.
 *
 * @param {BenchCase} bench
 * @returns {BenchCase}
 */
function tampered(bench) {
  if (bench.record.system !== 'mpt') {
    const { proof } = bench.record
    const last = Number.parseInt(proof.slice(-1), 16) ^ 1
    return { ...bench, record: { ...bench.record, proof: proof.slice(0, -1) + last.toString(16) } }
  }
  const leaf = partsOf(bench.record).accountProof.at(-1)
  if (leaf === undefined) throw new Error('no node to tamper with')
  const digits = toHex(leaf).slice(2)
  const last = Number.parseInt(digits.slice(-1), 16) ^ 1
  const proof = bench.record.proof.replace(digits, digits.slice(0, -1) + last.toString(16))
  return { ...bench, record: { ...bench.record, proof } }
}
