/** Three operators follow geth and attest its state in every system; a client compares what they say with geth's chain. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { toBeHex } from 'ethers'
import {
  type Chain,
  type Client,
  createClient,
  defineChain,
  fetchProof,
  getBalance,
  getBlock,
  getStorage,
  getValue,
  getValues,
  proven,
  type Synced,
  sync,
  verifyProofFile,
} from 'lightproof'
import { balanceproofs } from 'lightproof/balanceproofs'
import { cole, getHistory } from 'lightproof/cole'
import { followedChain, verifyContradiction } from 'lightproof/follows'
import { lmpt } from 'lightproof/lmpt'
import { lvmt } from 'lightproof/lvmt'
import { verkle } from 'lightproof/verkle'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Attester, makeOperators } from '../support/attesters.js'
import { devClient } from './support/client.js'
import { crowdMember, devGenesis } from './support/genesis.js'
import { type Geth, startDevGeth } from './support/geth.js'
import { Sender } from './support/history.js'
import { rpc } from './support/rpc.js'

/** With cargo's feature `ethereum`: what the Rust tests compile. */
const program =
  process.env['LIGHTPROOF_FOLLOWER'] ??
  fileURLToPath(new URL('../../../target/debug/lightproof-node', import.meta.url))

const PERIOD = 4
/** Other work may have the processors: only a fault takes this long. */
const PATIENT = { timeoutMs: 120_000, deadlineMs: 170_000, hedgeMs: Number.POSITIVE_INFINITY }
/** Accounts whose balances are aggregated. */
const LISTED = Array.from({ length: 100 }, (_, i) => crowdMember(i))
const SLOT = 7n
const word = (value: bigint): string => toBeHex(value, 32)

let geth: Geth
let operators: Awaited<ReturnType<typeof makeOperators>>
let nodes: readonly Attester[]
let dir: string
let contract: string
/** Blocks that wrote the slot, with what they wrote. */
let written: readonly { readonly block: bigint; readonly value: bigint }[]
let last: number
let chain: Chain
let ethereum: Client
let client: Client

beforeAll(async () => {
  geth = await startDevGeth('osaka')
  const sender = new Sender(geth.url)
  contract = await sender.deploy()
  const versions: { block: bigint; value: bigint }[] = []
  for (const value of [11n, 12n, 0n, 13n]) {
    const data = word(SLOT) + word(value).slice(2)
    const { block } = await sender.send({ to: contract, data, gasLimit: 100_000n })
    versions.push({ block: BigInt(block), value })
  }
  written = versions
  const first = LISTED[0]
  last = (await sender.send({ to: first?.address ?? '', value: 5n })).block

  dir = await mkdtemp(path.join(tmpdir(), 'lightproof-attested-'))
  const genesis = path.join(dir, 'genesis.json')
  const balances = path.join(dir, 'balances.txt')
  await writeFile(genesis, devGenesis('osaka'))
  await writeFile(balances, LISTED.map(({ address }) => `${address}\n`).join(''))
  const followed = ['--follow', geth.url, '--genesis', genesis, '--follow-depth', '0']
  const options = [...followed, '--trust-upstream', '--block-time-ms', '50', '--balances', balances]
  operators = await makeOperators(3, PERIOD, options, program)
  nodes = await Promise.all([0, 1, 2].map(operators.start))
  const [one] = nodes
  if (one === undefined) throw new Error('no operator')
  // One of the three stops: two thirds are enough.
  await nodes[2]?.kill()
  await one.announced(last)

  const { kind, chainId, genesisHash, consensus } = one
  const systems = Object.fromEntries(
    Object.entries(one.systems).map(([name, { paramsDigest, ...config }]) => {
      return [name, paramsDigest === null ? config : { ...config, paramsDigest }]
    }),
  )
  chain = defineChain({ name: 'ours', kind, chainId, genesisHash, consensus, systems })
  ethereum = await devClient(geth.url, last, geth.url, PATIENT)
  client = createClient({
    chain,
    anchor: { checkpoint: genesisHash, maxAgeSeconds: Number.POSITIVE_INFINITY },
    nodes: [one.url],
    follows: followedChain(ethereum, {
      accounts: LISTED.map(({ address }) => address),
      crossCheck: 100,
    }),
    ...PATIENT,
  })
})
afterAll(async () => {
  await operators?.stop()
  await geth?.stop()
  await rm(dir, { recursive: true, force: true })
})

describe('the state of geth, attested', () => {
  test('behavior: a balance by mpt, under the state root of the block that geth has', async () => {
    const { address, balance } = LISTED[0] ?? crowdMember(0)
    const found = await getBalance(client, { address, at: last })
    expect(proven(found)).toBe(balance + 5n)
    expect(found).toMatchObject({
      trust: { origin: 'proven', attestedBy: { of: 3 }, notProved: ['anchor', 'recency'] },
    })
    const block = proven(await getBlock(client, { block: last }))
    const own = (await rpc(geth.url, 'eth_getBlockByNumber', [
      `0x${last.toString(16)}`,
      false,
    ])) as {
      hash: string
      stateRoot: string
    }
    expect(block).toMatchObject({ origin: own.hash, stateRoot: own.stateRoot })
  })

  test.each([lmpt, lvmt, verkle])('behavior: a slot by $name, proven twice', async (system) => {
    const key = { address: contract, slot: SLOT }
    const found = await getValue(client, { system: system as typeof lmpt, key, at: last })
    expect(found).toMatchObject({
      status: 'present',
      value: word(13n),
      trust: { origin: 'proven', crossChecked: 1, attestedBy: { of: 3 } },
    })
    const never = { address: contract, slot: 99n }
    const absent = await getValue(client, { system: system as typeof lmpt, key: never, at: last })
    expect(absent).toMatchObject({ status: 'absent', trust: { crossChecked: 1 } })
  })

  test('behavior: the complete history of the slot by cole', async () => {
    const question = { address: contract, slot: SLOT, fromBlock: 0, toBlock: last, at: last }
    const found = await getHistory(client, question)
    const { versions, complete } = proven(found)
    expect(complete).toBe(true)
    expect(versions).toEqual(written.map(({ block, value }) => ({ block, value: word(value) })))
    expect(found).toMatchObject({ trust: { origin: 'proven', crossChecked: 1 } })
    const newest = await getValue(client, { system: cole, address: contract, slot: SLOT, at: last })
    expect(newest).toMatchObject({ status: 'present', value: word(13n) })
  })

  test('behavior: a hundred balances by one aggregate, each of them proven twice', async () => {
    const keys = LISTED.map((_, position) => position)
    const found = await getValues(client, { system: balanceproofs, keys, at: last })
    if (found.status !== 'proven') throw new Error(`${found.status}: ${found.error.message}`)
    const wanted = LISTED.map(({ balance }, i) => (i === 0 ? balance + 5n : balance))
    expect(found.value.map(({ value }) => value)).toEqual(wanted)
    expect(found.trust).toMatchObject({ origin: 'proven', crossChecked: 100 })
  })

  test.each(['block', 'checkpoint'] as const)(
    'behavior: a client of a %s who names the accounts wrongly is told of a contradiction',
    async (kind) => {
      const accounts = LISTED.map(({ address }) => address).reverse()
      const pinned = { block: proven(await getBlock(client, { block: last })).hash }
      const signed = { checkpoint: chain.genesisHash }
      const other = createClient({
        chain,
        anchor: kind === 'block' ? pinned : { ...signed, maxAgeSeconds: Number.POSITIVE_INFINITY },
        nodes: [nodes[0]?.url ?? ''],
        follows: followedChain(ethereum, { accounts, crossCheck: 1 }),
        ...PATIENT,
      })
      const found = await getValues(other, { system: balanceproofs, keys: [3], at: last })
      if (found.status !== 'invalid') throw new Error(found.status)
      expect(found.error.code).toBe('verify.contradiction')
      // Whoever reads the file needs the list too, and finds none under the right one.
      const [file] = found.evidence
      if (file?.kind !== 'contradiction') throw new Error('no contradiction')
      // Its signatures start from the header that handed over to those who signed.
      const anchor = kind === 'block' ? pinned : { checkpoint: file.checkpoint ?? '' }
      const again = (list?: readonly string[]) =>
        verifyContradiction(file, {
          anchor,
          chain,
          systems: [balanceproofs],
          ...(list && { accounts: list }),
        })
      expect(await again(accounts)).toMatchObject({ error: { code: 'verify.contradiction' } })
      expect(await again([...accounts].reverse())).toMatchObject({
        error: { code: 'decode.response' },
      })
      await expect(again()).rejects.toMatchObject({ argument: 'accounts' })
      // Signatures of another committee's chain are none of this one's.
      const elsewhere = { checkpoint: ethereum.chain.genesisHash }
      expect(
        await verifyContradiction(file, {
          anchor: elsewhere,
          chain,
          systems: [balanceproofs],
          accounts,
        }),
      ).toMatchObject({
        error: { code: kind === 'block' ? 'decode.response' : 'verify.checkpoint' },
      })
    },
  )

  test('behavior: an operator who comes back catches up, and serves what was attested', async () => {
    const again = await operators.start(2)
    await again.announced(last)
    const anchor = { checkpoint: chain.genesisHash, maxAgeSeconds: Number.POSITIVE_INFINITY }
    const follows = followedChain(ethereum)
    const other = createClient({ chain, anchor, nodes: [again.url], follows, ...PATIENT })
    const synced = (await sync(other)) as Synced
    expect(synced).toMatchObject({ status: 'synced' })
    expect(synced.period).toBeGreaterThanOrEqual(BigInt(Math.floor(last / PERIOD)))
    expect(proven(await getStorage(other, { address: contract, slot: SLOT, at: last }))).toBe(13n)
  })

  test('behavior: a proof of any system is a file that is checked offline', async () => {
    const key = { address: contract, slot: SLOT }
    const file = await fetchProof(client, { system: lmpt, key, at: last })
    if (!('header' in file.source)) throw new Error('no header')
    const anchor = { block: file.source.header.hash }
    expect(await verifyProofFile(file, { anchor, chain, systems: [lmpt] })).toMatchObject({
      status: 'proven',
      system: 'lmpt',
    })
  })
})
