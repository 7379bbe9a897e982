/**
 * Three operators follow geth and attest its state in every system; clients compare what they say
 * with geth's chain.
 */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { toBeHex } from 'ethers'
import {
  type Chain,
  type Client,
  createClient,
  defineChain,
  fetchProof,
  getAccount,
  getBalance,
  getBlock,
  getCode,
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
import { findEngine } from '../../../scripts/engines/find.mjs'
import { launch } from '../../../scripts/engines/launch.mjs'
import { type Attester, makeOperators } from '../support/attesters.js'
import type { AttestedQuestions } from './pages/attested.js'
import { devClient } from './support/client.js'
import { crowdMember, devGenesis } from './support/genesis.js'
import { type Geth, startDevGeth } from './support/geth.js'
import { Sender } from './support/history.js'
import { servePages } from './support/pages.js'
import { startProxy } from './support/proxy.js'
import { blockJson, quantity, rpc } from './support/rpc.js'
import { makeTransactions, type Transactions } from './support/transactions.js'

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
let sent: Transactions
/**
 * Blocks that wrote the holder's slot of the token, with what they left there, by geth's own word.
 */
let held: readonly { readonly block: bigint; readonly value: string }[]
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
  await sender.send({ to: first?.address ?? '', value: 5n })
  sent = await makeTransactions(sender, 500)
  last = sent.last
  held = await versionsAt(geth.url, sent.token, sent.slot)

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
  // Blocks that are made at once are a second apart: clients believe none of the future.
  const { timestamp } = await blockJson(geth.url, last)
  while (Date.now() < Number(timestamp) * 1000) await setTimeout(200)

  const { kind, chainId, genesisHash, consensus, systems } = one
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
/** What geth itself says that a slot held, where it changed. */
async function versionsAt(url: string, address: string, slot: string) {
  const versions: { block: bigint; value: string }[] = []
  let before = word(0n)
  for (let block = 1; block <= last; block++) {
    const value = String(await rpc(url, 'eth_getStorageAt', [address, slot, quantity(block)]))
    if (value !== before) versions.push({ block: BigInt(block), value })
    before = value
  }
  return versions
}

/** Of one of the listed accounts, after all transactions. */
const balanceOf = ({ address, balance }: { address: string; balance: bigint }, i: number): bigint =>
  balance + (sent.received.get(address) ?? 0n) + (i === 0 ? 5n : 0n)

afterAll(async () => {
  await operators?.stop()
  await geth?.stop()
  await rm(dir, { recursive: true, force: true })
})

describe('the state of geth, attested', () => {
  test('behavior: a balance by mpt, under the state root of the block that geth has', async () => {
    const first = LISTED[0] ?? crowdMember(0)
    const found = await getBalance(client, { address: first.address, at: last })
    expect(proven(found)).toBe(balanceOf(first, 0))
    expect(found).toMatchObject({
      trust: { origin: 'proven', attestedBy: { of: 3 }, notProved: ['anchor', 'recency'] },
    })
    const block = proven(await getBlock(client, { block: last }))
    const own = await blockJson(geth.url, last)
    expect(block).toMatchObject({ origin: own['hash'], stateRoot: own['stateRoot'] })
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

  test.each([lmpt, lvmt, verkle])('behavior: tokens and an allowance by $name', async (system) => {
    const { token, slot, allowance } = sent
    const keys = [slot, allowance.slot].map((at) => ({ address: token, slot: at }))
    const found = await getValues(client, { system: system as typeof lmpt, keys, at: last })
    const values = proven(found).map((item) => ('value' in item ? item.value : undefined))
    expect(values).toEqual([held.at(-1)?.value, word(allowance.value)])
    expect(found).toMatchObject({ trust: { origin: 'proven', crossChecked: 2 } })
  })

  test('behavior: every version of a holder’s tokens by cole, as geth had them', async () => {
    const { token: address, slot } = sent
    const question = { address, slot, fromBlock: 0, toBlock: last, at: last }
    const { versions, complete } = proven(await getHistory(client, question))
    expect(complete).toBe(true)
    expect(versions).toEqual(held)
    expect(held.length).toBeGreaterThan(2)
  })

  test('behavior: what destroyed itself is gone, its heir has its money, a delegation is code', async () => {
    const { gone, heir, delegated } = sent
    // The last block has the blob.
    expect((await blockJson(geth.url, last))['blobGasUsed']).toBe('0x20000')
    expect(await getAccount(client, { address: gone, at: last })).toMatchObject({
      status: 'absent',
      trust: { origin: 'proven', originState: 'equal' },
    })
    const { address, balance } = heir
    expect(proven(await getBalance(client, { address, at: last }))).toBe(balance)
    const code = await getCode(client, { address: delegated.address, at: last })
    expect(proven(code)).toBe(delegated.code.toLowerCase())
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
    expect(found.value.map(({ value }) => value)).toEqual(LISTED.map(balanceOf))
    const told = await rpc(geth.url, 'eth_getBalance', [LISTED[7]?.address, quantity(last)])
    expect(found.value[7]?.value).toBe(BigInt(String(told)))
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

const isHere = findEngine('chromium').status === 'found'
if (!isHere) console.log('SKIPPED: attested state in a page, without chromium')

test.skipIf(!isHere && process.env['CI'] !== 'true')('behavior: the same in chromium', async () => {
  // geth itself answers no page.
  const proxy = await startProxy(geth.url)
  const asked: AttestedQuestions = {
    chain,
    node: nodes[0]?.url ?? '',
    ethereum: { chain: ethereum.chain, node: proxy.url, block: ethereum.anchor.hash },
    accounts: LISTED.map(({ address }) => address),
    key: { address: sent.token, slot: sent.slot },
    at: last,
  }
  const pages = await servePages(['attested'])
  const engine = await launch('chromium')
  try {
    await engine.open(`${pages.url}/attested.html#${encodeURIComponent(JSON.stringify(asked))}`)
    const isDone = () => engine.evaluate('window.seen !== undefined')
    while ((await isDone()) !== true) await setTimeout(200)
    const value = held.at(-1)?.value
    const attestedBy = { signed: expect.any(Number), of: 3 }
    const compared = { attestedBy, origin: 'proven', originState: 'equal' }
    const one = { value, crossChecked: 1, ...compared }
    expect(JSON.parse(String(await engine.evaluate('window.seen')))).toEqual({
      balance: { value: String(balanceOf(LISTED[0] ?? crowdMember(0), 0)), ...compared },
      slots: { lmpt: one, lvmt: one, verkle: one },
      history: held.map(({ block, value }) => [String(block), value]),
      balances: { value: LISTED.map(balanceOf).map(String), crossChecked: 100, ...compared },
    })
  } finally {
    await engine.close()
    await pages.close()
    await proxy.close()
  }
})
