/**
 * One to five nodes over a bad network, all but one at most of them liars: slow, cut, reordered and
 * repeated answers. An answer is the truth, or none. For as long as `LIGHTPROOF_SOAK_SECONDS` says.
 */

import { expect, test } from 'vitest'
import { toQuantity } from '../../src/encoding/hex.js'
import {
  type Client,
  createClient,
  getBalance,
  getBlock,
  getCode,
  getStorage,
} from '../../src/entry/node.js'
import { CODE, honest, makeChain, NOBODY, OWNER, proofJson, SLOT } from '../support/chain.js'
import { Dice } from '../support/dice.js'
import { type Methods, reply, scriptedFetch } from '../support/rpc.js'
import { soak } from '../support/soak.js'
import { type Answer, essence, type Subject, Tally } from '../support/tally.js'

const BLOCKS = 8
const devnet = makeChain(BLOCKS)
/** Of a chain with other values, whose genesis is the same. */
const other = makeChain(BLOCKS, 'devnet', (n) => (n === 0n ? 1n : n + 77n))
const TIMEOUT_MS = 300

/** How a node is told which block. */
interface Asked {
  readonly blockHash: string
}

const SUBJECTS: readonly Subject<Client>[] = Array.from({ length: BLOCKS }, (_, at) => at).flatMap(
  (at): Subject<Client>[] => [
    { name: `header ${at}`, ask: (client) => getBlock(client, { block: at }) },
    { name: `balance ${at}`, ask: (client) => getBalance(client, { address: OWNER, at }) },
    { name: `absence ${at}`, ask: (client) => getBalance(client, { address: NOBODY, at }) },
    {
      name: `slot ${at}`,
      ask: (client) => getStorage(client, { address: OWNER, slot: SLOT, at }),
    },
    { name: `code ${at}`, ask: (client) => getCode(client, { address: OWNER, at }) },
  ],
)

/** What a node's answers become on their way, or before it. */
const FAULTS: Readonly<Record<string, (text: string, dice: Dice) => string | undefined>> = {
  none: (text) => text,
  cut: (text, dice) => text.slice(0, dice.below(text.length)),
  reordered: (text) => {
    const answers: unknown = JSON.parse(text)
    return Array.isArray(answers) ? JSON.stringify(answers.reverse()) : text
  },
  repeated: (text) => {
    const answers: unknown = JSON.parse(text)
    return JSON.stringify(Array.isArray(answers) ? [...answers, ...answers] : [answers, answers])
  },
  exchanged: (text) => {
    const answers: unknown = JSON.parse(text)
    if (!Array.isArray(answers)) return text
    const last = answers.length - 1
    return JSON.stringify(answers.map((one, i) => ({ ...one, id: answers[last - i]?.id })))
  },
  digit: (text, dice) => {
    const digits = [...text.matchAll(/(?<=0x[0-9a-f]*)[0-9a-f]/g)].map(({ index }) => index)
    const at = digits[dice.below(digits.length)]
    return at === undefined
      ? text
      : text.slice(0, at) + dice.below(16).toString(16) + text.slice(at + 1)
  },
  nothing: () => '',
  silent: () => undefined,
}

/** One answer in seven has a fault. */
const KINDS = Object.keys(FAULTS).flatMap((name) => (name === 'none' ? Array(42).fill(name) : name))

/** The truth, or another chain's answers for it, or those of an older block. */
function wordsOf(dice: Dice, isLiar: boolean): Methods {
  if (!isLiar) return honest(devnet)
  if (dice.below(2) === 0) return honest(other)
  const older = (address: string, slots: readonly string[], { blockHash }: Asked): unknown => {
    const at = devnet.blocks.findIndex(({ hash }) => hash === blockHash)
    return proofJson(devnet.at(Math.max(0, at - 1)), address, slots)
  }
  return honest(devnet, { eth_getProof: older })
}

/** `fetch` of nodes http://n0, …: the one of a number is honest, if there is one. */
function networkOf(dice: Dice, count: number, trueNode: number): typeof globalThis.fetch {
  const nodes = Array.from({ length: count }, (_, i) => wordsOf(dice, i !== trueNode))
  return async (input, init) => {
    const methods = nodes[Number(new URL(String(input)).hostname.slice(1))] ?? {}
    const asked = JSON.parse(String(init?.body))
    const said = Array.isArray(asked)
      ? asked.map((call) => reply(methods, call))
      : reply(methods, asked)
    const fault = FAULTS[KINDS[dice.below(KINDS.length)] ?? 'none']
    const text = fault?.(JSON.stringify(said), dice)
    const waitMs = text === undefined ? undefined : dice.below(8)
    await new Promise<void>((resolve, reject) => {
      if (waitMs !== undefined) setTimeout(resolve, waitMs)
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
    })
    return new Response(text, { headers: { 'content-type': 'application/json' } })
  }
}

async function truths(): Promise<Map<string, string>> {
  const client = clientOf(scriptedFetch({ 'http://n0': honest(devnet) }).fetch, 1)
  const all = SUBJECTS.map(async ({ name, ask }) => [name, essence(await ask(client))] as const)
  return new Map(await Promise.all(all))
}

function clientOf(fetch: typeof globalThis.fetch, count: number): Client {
  return createClient({
    chain: devnet.chain,
    anchor: { block: devnet.head.hash },
    nodes: Array.from({ length: count }, (_, i) => `http://n${i}`),
    fetch,
    hedgeMs: 5,
    timeoutMs: TIMEOUT_MS,
    retries: 1,
  })
}

test('behavior: an answer is true, or there is none', { timeout: 24 * 3_600_000 }, async () => {
  const truth = await truths()
  expect(truth.get('balance 3')).toContain(toQuantity(devnet.at(3).balance))
  expect(truth.get('code 3')).toContain(CODE)
  const tally = new Tally()
  let worstMs = 0
  await soak(async (seed) => {
    const dice = new Dice(seed)
    const count = 1 + dice.below(5)
    // One of the places may be nobody's: then all lie.
    const trueNode = dice.below(count + 1)
    const client = clientOf(networkOf(dice, count, trueNode), count)
    const subjects = Array.from({ length: 4 }, () => SUBJECTS[dice.below(SUBJECTS.length)])
    const answers = subjects.map(async (subject) => {
      if (subject === undefined) return
      const began = performance.now()
      const answer = await subject.ask(client).catch((error: Error): Answer | Error => error)
      worstMs = Math.max(worstMs, performance.now() - began)
      tally.judge(`seed ${seed}`, subject.name, answer, truth.get(subject.name))
    })
    await Promise.all(answers)
  })
  const { asked, right, refused, wrong } = tally
  console.log(
    `soak network: ${asked} asked, ${right} answered truly, ${refused} unavailable, ` +
      `${wrong.length} false; longest wait ${worstMs.toFixed(0)} ms`,
  )
  expect(wrong).toEqual([])
  expect(right).toBeGreaterThan(asked / 4)
})
