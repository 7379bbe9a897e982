/**
 * Machines behind one URL, at edges: of the window, where one has pruned what another still has, and
 * of what operators have attested.
 */

import { cpSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { Hex } from '../../src/encoding/hex.js'
import {
  type BadProof,
  type Chain,
  type Client,
  type ClientOptions,
  createClient,
  defineChain,
  getAccount,
  getBlock,
} from '../../src/entry/node.js'
import { reportNodes } from '../../src/entry/nodes.js'
import { makeOperators } from '../support/attesters.js'
import { type Cluster, type Exchange, startCluster } from '../support/cluster.js'
import { Dice } from '../support/dice.js'
import { chainOf } from '../support/liveChain.js'
import { startNode } from '../support/liveNode.js'
import { type Answer, essence, Tally } from '../support/tally.js'

const WINDOW = 8_192
const PERIOD = 4
const SEED = ['--systems', 'mpt', '--seed', '7', '--genesis-time', '1767225600']

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()))
})

/** What came of it: nobody may be blamed, and no call be made more than twice. */
class Run {
  readonly tally = new Tally()
  readonly #clients: Client[] = []
  readonly #bad: BadProof[] = []
  readonly #cluster: Cluster
  readonly #chain: Chain

  constructor(cluster: Cluster, chain: Chain) {
    this.#cluster = cluster
    this.#chain = chain
  }

  client(anchor: ClientOptions['anchor']): Client {
    const onBadProof = (one: BadProof): void => {
      this.#bad.push(one)
    }
    const client = makeClient(this.#chain, this.#cluster.url, { anchor, onBadProof })
    this.#clients.push(client)
    return client
  }

  async judge(what: string, asked: Promise<Answer>, truth: string): Promise<Answer | Error> {
    this.#cluster.take()
    const answer = await asked.catch((error: unknown) => error as Error)
    this.tally.judge('edge', what, answer, truth)
    expect(mostAsked(this.#cluster.take()), what).toBeLessThanOrEqual(2)
    return answer
  }

  expectUnblamed(): void {
    expect(this.tally.wrong).toEqual([])
    expect(this.#bad).toEqual([])
    for (const { state, badProof } of this.#clients.flatMap((client) => reportNodes(client))) {
      expect([state, badProof]).toEqual([expect.stringMatching(/^(healthy|untried)$/), undefined])
    }
  }
}

function mostAsked(exchanges: readonly Exchange[]): number {
  const counts = new Map<string, number>()
  for (const { call } of exchanges) counts.set(call, (counts.get(call) ?? 0) + 1)
  return Math.max(0, ...counts.values())
}

type Made = Pick<ClientOptions, 'anchor' | 'onBadProof'>

function makeClient(chain: Chain, url: string, options: Made): Client {
  return createClient({ chain, nodes: [url], timeoutMs: 30_000, cacheBytes: 0, ...options })
}

/** The hash by which a block is pinned, from a source that is trusted. */
async function hashOf(url: string, number: number): Promise<Hex> {
  const params = [`0x${number.toString(16)}`, false]
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getBlockByNumber', params })
  const answer = await fetch(url, { method: 'POST', body })
  const { result } = (await answer.json()) as { readonly result: { readonly hash: Hex } }
  return result.hash
}

test('behavior: a block that one machine has pruned and another has not is proven or refused', async () => {
  const flags = [...SEED, '--committee-size', '0']
  const older = await startNode(WINDOW + 3, flags)
  closing.push(older.stop)
  const copy = mkdtempSync(path.join(tmpdir(), 'lightproof-'))
  cpSync(older.data, copy, { recursive: true })
  const newer = await startNode(5, flags, copy)
  closing.push(newer.stop)
  expect([older.head.number, newer.head.number]).toEqual([WINDOW + 3, WINDOW + 8])
  const chain = chainOf(older)
  const dice = new Dice(5)
  const cluster = await startCluster([older.url, newer.url], () => dice.below(2))
  const run = new Run(cluster, chain)
  const { address } = older.samples.find(({ kind }) => kind === 'contract') ?? { address: '0x' }
  // Both have pruned block 3; the newer one block 8 too, and has block 9 as its oldest.
  for (const number of [3, 4, 6, 8, 9, 10]) {
    const anchor = { block: await hashOf(older.url, number) }
    const ask = (client: Client): Promise<Answer> => getAccount(client, { address })
    const direct = [older, newer].map(({ url }) => ask(makeClient(chain, url, { anchor })))
    const [truth, other] = (await Promise.all(direct)).map(essence)
    expect([truth === 'unavailable', other === 'unavailable']).toEqual([number < 4, number < 9])
    if (number >= 9) expect(other).toBe(truth)
    for (let turn = 0; turn < 12; turn++) {
      const answer = await run.judge(`block ${number}`, ask(run.client(anchor)), truth ?? '')
      if (number >= 9) expect(answer).toMatchObject({ status: 'present' })
      else if (number < 4) expect(answer).toMatchObject({ error: { code: 'window' } })
    }
  }
  console.log(`edge of the window: ${run.tally}`)
  run.expectUnblamed()
  expect([...run.tally.codes.keys()]).toEqual(['window'])
  // Of the blocks that one of them proves, some were proven.
  expect(run.tally.right).toBeGreaterThan(2 * 12)
})

test('behavior: of operators who attest a chain one is behind, and no answer is wrong', async () => {
  const [head, behind] = [5 * PERIOD + 1, 5 * PERIOD - 2]
  const operators = await makeOperators(4, PERIOD, (index) => [
    ...SEED,
    ...['--block-time-ms', '100', '--blocks', String(index === 3 ? behind : head)],
  ])
  closing.push(operators.stop)
  const nodes = await Promise.all([0, 1, 2, 3].map(operators.start))
  await Promise.all(nodes.map((node, index) => node.announced(index === 3 ? behind : head)))
  const [first, , , last] = nodes
  if (first === undefined || last === undefined) throw new Error('no operator')
  const { kind, chainId, genesisHash, consensus, samples } = first
  const chain = defineChain({ name: 'ours', kind, chainId, genesisHash, consensus })
  const dice = new Dice(9)
  const cluster = await startCluster([first.url, last.url], () => dice.below(2))
  const run = new Run(cluster, chain)
  const anchor = { checkpoint: genesisHash, maxAgeSeconds: Number.POSITIVE_INFINITY }
  const trusted = makeClient(chain, first.url, { anchor })
  const { address } = samples.find((sample) => sample.kind === 'contract') ?? { address: '0x' }
  const seen = new Set<number>()
  for (let turn = 0; turn < 40; turn++) {
    const client = run.client(anchor)
    const at = dice.once(2) ? undefined : BigInt(head - dice.below(6))
    const block = await getBlock(client, at === undefined ? {} : { block: at })
    const number = block.status === 'present' ? block.trust.block.number : at
    if (number === null || number === undefined) continue
    seen.add(Number(number))
    const truth = essence(await getAccount(trusted, { address, at: number }))
    await run.judge(`block ${number}`, getAccount(client, { address, at: number }), truth)
  }
  console.log(`attested: ${run.tally}; ${[...seen].sort((a, b) => a - b)}`)
  run.expectUnblamed()
  for (const code of run.tally.codes.keys()) expect(['block', 'untrusted']).toContain(code)
  expect(seen.size).toBeGreaterThan(3)
  expect(run.tally.right).toBeGreaterThan(20)
})
