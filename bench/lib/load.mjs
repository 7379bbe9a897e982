/** A node that makes blocks while it is asked mixed questions over many connections at once. */

import { readFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { performance } from 'node:perf_hooks'
import { createClient, devnet, getBalance, getStorage, getValue, getValues } from 'lightproof'
import { balanceproofs } from 'lightproof/balanceproofs'
import { cole } from 'lightproof/cole'
import { lmpt } from 'lightproof/lmpt'
import { lvmt } from 'lightproof/lvmt'
import { verkle } from 'lightproof/verkle'
import { startNode } from '../../examples/tour/node.mjs'
import { positionsCall, post, proofCall, quantity } from './questions.mjs'

/**
 * @typedef {import('./questions.mjs').Call} Call
 * @typedef {import('lightproof').Client} Client
 * @typedef {{ address: string, slot: string }} Key
 * @typedef {{ number: number, hash: string }} Block
 */

/**
 * A kind of question.
 *
 * @typedef {object} Kind
 * @property {(key: Key, at: number, block: Block) => Call} call
 * @property {(client: Client, key: Key, at: number) => Promise<any>} prove the same by the SDK
 * @property {boolean} [isPlain] the answer is a number without a proof
 */

/**
 * What became of the questions of one level.
 *
 * @typedef {object} Level
 * @property {number} connections
 * @property {number} answers with a result
 * @property {number} verified of these, by the SDK
 * @property {number} p50 milliseconds
 * @property {number} p99 milliseconds
 * @property {Map<string, number>} errors by code
 * @property {string[]} wrong descriptions: there must be none
 * @property {[start: number, middle: number, end: number]} resident memory of the node, in MiB
 */

/**
 * Of so many questions one is for balanceproofs, whose proof takes a hundred times as long as any
 * other; and one answer is verified by the SDK, each time in another place.
 */
const CYCLE = 64
const STEP = 37
/** A connection that takes longer hangs. */
const HANGS_MS = 300_000
const BLOCKS = 64
/** How the node makes them, which is its default. */
const BLOCK_SECONDS = 2

/**
 * Never the same positions: one and a later one.
 *
 * @param {number} at counts the requests
 */
function positionsOf(at) {
  const first = at % 64
  return [first, first + 1 + (Math.floor(at / 64) % 2_000)]
}

/** @type {Record<string, (client: Client, key: Key, at: number) => Promise<any>>} */
const PROVEN = {
  mpt: (client, key) => getStorage(client, key),
  lmpt: (client, key) => getValue(client, { system: lmpt, key }),
  lvmt: (client, key) => getValue(client, { system: lvmt, key }),
  verkle: (client, key) => getValue(client, { system: verkle, key }),
  cole: (client, key) => getValue(client, { system: cole, ...key }),
}

/** @type {Kind} */
const SLOW = {
  call: (_, at, block) => positionsCall(positionsOf(at), block),
  prove: (client, _, at) => getValues(client, { system: balanceproofs, keys: positionsOf(at) }),
}

/** @type {Kind[]} */
const KINDS = [
  {
    isPlain: true,
    call: ({ address }, _, { number }) => {
      return { method: 'eth_getBalance', params: [address, quantity(number)] }
    },
    prove: (client, { address }) => getBalance(client, { address }),
  },
  {
    isPlain: true,
    call: ({ address, slot }, _, { number }) => {
      return { method: 'eth_getStorageAt', params: [address, slot, quantity(number)] }
    },
    prove: (client, key) => getStorage(client, key),
  },
  ...Object.entries(PROVEN).map(([system, prove]) => {
    const call = (/** @type {Key} */ key, /** @type {number} */ _, /** @type {Block} */ block) =>
      proofCall(system, key, block)
    return { call, prove }
  }),
]

/**
 * Starts a node with all systems and an endless chain.
 *
 * @returns what asks it over so many connections; and what says how much memory it has, in MiB: now
 *   (`VmRSS`) or at most (`VmHWM`)
 */
export async function startLoaded() {
  const bornAt = Math.floor(Date.now() / 1000) - BLOCKS * BLOCK_SECONDS
  const node = await startNode({ prefill: BLOCKS, bornAt, period: 64 })
  const keys = node.samples.flatMap(({ address, slots }) =>
    slots.map((slot) => ({ address, slot })),
  )
  const url = new URL(node.url)
  /** @type {Block} */
  let head = node.head
  let asked = 0

  const memory = (/** @type {'VmRSS' | 'VmHWM'} */ which) => {
    const status = readFileSync(`/proc/${node.pid}/status`, 'utf8')
    return Number(new RegExp(`${which}:\\s*(\\d+) kB`).exec(status)?.[1]) / 1024
  }

  /**
   * @param {number} connections
   * @param {(answers: number) => number} done part of the level, 1 at its end
   * @returns {Promise<Level>}
   */
  async function ask(connections, done) {
    const agent = new Agent({ keepAlive: true, maxSockets: connections })
    /** @type {number[]} */
    const times = []
    /** @type {Level['errors']} */
    const errors = new Map()
    /** @type {string[]} */
    const wrong = []
    const before = memory('VmRSS')
    let middle = 0
    let verified = 0

    const send = (/** @type {Call} */ call) => {
      return post(url, agent, call, AbortSignal.timeout(HANGS_MS))
    }

    /** @param {number} at */
    async function question(at) {
      const [cycle, place] = [Math.floor(at / CYCLE), at % CYCLE]
      const round = Math.floor(at / KINDS.length)
      const kind = place === 0 ? SLOW : KINDS[at % KINDS.length]
      const key = keys[round % keys.length]
      if (kind === undefined || key === undefined) throw new Error('the node names no slot')
      const [block, began] = [head, performance.now()]
      const call = kind.call(key, round, block)
      const { result, error } = JSON.parse(await send(call))
      if (error !== undefined) {
        errors.set(error.code, (errors.get(error.code) ?? 0) + 1)
        return
      }
      times.push(performance.now() - began)
      if (place !== (cycle * STEP) % CYCLE) return
      const fetch = replaying(call, result, send)
      const client = createClient({
        chain: devnet(node.genesisHash, node.consensus),
        anchor: { block: block.hash },
        nodes: [node.url],
        fetch: fetch.fetch,
        timeoutMs: HANGS_MS,
        retries: 0,
      })
      const proven = await kind.prove(client, key, round)
      verified++
      const said = JSON.stringify(call)
      if (proven.value === undefined && !['absent', 'deleted'].includes(proven.status)) {
        wrong.push(`${said}: ${proven.status} ${proven.error?.code}: ${proven.error?.message}`)
      } else if (kind.isPlain) {
        if (BigInt(result) !== BigInt(proven.value ?? 0n)) {
          wrong.push(`${said}: ${result}, and ${proven.value} is proven`)
        }
      } else if (!fetch.used()) {
        wrong.push(`${said}: the SDK asked for something else`)
      }
    }

    async function connection(/** @type {number} */ number) {
      for (let turn = 0; done(times.length) < 1; turn++) {
        if (middle === 0 && done(times.length) >= 0.5) middle = memory('VmRSS')
        // One of them follows the chain.
        if (number === 0 && turn % 20 === 0) {
          const { result } = JSON.parse(await send({ method: 'lp_status', params: [] }))
          head = { number: Number(result.head.number), hash: result.head.hash }
        }
        await question(asked++)
      }
    }

    await Promise.all(Array.from({ length: connections }, (_, number) => connection(number)))
    agent.destroy()
    times.sort((a, b) => a - b)
    const quantile = (/** @type {number} */ part) => times[Math.floor(times.length * part)] ?? 0
    return {
      ...{ connections, answers: times.length, verified, errors, wrong },
      ...{ p50: quantile(0.5), p99: quantile(0.99), resident: [before, middle, memory('VmRSS')] },
    }
  }
  return { ask, memory, head: () => head.number }
}

/**
 * `fetch` that answers one call by what a node has said already, and passes on the others.
 *
 * @param {Call} known
 * @param {unknown} result
 * @param {(call: Call) => Promise<string>} send
 */
function replaying(known, result, send) {
  let isUsed = false
  /** Variants and the form of a block's name aside. */
  const essence = (/** @type {Call} */ { method, params }) =>
    JSON.stringify([method, params.slice(0, 2)])
  const answer = async (/** @type {Call & { id: unknown }} */ { id, method, params }) => {
    const call = { method, params }
    if (essence(call) !== essence(known)) return { ...JSON.parse(await send(call)), id }
    isUsed = true
    return { jsonrpc: '2.0', id, result }
  }
  /** @type {typeof globalThis.fetch} */
  const fetch = async (_, init) => {
    const body = JSON.parse(String(init?.body))
    return Response.json(
      Array.isArray(body) ? await Promise.all(body.map(answer)) : await answer(body),
    )
  }
  return { fetch, used: () => isUsed }
}
