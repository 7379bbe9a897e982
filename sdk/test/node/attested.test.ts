/** Three operators attest a chain: what a client takes from them, and what it refuses. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Chain,
  type ClientOptions,
  createClient,
  defineChain,
  fetchProof,
  getBalance,
  InputError,
  proven,
  type Synced,
  sync,
  verifyProofFile,
} from '../../src/entry/node.js'
import { type Attester, makeOperators } from '../support/attesters.js'
import { fits } from '../support/schema.js'

const PERIOD = 4
const TIMES = ['--block-time-ms', '200', '--genesis-time', '1767225600']
const OPTIONS = ['--systems', 'mpt', '--seed', '7', ...TIMES]

let operators: Awaited<ReturnType<typeof makeOperators>>
let nodes: readonly Attester[]
let chain: Chain

beforeAll(async () => {
  operators = await makeOperators(3, PERIOD, OPTIONS)
  nodes = await Promise.all([0, 1, 2].map(operators.start))
  const [first] = nodes
  if (first === undefined) throw new Error('no operator')
  const { kind, chainId, genesisHash, consensus } = first
  chain = defineChain({ name: 'ours', kind, chainId, genesisHash, consensus })
})
afterAll(() => operators.stop())

function clientOf(options: Partial<ClientOptions> = {}) {
  return createClient({
    chain,
    anchor: { checkpoint: chain.genesisHash, maxAgeSeconds: Number.POSITIVE_INFINITY },
    nodes: nodes.map(({ url }) => url),
    retries: 0,
    ...options,
  })
}

function operator(index: number): Attester {
  const found = nodes[index]
  if (found === undefined) throw new Error('no such operator')
  return found
}

function address(): string {
  const [sample] = operator(0).samples
  if (sample === undefined) throw new Error('no sample')
  return sample.address
}

describe('a chain that operators attest', () => {
  test('default: from block 0 over periods to the newest block that two thirds signed', async () => {
    await operator(0).announced(2 * PERIOD + 1)
    const client = clientOf()
    const result = await getBalance(client, { address: address() })
    expect(proven(result)).toBeGreaterThan(0n)
    expect(result).toMatchObject({
      trust: {
        chain: { name: 'ours' },
        finality: 'finalized',
        anchor: { kind: 'checkpoint', hash: chain.genesisHash },
      },
    })
    const { attestedBy, participation } = result.status === 'present' ? result.trust : {}
    expect(attestedBy).toEqual(participation)
    expect(attestedBy?.of).toBe(3)
    expect(attestedBy?.signed).toBeGreaterThanOrEqual(2)
    const synced = (await sync(client)) as Synced
    expect(synced.status).toBe('synced')
    expect(synced.period).toBeGreaterThanOrEqual(2n)
  })

  test('behavior: two of three go on without the third, who catches up', async () => {
    const hash = await operator(0).announced(3)
    expect(hash).toMatch(/^0x/)
    await operator(2).kill()
    const client = clientOf({ nodes: [operator(0).url] })
    const synced = (await sync(client)) as Synced
    await operator(0).announced(Number(synced.finalized.block?.number ?? 0n) + PERIOD + 1)
    expect(((await sync(client)) as Synced).finalized.slot).toBeGreaterThan(synced.finalized.slot)
    const again = await operators.start(2)
    nodes = [operator(0), operator(1), again]
    await again.announced(Number(synced.finalized.slot) + 1)
    const other = clientOf({ nodes: [again.url] })
    expect(proven(await getBalance(other, { address: address() }))).toBeGreaterThan(0n)
  })

  test('behavior: a proof file names the chain, and is checked under the attested block', async () => {
    const client = clientOf()
    const file = await fetchProof(client, { address: address() })
    if (!('source' in file) || !('header' in file.source)) throw new Error('no file')
    expect(file.chain).toMatchObject({ kind: 'attested', consensus: { periodLength: PERIOD } })
    expect(fits(file)).toBe(true)
    const verdict = await verifyProofFile(file, { anchor: { block: file.source.header.hash } })
    expect(verdict.status).toBe('present')
  })

  test('error: without its period, or with a size', () => {
    const { name, kind, chainId, genesisHash } = chain
    const of = (consensus: object) => () =>
      defineChain({ name, kind, chainId, genesisHash, ...consensus } as Parameters<
        typeof defineChain
      >[0])
    expect(of({})).toThrow(InputError)
    expect(of({ consensus: { periodLength: 0 } })).toThrow('periodLength')
    expect(of({ consensus: { committeeSize: 3, periodLength: 4 } })).toThrow('committeeSize')
  })
})
