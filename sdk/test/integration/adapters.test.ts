/**
 * ethers and viem over proofs: what geth and lightproof-node say is what they hear, unless the node
 * lies.
 */

import { Block, getAddress, JsonRpcProvider, Transaction, toBeHex, toQuantity } from 'ethers'
import { type Client, createClient, devnet } from 'lightproof'
import { createProvider, ProviderRpcError } from 'lightproof/eip1193'
import { LightproofProvider } from 'lightproof/ethers'
import { lightproof } from 'lightproof/viem'
import { type Address, createPublicClient, type PublicClient } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { devClient } from './support/client.js'
import { crowdMember, DEV_CHAIN_ID, faucet } from './support/genesis.js'
import { type Geth, startDevGeth } from './support/geth.js'
import { type DevHistory, makeHistory, SLOTS, STORE_CODE } from './support/history.js'
import { isRecord, replaceAt } from './support/json.js'
import { type LightproofNode, startLightproofNode } from './support/node.js'
import { type LyingNode, startProxy } from './support/proxy.js'
import { rpc } from './support/rpc.js'

const [alice, bob] = [faucet.address, crowdMember(1).address] as const
const nobody = `0x${'ab'.repeat(20)}`

let geth: Geth
let proxy: LyingNode
let node: LightproofNode
let history: DevHistory
let head: number
let client: Client
let plain: JsonRpcProvider

beforeAll(async () => {
  geth = await startDevGeth('osaka')
  history = await makeHistory(geth.url)
  plain = new JsonRpcProvider(geth.url, DEV_CHAIN_ID, { staticNetwork: true })
  head = await plain.getBlockNumber()
  client = await devClient(geth.url, head)
  proxy = await startProxy(geth.url)
  node = await startLightproofNode(6)
})
afterAll(async () => {
  plain?.destroy()
  await proxy?.close()
  await node?.stop()
  await geth?.stop()
})

const liar = (): Promise<Client> => devClient(geth.url, head, proxy.url)

/** Every claim about an account, and the proof's claims, one more than they are. */
const lie = (method: string, result: unknown): unknown => {
  if (method === 'eth_getProof') {
    return ['balance', 'nonce'].reduce((reply, key) => replaceAt(reply, [key], raised), result)
  }
  if (method.startsWith('eth_getBlock')) return replaceAt(result, ['timestamp'], raised)
  return method === 'eth_chainId' ? result : raised(result)
}

function raised(quantity: unknown): unknown {
  return typeof quantity === 'string' ? toQuantity(BigInt(quantity) + 1n) : quantity
}

describe('ethers', () => {
  let provider: LightproofProvider
  beforeAll(() => {
    provider = new LightproofProvider(client)
  })
  afterAll(() => provider?.destroy())

  test('getNetwork, getBlockNumber', async () => {
    expect((await provider.getNetwork()).chainId).toBe(BigInt(DEV_CHAIN_ID))
    expect(await provider.getBlockNumber()).toBe(head)
  })

  test('getBalance, getTransactionCount, getCode and getStorage are those of geth', async () => {
    for (const address of [alice, bob, nobody, history.contract]) {
      for (const at of [head, history.blocks.written, 0]) {
        expect(await provider.getBalance(address, at)).toBe(await plain.getBalance(address, at))
        const nonce = await plain.getTransactionCount(address, at)
        expect(await provider.getTransactionCount(address, at)).toBe(nonce)
        expect(await provider.getCode(address, at)).toBe(await plain.getCode(address, at))
        const slot = await plain.getStorage(address, SLOTS.small, at)
        expect(await provider.getStorage(address, SLOTS.small, at)).toBe(slot)
      }
    }
  })

  test('getBlock: every field of the header is that of geth, and every transaction', async () => {
    for (const tag of ['latest', head, history.blocks.sent, 0, client.anchor.hash]) {
      // The newest block of the client is the pinned one; geth may have added an empty one since.
      const [proven, told] = [
        await provider.getBlock(tag),
        await plain.getBlock(tag === 'latest' ? head : tag),
      ]
      if (!(proven instanceof Block) || told === null) throw new Error(`no block ${tag}`)
      for (const field of HEADER) expect(proven[field], field).toEqual(told[field])
      expect(proven.transactions).toEqual(told.transactions)
    }
    const full = await provider.getBlock(history.blocks.sent, true)
    const told = await plain.getBlock(history.blocks.sent, true)
    const print = (block: Block | null) =>
      block?.prefetchedTransactions.map(({ hash, from, to, nonce }) => [hash, from, to, nonce])
    expect(print(full)).toEqual(print(told))
  })

  test('error: what no proof answers, unless it is allowed', async () => {
    const call = { to: history.contract, data: '0x' }
    await expect(provider.call(call)).rejects.toThrow('extensions: [evm()]')
    const trusting = new LightproofProvider(client, { verify: { eth_call: 'off' } })
    expect(await trusting.call(call)).toBe('0x')
    trusting.destroy()
  })

  test('behavior: a signed transaction is passed on', async () => {
    const nonce = await plain.getTransactionCount(faucet.address, 'latest')
    const fees = { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 1n, gasLimit: 21_000n }
    const request = { type: 2, chainId: DEV_CHAIN_ID, nonce, to: bob, value: 1n, ...fees }
    const signed = await faucet.signTransaction(request)
    expect((await provider.broadcastTransaction(signed)).hash).toBe(Transaction.from(signed).hash)
  })

  test('invalid: a lie is an error with its code and evidence', async () => {
    proxy.tamper = lie
    const deceived = new LightproofProvider(await liar())
    const questions = [
      () => deceived.getBalance(alice),
      () => deceived.getTransactionCount(alice),
      () => deceived.getBlock('latest'),
    ]
    for (const ask of questions) {
      const error: unknown = await ask().catch((thrown: unknown) => thrown)
      if (!(error instanceof ProviderRpcError)) throw error
      expect(error.code).toBe(-32070)
      expect(isRecord(error.data) ? error.data['evidence'] : []).toHaveLength(1)
    }
    deceived.destroy()
  })

  test('behavior: the devnet of lightproof-node, from its checkpoint', async () => {
    const { url, genesisHash, consensus, samples } = node
    const chain = devnet(genesisHash, consensus)
    const anchor = { checkpoint: genesisHash, maxAgeSeconds: Number.POSITIVE_INFINITY }
    const own = createClient({ chain, anchor, nodes: [url] })
    const [proven, told] = [new LightproofProvider(own), new JsonRpcProvider(url)]
    for (const { address } of samples) {
      for (const tag of ['latest', 'safe', 'finalized']) {
        expect(await proven.getBalance(address, tag)).toBe(await told.getBalance(address))
      }
      expect(await proven.getCode(address)).toBe(await told.getCode(address))
    }
    const block = await proven.getBlock(3)
    expect(block).toMatchObject({ number: 3, hash: (await told.getBlock(3))?.hash })
    expect(await proven.getBlockNumber()).toBe(node.head.number)
    proven.destroy()
    told.destroy()
  })
})

const HEADER = [
  'number',
  'hash',
  'parentHash',
  'timestamp',
  'nonce',
  'difficulty',
  'gasLimit',
  'gasUsed',
  'stateRoot',
  'receiptsRoot',
  'miner',
  'prevRandao',
  'extraData',
  'baseFeePerGas',
  'parentBeaconBlockRoot',
  'blobGasUsed',
  'excessBlobGas',
] as const

describe('viem', () => {
  let viem: PublicClient
  beforeAll(() => {
    viem = createPublicClient({ transport: lightproof(client) })
  })

  test('balance, nonce, code, storage, block and chain are those of geth', async () => {
    const address = history.contract as Address
    const owner = getAddress(alice) as Address
    expect(await viem.getChainId()).toBe(DEV_CHAIN_ID)
    expect(await viem.getBlockNumber()).toBe(BigInt(head))
    const blockNumber = BigInt(history.blocks.sent)
    const told = await plain.getBalance(owner, history.blocks.sent)
    expect(await viem.getBalance({ address: owner, blockNumber })).toBe(told)
    expect(await viem.getTransactionCount({ address: owner, blockNumber })).toBe(4)
    expect(await viem.getCode({ address })).toBe(STORE_CODE)
    const slot = toBeHex(SLOTS.small, 32) as Address
    expect(await viem.getStorageAt({ address, slot })).toBe(toBeHex(42n, 32))
    const { hash, stateRoot, transactions } = await viem.getBlock({ blockNumber })
    const block = await plain.getBlock(history.blocks.sent)
    expect([hash, stateRoot]).toEqual([block?.hash, block?.stateRoot])
    expect(transactions).toEqual(block?.transactions)
  })

  test('getProof is what geth sends', async () => {
    const address = history.contract as Address
    const slot = toBeHex(SLOTS.large, 32) as Address
    const block = toQuantity(head)
    const told = await rpc(geth.url, 'eth_getProof', [address, [slot], block])
    const proof = await viem.request({
      method: 'eth_getProof',
      params: [address, [slot], toQuantity(head) as Address],
    })
    expect(proof).toEqual(told)
  })

  test('error: viem names the refusal, and its cause says what allows it', async () => {
    const refused = viem.call({ to: history.contract as Address })
    await expect(refused).rejects.toThrow('extensions: [evm()]')
    const transport = lightproof(client, {
      verify: { eth_call: 'prefer' },
      onAnswer: () => undefined,
    })
    const trusting = createPublicClient({ transport })
    expect(await trusting.call({ to: history.contract as Address })).toEqual({ data: undefined })
  })

  test('invalid: a lie is an error', async () => {
    proxy.tamper = lie
    const deceived = createPublicClient({ transport: lightproof(await liar()) })
    await expect(deceived.getBalance({ address: alice as Address })).rejects.toThrow(
      'invalid proof',
    )
  })
})

describe('EIP-1193', () => {
  test('behavior: prefer takes no lie for an answer', async () => {
    proxy.tamper = lie
    const provider = createProvider(await liar(), { verify: 'prefer', onAnswer: () => undefined })
    const call = { method: 'eth_getBalance', params: [alice, 'latest'] }
    await expect(provider.request(call)).rejects.toMatchObject({ code: -32070 })
  })
})
