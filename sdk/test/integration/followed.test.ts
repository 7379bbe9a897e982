/** What our node tells of an Ethereum chain that it follows, under the header of that chain. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { toBeHex } from 'ethers'
import { type Client, getBalance, proven } from 'lightproof'
import { getLogs, getReceipts, getTransactions } from 'lightproof/blocks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { devClient } from './support/client.js'
import { devGenesis } from './support/genesis.js'
import { type Geth, startDevGeth } from './support/geth.js'
import { Sender } from './support/history.js'
import { type Program, startProgram } from './support/program.js'
import { quantity, rpc } from './support/rpc.js'

/** With cargo's feature `ethereum`: what the Rust tests compile. */
const program =
  process.env['LIGHTPROOF_FOLLOWER'] ??
  fileURLToPath(new URL('../../../target/debug/lightproof-node', import.meta.url))

/** LOG2 with the first two words of the calldata as topics and a word of zeros as data: 12 bytes behind their deployment. */
const LOGGER = '0x600c80600b6000396000f3' + '602035600035602060' + '00a200'
const word = (value: number): string => toBeHex(value, 32)

/** A block as geth prints it. */
interface Block {
  readonly transactions: readonly { readonly hash: string }[]
}

const RECEIVER = `0x${'7e'.repeat(20)}`

let geth: Geth
let node: Program
let url: string
let client: Client
let dir: string
let first: number
let last: number

beforeAll(async () => {
  geth = await startDevGeth('osaka')
  const sender = new Sender(geth.url)
  const made = await sender.send({ data: LOGGER })
  first = made.block
  const input = { to: made.contract ?? '', data: word(1) + word(2).slice(2), gasLimit: 100_000n }
  await sender.send(input)
  await sender.send({ to: RECEIVER, value: 10n ** 18n })
  last = (await sender.send(input)).block

  dir = await mkdtemp(path.join(tmpdir(), 'lightproof-follower-'))
  const genesis = path.join(dir, 'genesis.json')
  await writeFile(genesis, devGenesis('osaka'))
  const chain = ['--follow', geth.url, '--genesis', genesis, '--follow-depth', '0']
  const unsigned = ['--committee-size', '0', '--block-time-ms', '50']
  const args = ['run', '--data', path.join(dir, 'data'), ...chain, ...unsigned]
  node = await startProgram(program, args, /^\{"event":"ready","url":"([^"]+)"/)
  url = node.ready[1] ?? ''
  // The test's own time limit bounds this.
  while (BigInt(String(await rpc(url, 'eth_blockNumber'))) < BigInt(last)) await setTimeout(20)
  client = await devClient(geth.url, last, url)
})
afterAll(async () => {
  await node?.stop()
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
  expect(sent).toBe(4)
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
