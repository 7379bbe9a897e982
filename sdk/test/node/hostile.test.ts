/**
 * Every system and header source of a devnet against every lie that a node can tell, in what it
 * says and in how it sends it: alone, where each answer is right or refused with a code; beside an
 * honest node, where it is right.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Liar, startLiar } from '../../src/cli/liar.js'
import { LIES } from '../../src/cli/lies.js'
import { balanceproofs } from '../../src/entry/balanceproofs.js'
import * as cole from '../../src/entry/cole.js'
import { lmpt } from '../../src/entry/lmpt.js'
import { lvmt } from '../../src/entry/lvmt.js'
import * as lightproof from '../../src/entry/node.js'
import { reportNodes } from '../../src/entry/nodes.js'
import { verkle } from '../../src/entry/verkle.js'
import {
  aboutNodeLie,
  aboutProxyLie,
  BLOCKS,
  groups,
  nothingYet,
  type Outcome,
  type Questions,
  questionsOf,
  SIGNED,
} from '../support/lied.js'
import { type LiveNode, listLies, lying, startNode } from '../support/liveNode.js'
import { peakMemory, Tally } from '../support/tally.js'

const { getBalance, getBlock } = lightproof

let honest: LiveNode
let questions: Questions

function report(group: string, { alone, beside }: Outcome): void {
  console.log(`${group}, alone: ${alone}`)
  console.log(`${group}, beside an honest node: ${beside}`)
  expect(alone.wrong).toEqual([])
  expect(beside.wrong).toEqual([])
}

beforeAll(async () => {
  honest = await startNode(BLOCKS, SIGNED)
  const using = { ...lightproof, ...cole, lmpt, lvmt, verkle, balanceproofs }
  questions = await questionsOf(using, honest)
})
afterAll(() => honest.stop())

test('default: the honest node answers all of it, under both anchors', async () => {
  const tally = new Tally()
  await questions.ask({ name: 'honest', about: [''] }, [honest.url], tally)
  expect([tally.right, tally.wrong]).toEqual([2 * questions.names.length, []])
  expect(questions.names.length).toBeGreaterThan(12)
})

describe('what a node says', () => {
  let liar: LiveNode

  beforeAll(async () => {
    liar = await startNode(BLOCKS, SIGNED)
  })
  afterAll(() => liar.stop())

  test.each(groups)('error: every lie of the node (%s)', { timeout: 600_000 }, async (group) => {
    const outcome = nothingYet()
    for (const { name } of listLies(group)) {
      const { url } = lying(liar, name)
      await questions.attack({ name, url, about: aboutNodeLie(group, name) }, outcome)
    }
    report(`node lies ${group}`, outcome)
    // An honest node beside a liar answers everything, but for blocks whose headers the liar holds
    // back.
    expect([...outcome.beside.codes.keys()].filter((code) => code !== 'untrusted')).toEqual([])
    expect(outcome.alone.refused).toBeGreaterThan(0)
  })
})

describe('how a node sends it', () => {
  let liar: Liar

  beforeAll(async () => {
    liar = await startLiar(honest.url)
  })
  afterAll(() => liar.close())

  test('error: every lie of a proxy', { timeout: 600_000 }, async () => {
    const outcome = nothingYet()
    let told = 0
    for (const lie of LIES) {
      liar.tell(lie)
      const { name } = lie
      await questions.attack({ name, url: liar.url, about: aboutProxyLie(name) }, outcome)
      if (liar.told) told++
    }
    report(`proxy lies (${told} of ${LIES.length} told)`, outcome)
    expect([...outcome.beside.codes.keys()]).toEqual([])
    expect(told).toBeGreaterThan(20)
  })

  test('error: floods of 1 GB at once take bounded memory', async () => {
    const flood = LIES.find(({ name }) => name === 'flood')
    liar.tell(flood)
    // Of one client all would wait for the same answer.
    const clients = Array.from({ length: 20 }, () =>
      questions.clientOf('pinned', [liar.url], { timeoutMs: 60_000 }),
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
      const beside = await getBalance(questions.clientOf('pinned', [stale.url, honest.url]), {
        address,
        at,
      })
      expect(beside).toMatchObject({ status: 'present', trust: { servedBy: honest.url } })
      const alone = await getBalance(questions.clientOf('pinned', [stale.url]), { address, at })
      expect(alone).toMatchObject({ status: 'unavailable', error: { code: 'block' } })
      const signed = questions.clientOf('signed', [stale.url])
      expect(await getBlock(signed)).toMatchObject({ value: { number: BigInt(at - 6) } })
      const newer = await getBlock(signed, { block: at })
      expect(newer).toMatchObject({ status: 'unavailable', error: { code: 'untrusted' } })
      const picky = questions.clientOf('signed', [stale.url], { maxFinalLagSeconds: 1 })
      const refused = await getBlock(picky)
      expect(refused).toMatchObject({ status: 'unavailable', error: { code: 'stale' } })
    } finally {
      await stale.stop()
    }
  })

  test('behavior: a node of another fork is passed over', async () => {
    const fork = await startNode(BLOCKS, [...SIGNED, '--seed', '8'])
    try {
      for (const anchor of ['pinned', 'signed'] as const) {
        const block = honest.head.number
        const beside = await getBlock(questions.clientOf(anchor, [fork.url, honest.url]), { block })
        expect(beside).toMatchObject({ status: 'present', value: { hash: honest.head.hash } })
        const alone = await getBlock(questions.clientOf(anchor, [fork.url]), { block })
        expect(alone).toMatchObject({ status: 'unavailable', error: { code: 'chain' } })
      }
    } finally {
      await fork.stop()
    }
  })
})
