/**
 * Every system and header source of a devnet against every lie that a node can tell, in what it
 * says and in how it sends it: alone, where each answer is right or refused with a code; beside an
 * honest node, where it is right.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Liar, startLiar } from '../../src/cli/liar.js'
import { LIES } from '../../src/cli/lies.js'
import { balanceproofs } from '../../src/entry/balanceproofs.js'
import { cole, getHistory } from '../../src/entry/cole.js'
import { lmpt } from '../../src/entry/lmpt.js'
import { lvmt } from '../../src/entry/lvmt.js'
import {
  type Client,
  type ClientOptions,
  createClient,
  devnet,
  getAccount,
  getBalance,
  getBlock,
  getCode,
  getStorage,
  getValue,
  getValues,
} from '../../src/entry/node.js'
import { reportNodes } from '../../src/entry/nodes.js'
import { verkle } from '../../src/entry/verkle.js'
import { type LiveNode, listLies, lying, startNode } from '../support/liveNode.js'
import { type Answer, essence, peakMemory, type Subject, Tally } from '../support/tally.js'

const BLOCKS = 40
const OLD = 37
const SIGNED = ['--committee-size', '8', '--period', '16']

let honest: LiveNode
let subjects: Subject<Client>[]
/** By subject. */
let truth: Map<string, string>

type Anchor = 'pinned' | 'signed'
const ANCHORS: readonly Anchor[] = ['pinned', 'signed']

function clientOf(
  anchor: Anchor,
  urls: readonly string[],
  options: Partial<ClientOptions> = {},
): Client {
  const checkpoint = { checkpoint: honest.genesisHash, maxAgeSeconds: Number.POSITIVE_INFINITY }
  return createClient({
    chain: devnet(honest.genesisHash, honest.consensus),
    anchor: anchor === 'pinned' ? { block: honest.head.hash } : checkpoint,
    nodes: urls,
    retries: 0,
    // A loaded machine is no liar: only one that drips is to run into it.
    timeoutMs: 30_000,
    // What one question proved, the next one shall not be spared.
    cacheBytes: 0,
    ...options,
  })
}

/**
 * Of every system, at blocks that are named: held back headers make them untrusted, and never
 * something else.
 */
function makeSubjects(): Subject<Client>[] {
  const contract = honest.samples.find(({ slots }) => slots.length > 1)
  const absent = honest.samples.find(({ kind }) => kind === 'absent')
  if (contract === undefined || absent === undefined) throw new Error('no sample')
  const { address, slots } = contract
  const key = { address, slot: slots[0] ?? 0 }
  const keys = slots.slice(0, 3).map((slot) => ({ address, slot }))
  const at = honest.head.number
  return [
    { name: 'header', ask: (client) => getBlock(client, { block: at }) },
    { name: 'mpt account', ask: (client) => getAccount(client, { address, at }) },
    { name: 'mpt balance', ask: (client) => getBalance(client, { address, at: OLD }) },
    { name: 'mpt absence', ask: (client) => getBalance(client, { address: absent.address, at }) },
    { name: 'mpt slot', ask: (client) => getStorage(client, { ...key, at }) },
    { name: 'mpt code', ask: (client) => getCode(client, { address, at }) },
    {
      name: 'cole value',
      ask: (client) => getValue(client, { system: cole, ...key, at }) as Promise<Answer>,
    },
    {
      name: 'cole history',
      ask: (client) => getHistory(client, { ...key, fromBlock: 2, at }) as Promise<Answer>,
    },
    {
      name: 'lmpt value',
      ask: (client) => getValue(client, { system: lmpt, key, at }) as Promise<Answer>,
    },
    {
      name: 'lmpt values',
      ask: (client) =>
        getValues(client, { system: lmpt, keys, at }) as Promise<unknown> as Promise<Answer>,
    },
    {
      name: 'lvmt values',
      ask: (client) =>
        getValues(client, { system: lvmt, keys, at }) as Promise<unknown> as Promise<Answer>,
    },
    {
      name: 'verkle values',
      ask: (client) =>
        getValues(client, { system: verkle, keys, at }) as Promise<unknown> as Promise<Answer>,
    },
    {
      name: 'balanceproofs values',
      ask: (client) =>
        getValues(client, {
          system: balanceproofs,
          keys: [0, 1, 9],
          at,
        }) as Promise<unknown> as Promise<Answer>,
    },
  ]
}

async function askAll(
  client: Client,
  about: readonly Subject<Client>[] = subjects,
): Promise<(Answer | Error)[]> {
  const asked = await Promise.allSettled(about.map(({ ask }) => ask(client)))
  return asked.map((one) => (one.status === 'fulfilled' ? one.value : (one.reason as Error)))
}

/** What becomes of every question at a liar, alone and with the honest node beside it. */
async function attack(
  lie: string,
  url: string,
  alone: Tally,
  beside: Tally,
  about: readonly Subject<Client>[] = subjects,
): Promise<void> {
  for (const anchor of ANCHORS) {
    for (const [tally, urls] of [
      [alone, [url]],
      [beside, [url, honest.url]],
    ] as const) {
      const options = lie === 'drip' ? { timeoutMs: 5000 } : {}
      const answers = await askAll(clientOf(anchor, urls, options), about)
      for (const [i, answer] of answers.entries()) {
        const name = about[i]?.name ?? ''
        tally.judge(lie, `${anchor} ${name}`, answer, truth.get(name))
      }
    }
  }
}

function report(group: string, alone: Tally, beside: Tally): void {
  console.log(`${group}, alone: ${alone}`)
  console.log(`${group}, beside an honest node: ${beside}`)
  expect(alone.wrong).toEqual([])
  expect(beside.wrong).toEqual([])
}

beforeAll(async () => {
  honest = await startNode(BLOCKS, SIGNED)
  subjects = makeSubjects()
  const answers = await askAll(clientOf('pinned', [honest.url]))
  truth = new Map(
    answers.map((answer, i) => {
      if (answer instanceof Error) throw answer
      return [subjects[i]?.name ?? '', essence(answer)]
    }),
  )
})
afterAll(() => honest.stop())

test('default: the honest node answers all of it, under both anchors', async () => {
  const tally = new Tally()
  for (const anchor of ANCHORS) {
    const answers = await askAll(clientOf(anchor, [honest.url]))
    for (const [i, answer] of answers.entries()) {
      const name = subjects[i]?.name ?? ''
      tally.judge('honest', name, answer, truth.get(name))
    }
  }
  expect([tally.right, tally.wrong]).toEqual([2 * subjects.length, []])
  expect([...truth.values()].filter((said) => said.startsWith('['))).toHaveLength(subjects.length)
})

describe('what a node says', () => {
  let liar: LiveNode

  beforeAll(async () => {
    liar = await startNode(BLOCKS, SIGNED)
  })
  afterAll(() => liar.stop())

  const EVERYTHING = /^(header|forged-child|other-chain|null-reply)/

  // A lie about one system is no other's: it is set on that system's questions and the headers'
  // alone.
  test.each([
    ['mpt', ['header', 'mpt']],
    ['headers', ['header', 'mpt']],
    ['signatures', ['header', 'mpt', 'cole', 'lmpt']],
    ['cole', ['header', 'cole']],
    ['lmpt', ['header', 'lmpt']],
    ['lvmt', ['header', 'lvmt']],
    ['verkle', ['header', 'verkle']],
    ['balanceproofs', ['header', 'balanceproofs']],
  ])('error: every lie of the node (%s)', { timeout: 600_000 }, async (group, systems) => {
    const [alone, beside] = [new Tally(), new Tally()]
    const about = subjects.filter(({ name }) => systems.some((system) => name.startsWith(system)))
    for (const { name } of listLies(group)) {
      const { url } = lying(liar, name)
      await attack(name, url, alone, beside, EVERYTHING.test(name) ? subjects : about)
    }
    report(`node lies ${group}`, alone, beside)
    // An honest node beside a liar answers everything, but for blocks whose headers the liar holds
    // back.
    expect([...beside.codes.keys()].filter((code) => code !== 'untrusted')).toEqual([])
    expect(alone.refused).toBeGreaterThan(0)
  })
})

describe('how a node sends it', () => {
  let liar: Liar

  beforeAll(async () => {
    liar = await startLiar(honest.url)
  })
  afterAll(() => liar.close())

  test('error: every lie of a proxy', { timeout: 600_000 }, async () => {
    const [alone, beside] = [new Tally(), new Tally()]
    let told = 0
    // The rest is about methods of Ethereum alone.
    const OF_ALL =
      /^(raw-|chain|null|types|empty|text|garbage|deep|cut|drop|error|redirect|drip|flood)/
    const ofEthereum = subjects.filter(({ name }) => /^(header|mpt)/.test(name))
    for (const lie of LIES) {
      liar.tell(lie)
      const about = OF_ALL.test(lie.name) ? subjects : ofEthereum
      await attack(lie.name, liar.url, alone, beside, about)
      if (liar.told) told++
    }
    report(`proxy lies (${told} of ${LIES.length} told)`, alone, beside)
    expect([...beside.codes.keys()]).toEqual([])
    expect(told).toBeGreaterThan(20)
  })

  test('error: floods of 1 GB at once take bounded memory', { timeout: 120_000 }, async () => {
    const flood = LIES.find(({ name }) => name === 'flood')
    liar.tell(flood)
    // Of one client all would wait for the same answer.
    const clients = Array.from({ length: 20 }, () =>
      clientOf('pinned', [liar.url], { timeoutMs: 60_000 }),
    )
    const peak = await peakMemory(async () => {
      for (const { status, ...rest } of await Promise.all(clients.map((one) => getBlock(one)))) {
        expect([status, rest]).toMatchObject([
          'unavailable',
          { tried: [{ code: 'transport.size' }] },
        ])
      }
    })
    const read = clients
      .flatMap(reportNodes)
      .reduce((sum, { receivedBytes }) => sum + receivedBytes, 0)
    const mib = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`
    console.log(`20 floods of 1 GB at once: ${mib(read)} read, ${mib(peak)} of memory at most`)
    expect(peak).toBeLessThan(256 * 2 ** 20)
  })
})

describe('where a node stands', () => {
  test('behavior: a node behind is passed over; alone it answers of what it has', async () => {
    const stale = await startNode(BLOCKS - 6, SIGNED)
    try {
      const at = honest.head.number
      const address = honest.samples[0]?.address ?? ''
      const beside = await getBalance(clientOf('pinned', [stale.url, honest.url]), { address, at })
      expect(beside).toMatchObject({ status: 'present', trust: { servedBy: honest.url } })
      const alone = await getBalance(clientOf('pinned', [stale.url]), { address, at })
      expect(alone).toMatchObject({ status: 'unavailable', error: { code: 'block' } })
      const signed = clientOf('signed', [stale.url])
      expect(await getBlock(signed)).toMatchObject({ value: { number: BigInt(at - 6) } })
      const newer = await getBlock(signed, { block: at })
      expect(newer).toMatchObject({ status: 'unavailable', error: { code: 'untrusted' } })
      const picky = clientOf('signed', [stale.url], { maxFinalLagSeconds: 1 })
      const refused = await getBlock(picky)
      expect(refused).toMatchObject({ status: 'unavailable', error: { code: 'stale' } })
    } finally {
      await stale.stop()
    }
  })

  test('behavior: a node of another fork is passed over', async () => {
    const fork = await startNode(BLOCKS, [...SIGNED, '--seed', '8'])
    try {
      for (const anchor of ANCHORS) {
        const block = honest.head.number
        const beside = await getBlock(clientOf(anchor, [fork.url, honest.url]), { block })
        expect(beside).toMatchObject({ status: 'present', value: { hash: honest.head.hash } })
        const alone = await getBlock(clientOf(anchor, [fork.url]), { block })
        expect(alone).toMatchObject({ status: 'unavailable', error: { code: 'chain' } })
      }
    } finally {
      await fork.stop()
    }
  })
})
