/**
 * Facts of a live development chain of geth, proven through the SDK and compared with what geth
 * says.
 */

import { decodeRlp, toQuantity } from 'ethers'
import {
  type Client,
  createClient,
  fetchProof,
  getAccount,
  getBalance,
  getBlock,
  getCode,
  getNonce,
  getStorage,
  mainnet,
  proven,
  verifyProofFile,
} from 'lightproof'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { devClient, outcome } from './support/client.js'
import { CROWD, crowdMember, type Fork, faucet } from './support/genesis.js'
import { type Geth, startDevGeth } from './support/geth.js'
import {
  type DevHistory,
  LARGE,
  MANY,
  makeHistory,
  SLOTS,
  STORE_CODE,
  TWINS,
} from './support/history.js'
import { isRecord } from './support/json.js'
import { blockJson, hashOf, quantity, rpc } from './support/rpc.js'

const ABSENT = `0x${'ab'.repeat(20)}`
const EMPTY_CODE_HASH = '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'
const EMPTY_TRIE = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'

/** Header fields that the fork brought: the chain must really have them. */
const NEWEST_FIELDS = {
  osaka: ['requestsHash'],
  amsterdam: ['requestsHash', 'blockAccessListHash', 'slotNumber'],
} satisfies Partial<Record<Fork, readonly string[]>>

describe.each(['osaka', 'amsterdam'] as const)('geth --dev, %s', (fork) => {
  let geth: Geth
  let history: DevHistory
  let client: Client

  beforeAll(async () => {
    geth = await startDevGeth(fork)
    history = await makeHistory(geth.url)
    client = await devClient(geth.url, history.blocks.sent)
  })
  afterAll(() => geth?.stop())

  describe('headers', () => {
    test('the pinned block, with the newest fields of the fork', async () => {
      const json = await blockJson(geth.url, history.blocks.sent)
      for (const field of NEWEST_FIELDS[fork]) expect(json).toHaveProperty(field)
      const result = await getBlock(client)
      expect(result).toMatchObject({ status: 'present', trust: { finality: 'pinned' } })
      const { number, hash, parentHash, stateRoot, timestamp } = proven(result)
      expect({ hash, parentHash, stateRoot }).toEqual({
        hash: json['hash'],
        parentHash: json['parentHash'],
        stateRoot: json['stateRoot'],
      })
      expect([number, timestamp].map(toQuantity)).toEqual([json['number'], json['timestamp']])
    })

    test('every ancestor down to the genesis, by parent links', async () => {
      const fresh = await devClient(geth.url, history.blocks.sent)
      for (let number = history.blocks.sent; number >= 0; number--) {
        const block = proven(await getBlock(fresh, { block: number }))
        expect([block.number, block.hash]).toEqual([BigInt(number), await hashOf(geth.url, number)])
      }
      const genesis = await getBlock(await devClient(geth.url, history.blocks.sent), { block: 0 })
      expect(genesis).toMatchObject({
        status: 'present',
        value: { number: 0n, hash: client.chain.genesisHash },
        trust: { finality: 'ancestor' },
      })
    })

    test('unavailable: a block newer than the pinned one is not trusted, by number or by hash', async () => {
      const { written, sent } = history.blocks
      const old = await devClient(geth.url, written)
      for (const at of [sent, await hashOf(geth.url, sent)]) {
        const result = await getBalance(old, { address: faucet.address, at })
        expect(outcome(result)).toEqual(['unavailable', 'untrusted'])
      }
    })

    test('unavailable: an anchor that the node does not know', async () => {
      const { chain } = client
      const anchor = { block: `0x${'5a'.repeat(32)}` }
      const lost = createClient({ chain, anchor, nodes: [geth.url] })
      expect(outcome(await getBlock(lost))).toEqual(['unavailable', 'block'])
    })

    test('unavailable: the node serves another chain', async () => {
      const anchor = { block: await hashOf(geth.url, history.blocks.sent) }
      const strict = createClient({ chain: mainnet, anchor, nodes: [geth.url] })
      const result = await getBalance(strict, { address: faucet.address })
      expect(outcome(result)).toEqual(['unavailable', 'chain'])
    })

    test('invalid: block 0 is not the genesis of the configured chain', async () => {
      const chain = { ...client.chain, genesisHash: mainnet.genesisHash }
      const anchor = { block: await hashOf(geth.url, 0) }
      const wrong = createClient({ chain, anchor, nodes: [geth.url] })
      expect(outcome(await getBlock(wrong))).toEqual(['invalid', 'verify.chain'])
    })
  })

  describe('accounts', () => {
    test('an account with transactions: balance and nonce', async () => {
      const { address } = faucet
      const result = await getBalance(client, { address })
      const head = quantity(history.blocks.sent)
      expect(toQuantity(proven(result))).toBe(
        await rpc(geth.url, 'eth_getBalance', [address, head]),
      )
      expect(await getNonce(client, { address })).toMatchObject({ status: 'present', value: 4n })
      expect(result).toMatchObject({
        trust: {
          system: 'mpt',
          servedBy: new URL(geth.url).origin,
          block: { number: BigInt(history.blocks.sent) },
        },
      })
    })

    test('accounts of the genesis state', async () => {
      for (let i = 0; i < CROWD; i += 29) {
        const { address, balance, nonce } = crowdMember(i)
        const account = proven(await getAccount(client, { address }))
        const empty = { codeHash: EMPTY_CODE_HASH, storageHash: EMPTY_TRIE }
        expect(account).toEqual({ balance, nonce, ...empty })
      }
    })

    test('a contract: account and code', async () => {
      const address = history.contract
      expect(await getCode(client, { address })).toMatchObject({
        status: 'present',
        value: STORE_CODE,
      })
      expect(await getAccount(client, { address })).toMatchObject({
        status: 'present',
        value: { nonce: 1n, balance: 0n },
      })
    })

    test('an account without code', async () => {
      const result = await getCode(client, { address: faucet.address })
      expect(outcome(result)).toEqual(['absent', '0x'])
    })

    test('an absent account: no balance, nonce, code or slot', async () => {
      const address = ABSENT
      expect(outcome(await getBalance(client, { address }))).toEqual(['absent', 0n])
      expect(outcome(await getNonce(client, { address }))).toEqual(['absent', 0n])
      expect(outcome(await getCode(client, { address }))).toEqual(['absent', '0x'])
      expect(outcome(await getStorage(client, { address, slot: 0n }))).toEqual(['absent', 0n])
      expect((await getAccount(client, { address })).status).toBe('absent')
    })
  })

  describe('slots', () => {
    test('present: small, large, and many', async () => {
      const address = history.contract
      const expected = [
        [SLOTS.small, 42n],
        [SLOTS.large, LARGE],
        ...MANY.slice(0, 8).map((slot) => [slot, slot * 3n]),
      ]
      for (const [slot = 0n, value] of expected) {
        expect(outcome(await getStorage(client, { address, slot }))).toEqual(['present', value])
      }
    })

    test('absent: cleared, never written, and of an account without storage', async () => {
      const address = history.contract
      for (const slot of [SLOTS.cleared, SLOTS.never]) {
        expect(outcome(await getStorage(client, { address, slot }))).toEqual(['absent', 0n])
      }
      const result = await getStorage(client, { address: faucet.address, slot: 0n })
      expect(outcome(result)).toEqual(['absent', 0n])
    })

    test('present: leaves that the trie embeds in their branch', async () => {
      const address = history.contract
      const slots = TWINS.map(toQuantity)
      const reply = await rpc(geth.url, 'eth_getProof', [
        address,
        slots,
        quantity(history.blocks.sent),
      ])
      expect(lastNodes(reply).map((node) => node.length)).toEqual([17, 17])
      expect(outcome(await getStorage(client, { address, slot: TWINS[0] }))).toEqual([
        'present',
        1n,
      ])
      expect(outcome(await getStorage(client, { address, slot: TWINS[1] }))).toEqual([
        'present',
        2n,
      ])
    })

    test('all at once, as a file that is checked offline', async () => {
      const slots = [SLOTS.small, SLOTS.large, SLOTS.cleared, SLOTS.never, ...TWINS, ...MANY]
      const file = await fetchProof(client, { address: history.contract, slots, code: true })
      const { hash } = client.anchor
      const result = await verifyProofFile(JSON.parse(JSON.stringify(file)), {
        anchor: { block: hash },
        chain: client.chain,
      })
      const { slots: found, code, account } = proven(result)
      const values = [42n, LARGE, 0n, 0n, 1n, 2n, ...MANY.map((slot) => slot * 3n)]
      expect(found.map(({ value }) => value)).toEqual(values)
      expect(found.map(({ status }) => status === 'absent')).toEqual(
        values.map((value) => value === 0n),
      )
      expect([code, account?.nonce]).toEqual([STORE_CODE, 1n])
    })
  })

  describe('at an older block', () => {
    test('a slot before and after it was cleared', async () => {
      const { written, cleared } = history.blocks
      const question = { address: history.contract, slot: SLOTS.cleared }
      const before = await getStorage(client, { ...question, at: written })
      expect(outcome(before)).toEqual(['present', 7n])
      expect(before).toMatchObject({
        trust: { finality: 'ancestor', block: { number: BigInt(written) } },
      })
      const after = await getStorage(client, { ...question, at: cleared })
      expect(outcome(after)).toEqual(['absent', 0n])
    })

    test('by number, by hash and by a block that getBlock found', async () => {
      const address = history.receiver
      const number = history.blocks.sent - 1
      const block = proven(await getBlock(client, { block: number }))
      for (const at of [number, BigInt(number), await hashOf(geth.url, number), block]) {
        expect(outcome(await getBalance(client, { address, at }))).toEqual(['absent', 0n])
      }
      expect(outcome(await getBalance(client, { address }))).toEqual(['present', 10n ** 18n])
    })

    test('the genesis state', async () => {
      const at = 0
      const { address, balance } = crowdMember(0)
      expect(outcome(await getBalance(client, { address, at }))).toEqual(['present', balance])
      const contract = await getAccount(client, { address: history.contract, at })
      expect(contract.status).toBe('absent')
    })
  })
})

/** The last node of each storage proof of an `eth_getProof` reply, as its items. */
function lastNodes(reply: unknown): readonly (readonly unknown[])[] {
  const proofs: unknown = isRecord(reply) ? reply['storageProof'] : undefined
  if (!Array.isArray(proofs)) throw new Error('no storage proofs')
  return proofs.map((proof: unknown) => {
    const nodes: unknown = isRecord(proof) ? proof['proof'] : undefined
    const node = decodeRlp(Array.isArray(nodes) ? String(nodes.at(-1)) : '0x')
    return Array.isArray(node) ? node : []
  })
}
