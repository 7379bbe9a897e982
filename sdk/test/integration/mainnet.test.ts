/** Ethereum's real genesis state, served by a geth that has nothing else. */

import {
  type Client,
  createClient,
  getAccount,
  getBalance,
  getBlock,
  getStorage,
  mainnet,
  proven,
} from 'lightproof'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { outcome } from './support/client.js'
import { type Geth, startMainnetGeth } from './support/geth.js'

/** Known to everybody who has a copy of Ethereum. */
const GENESIS_HASH = '0xd4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3'
const STATE_ROOT = '0xd7f8974fb5ac78d9ac099b9ad5018bedc2ce0a72dad1827a1709da30580f0544'

const ETHER = 10n ** 18n

/** Buyers of the presale, and the foundation, with what the genesis block gave them (in wei). */
const PREMINE: readonly (readonly [address: string, balance: bigint])[] = [
  ['0x5abfec25f74cd88437631a7731906932776356f9', 11_901_484n * ETHER + 239_480_000_000_000_000n],
  ['0x3282791d6fd713f1e94f4bfd565eaa78b3a0599d', 1337n * ETHER],
  ['0x17961d633bcf20a7b029a7d94b7df4da2ec5427f', 229_427n * 10n ** 15n],
  ['0x000d836201318ec6899a67540690382780743280', 200n * ETHER],
  ['0x001762430ea9c3a26e5749afdb70da5f78ddbb8c', 200n * ETHER],
  ['0x756f45e3fa69347a9a973a725e3c98bc4db0b5a0', 200n * ETHER],
]

let geth: Geth
let client: Client

beforeAll(async () => {
  geth = await startMainnetGeth()
  client = createClient({ chain: mainnet, anchor: { block: GENESIS_HASH }, nodes: [geth.url] })
})
afterAll(() => geth?.stop())

test('the genesis block, under the hash and with the state root that everybody knows', async () => {
  const block = proven(await getBlock(client))
  expect(block).toMatchObject({ number: 0n, hash: GENESIS_HASH, stateRoot: STATE_ROOT })
})

test.each(PREMINE)('present: account %s of the presale', async (address, balance) => {
  expect(outcome(await getBalance(client, { address }))).toEqual(['present', balance])
  expect(proven(await getAccount(client, { address }))).toMatchObject({ nonce: 0n, balance })
})

test.each([
  `0x${'00'.repeat(20)}`,
  // A contract of today, USDC, long before its time.
  '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
])('absent: account %s', async (address) => {
  expect(outcome(await getBalance(client, { address }))).toEqual(['absent', 0n])
  expect(outcome(await getStorage(client, { address, slot: 0n }))).toEqual(['absent', 0n])
})
