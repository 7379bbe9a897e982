/** What our node tells of an Ethereum chain that it follows, under the header of that chain. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { keccak256, toBeHex } from 'ethers'
import { type Client, createClient, defineChain, getBalance, proven } from 'lightproof'
import { getLogs, getReceipts, getTransactions } from 'lightproof/blocks'
import { call } from 'lightproof/evm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deploying, MOVING_TOKEN_CODE } from '../support/contracts.js'
import { devClient } from './support/client.js'
import { DEV_CHAIN_ID, devGenesis, faucet } from './support/genesis.js'
import { type Geth, startDevGeth } from './support/geth.js'
import { Sender } from './support/history.js'
import { type Program, startProgram } from './support/program.js'
import { startProxy } from './support/proxy.js'
import { hashOf, quantity, rpc } from './support/rpc.js'

/** With cargo's features `ethereum` and `object-store`: what the Rust tests compile. */
const program =
  process.env['LIGHTPROOF_FOLLOWER'] ??
  fileURLToPath(new URL('../../../target/debug/lightproof-node', import.meta.url))

/**
 * LOG2 with the first two words of the calldata as topics and a word of zeros as data: 12 bytes
 * behind their deployment.
 */
const LOGGER = '0x600c80600b6000396000f3' + '602035600035602060' + '00a200'
type Hex = `0x${string}`
const word = (value: number): string => toBeHex(value, 32)
const joined = (...words: readonly bigint[]): string =>
  `0x${words.map((value) => toBeHex(value, 32).slice(2)).join('')}`
/** Of ERC-20: `transfer(address,uint256)`. */
const moving = (amount: bigint): string => `0xa9059cbb${joined(BigInt(RECEIVER), amount).slice(2)}`

/** A block as geth prints it. */
interface Block {
  readonly transactions: readonly { readonly hash: string }[]
}

const RECEIVER = `0x${'7e'.repeat(20)}`

let geth: Geth
/** Our node, and a reader of the store that it writes. */
const nodes: Program[] = []
let url: string
let readerUrl: string
let client: Client
let dir: string
let first: number
let last: number
let token: string

beforeAll(async () => {
  geth = await startDevGeth('osaka')
  const sender = new Sender(geth.url)
  const made = await sender.send({ data: LOGGER })
  first = made.block
  const input = { to: made.contract ?? '', data: word(1) + word(2).slice(2), gasLimit: 100_000n }
  await sender.send(input)
  await sender.send({ to: RECEIVER, value: 10n ** 18n })
  const held = keccak256(joined(BigInt(faucet.address), 0n)) as Hex
  token =
    (await sender.send({ data: deploying(MOVING_TOKEN_CODE, [[held, 1000n]]) })).contract ?? ''
  last = (await sender.send(input)).block

  dir = await mkdtemp(path.join(tmpdir(), 'lightproof-follower-'))
  const genesis = path.join(dir, 'genesis.json')
  await writeFile(genesis, devGenesis('osaka'))
  const chain = ['--follow', geth.url, '--genesis', genesis, '--follow-depth', '0']
  const store = ['--store', pathToFileURL(path.join(dir, 'store')).href]
  const start = async (args: readonly string[]): Promise<string> => {
    const node = await startProgram(program, [...args], /^\{"event":"ready","url":"([^"]+)"/)
    nodes.push(node)
    const started = node.ready[1] ?? ''
    // The test's own time limit bounds this.
    while (BigInt(String(await rpc(started, 'eth_blockNumber'))) < BigInt(last)) {
      await setTimeout(20)
    }
    return started
  }
  url = await start(['run', ...store, ...chain, '--committee-size', '0', '--block-time-ms', '50'])
  readerUrl = await start(['serve', ...store, '--committee-size', '0', '--poll-ms', '50'])
  client = await devClient(geth.url, last, url)
})
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.stop()))
  await geth?.stop()
  await rm(dir, { recursive: true, force: true })
})

test('behavior: every transaction, receipt and log is proven against the header that geth names', async () => {
  let sent = 0
  for (let at = first; at <= last; at++) {
    const block = [quantity(at), true]
    const printed = (await rpc(geth.url, 'eth_getBlockByNumber', block)) as Block
    const { transactions } = proven(await getTransactions(client, { at }))
    expect(transactions.map(({ hash }) => hash)).toEqual(
      printed.transactions.map(({ hash }) => hash),
    )
    const { receipts } = proven(await getReceipts(client, { at }))
    expect(receipts).toHaveLength(transactions.length)
    sent += transactions.length
  }
  expect(sent).toBe(5)
  const { logs } = proven(
    await getLogs(client, { fromBlock: first, toBlock: last, topics: [word(1)] }),
  )
  expect(logs.map(({ topics }) => topics)).toEqual([
    [word(1), word(2)],
    [word(1), word(2)],
  ])
})

test('behavior: balances are proven against the same header', async () => {
  expect(proven(await getBalance(client, { address: RECEIVER }))).toBe(10n ** 18n)
})

type AccessList = readonly { readonly address: string; readonly storageKeys: readonly string[] }[]

/** An answer, or the error that came in its place. */
const answerOf = async (node: string, method: string, params: readonly unknown[]) => {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' } }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  return (await (await fetch(node, { ...init, body })).json()) as {
    readonly result?: unknown
    readonly error?: { readonly code: number; readonly data?: unknown }
  }
}

const ours = [
  ['our node', () => url],
  ['a reader of its store', () => readerUrl],
] as const

test.each(ours)('behavior: calls end at %s as they do at geth', async (_, urlOf) => {
  const url = urlOf()
  const transfer = { from: faucet.address, to: token, data: moving(5n) }
  const poor = { ...transfer, from: RECEIVER }
  const balance = { to: token, data: `0x70a08231${joined(BigInt(faucet.address)).slice(2)}` }
  for (const asked of [
    transfer,
    balance,
    { ...transfer, data: '0x' },
    { data: '0x5f355f5260205ff3' },
  ]) {
    const [ours, theirs] = await Promise.all(
      [url, geth.url].map((node) => answerOf(node, 'eth_call', [asked, quantity(last)])),
    )
    expect(ours?.result).toBe(theirs?.result)
    expect(ours?.result).toMatch(/^0x/)
  }
  for (const method of ['eth_call', 'eth_estimateGas']) {
    const [ours, theirs] = await Promise.all(
      [url, geth.url].map((node) => answerOf(node, method, [poor, quantity(last)])),
    )
    expect(ours?.error).toMatchObject({ code: 3, data: theirs?.error?.data })
  }
  // geth stops looking at 1.5 % above the least.
  const [least, theirs] = await Promise.all(
    [url, geth.url].map(async (node) =>
      BigInt(String(await rpc(node, 'eth_estimateGas', [transfer, quantity(last)]))),
    ),
  )
  expect(least).toBeLessThanOrEqual(theirs ?? 0n)
  expect(least).toBeGreaterThan(((theirs ?? 0n) * 98n) / 100n)
  const lists = [url, geth.url].map(async (node) => {
    const listed = await rpc(node, 'eth_createAccessList', [transfer, quantity(last)])
    const { accessList, gasUsed } = listed as { accessList: AccessList; gasUsed: string }
    const sorted = accessList.map(({ address, storageKeys }) => [address, [...storageKeys].sort()])
    return [sorted, gasUsed]
  })
  const [ourList, theirList] = await Promise.all(lists)
  expect(ourList).toEqual(theirList)
})

test.each(ours)(
  'behavior: a client proves a call with what %s hands over at once',
  async (_, urlOf) => {
    const genesisHash = await hashOf(geth.url, 0)
    const forks = [{ rules: 'osaka', block: 0, blobFraction: 5_007_716 }] as const
    const named = { name: 'dev', kind: 'ethereum', chainId: DEV_CHAIN_ID } as const
    const asked: string[] = []
    const proxy = await startProxy(urlOf())
    proxy.tamper = (method, result) => {
      asked.push(method)
      return result
    }
    const calls = createClient({
      chain: defineChain({ ...named, genesisHash, forks }),
      anchor: { block: await hashOf(geth.url, last) },
      nodes: [proxy.url],
    })
    const result = await call(calls, { from: faucet.address, to: token, data: moving(5n) })
    await proxy.close()
    expect(result).toMatchObject({ status: 'success', value: { output: word(1) } })
    expect(asked).toContain('lp_callProof')
    // The rest came in the first round.
    expect(asked.filter((method) => method === 'eth_getProof')).toHaveLength(1)
  },
)
