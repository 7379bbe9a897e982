/** wagmi's own actions over proofs, beside a live geth: read, write, wait, watch. */

import { erc20Abi, parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Config, createConfig } from 'wagmi'
import {
  connect,
  estimateFeesPerGas,
  estimateGas,
  getBalance,
  getBlock,
  getTransactionCount,
  readContract,
  readContracts,
  sendTransaction,
  signMessage,
  simulateContract,
  waitForTransactionReceipt,
  watchBlocks,
  watchContractEvent,
  writeContract,
} from 'wagmi/actions'
import '../../src/entry/node.js'
import { announceProvider, createProvider, isFinal } from '../../src/entry/eip1193.js'
import { evm, recoverAddress } from '../../src/entry/evm.js'
import { lightproof } from '../../src/entry/viem.js'
import { codesOf } from './pages/codes.js'
import { type DappWorld, SUPPLY, startDappWorld } from './support/dapp.js'
import { type Followers, followers, viemDev } from './support/following.js'
import { crowdMember, faucet } from './support/genesis.js'
import { walletOf } from './support/wallet.js'

type Hex = `0x${string}`
const owner = faucet.address as Hex
const friend = crowdMember(1).address as Hex
const FAST = { pollMs: 100 }

let world: DappWorld
let all: Followers
/** Of the chain whose newest block stays. */
let still: Followers
let token: Hex

/** What a page has: wallets are announced there. */
const page = new EventTarget()

beforeAll(async () => {
  vi.stubGlobal('window', page)
  world = await startDappWorld()
  token = world.token
  all = followers(world.geth.url)
  still = followers(world.still.url)
})
afterAll(async () => {
  vi.unstubAllGlobals()
  all?.stop()
  still?.stop()
  await world?.stop()
})

/** As the guide has it, and a wallet over the same client. */
async function configOf(
  nodes: readonly string[],
  following = all,
): Promise<{ config: Config; close(): void }> {
  const client = await following.of(nodes)
  const chain = { ...viemDev, contracts: { multicall3: { address: world.multicall } } }
  const extensions = [evm()]
  const provider = createProvider(client, { extensions, recoverAddress, ...FAST })
  const info = { name: 'Test', rdns: 'org.example.test', icon: 'data:image/png;base64,AA==' }
  const stop = announceProvider(walletOf(provider), info, { target: page })
  // It finds the wallet by its announcement.
  const config = createConfig({
    chains: [chain],
    transports: { [chain.id]: lightproof(client, { extensions, ...FAST }) },
    pollingInterval: 100,
  })
  const close = (): void => {
    stop()
    provider.close()
  }
  return { config, close }
}

describe.each([
  ['an honest node', false],
  ['a lying node beside an honest one', true],
])('%s', (_, isBeside) => {
  let config: Config
  let close: () => void
  beforeAll(async () => {
    ;({ config, close } = await configOf(
      isBeside ? [world.liar.url, world.geth.url] : [world.geth.url],
    ))
    const [connector] = config.connectors
    expect(config.connectors.map(({ id }) => id)).toEqual(['org.example.test'])
    if (connector !== undefined) await connect(config, { connector })
  })
  afterAll(() => close?.())

  test('behavior: reads: balances, contracts, multicalls, blocks, fees', async () => {
    const balance = await getBalance(config, { address: friend })
    expect(balance.value).toBe(await world.balanceOf(friend))
    const read = { address: token, abi: erc20Abi, functionName: 'balanceOf' } as const
    const held = await readContract(config, { ...read, args: [owner] })
    expect(held).toBe(await world.heldBy(owner))
    const many = await readContracts(config, {
      contracts: [owner, friend].map((who) => ({ ...read, args: [who] }) as const),
      allowFailure: false,
    })
    expect(many[0]).toBe(held)
    const block = await getBlock(config)
    expect(block.number).toBeGreaterThan(0n)
    expect((await estimateFeesPerGas(config)).maxFeePerGas).toBeGreaterThan(0n)
    expect(await estimateGas(config, { to: friend, value: 1n, account: owner })).toBe(21_000n)
    expect(await getTransactionCount(config, { address: friend })).toBe(
      Number(crowdMember(1).nonce),
    )
  })

  test('behavior: writes, waits and watches', async () => {
    const blocks: (bigint | null)[] = []
    const stopBlocks = watchBlocks(config, {
      emitOnBegin: true,
      onBlock: ({ number }) => blocks.push(number),
    })
    await vi.waitFor(() => expect(blocks.length).toBeGreaterThan(0), 60_000)
    const logs: unknown[] = []
    const watched = { address: token, abi: erc20Abi, eventName: 'Transfer' } as const
    const stopLogs = watchContractEvent(config, {
      ...watched,
      onLogs: (news) => logs.push(...news),
    })

    const before = await getBalance(config, { address: friend })
    const hash = await sendTransaction(config, { to: friend, value: parseEther('1') })
    const receipt = await waitForTransactionReceipt(config, { hash })
    expect(receipt).toMatchObject({ status: 'success', transactionHash: hash })
    expect(receipt.from.toLowerCase()).toBe(owner.toLowerCase())
    const after = await getBalance(config, { address: friend })
    expect(after.value - before.value).toBe(parseEther('1'))

    const transfer = { address: token, abi: erc20Abi, functionName: 'transfer' } as const
    const write = { ...transfer, args: [friend, 5n] } as const
    // The first log that is heard says that the watch had begun.
    await vi.waitFor(
      async () => {
        const { request } = await simulateContract(config, { ...write, account: owner })
        const sent = await writeContract(config, request)
        const done = await waitForTransactionReceipt(config, { hash: sent, confirmations: 1 })
        expect(done.logs).toHaveLength(1)
        expect(logs.length).toBeGreaterThan(0)
      },
      { timeout: 120_000, interval: 300 },
    )
    expect(logs[0]).toMatchObject({
      eventName: 'Transfer',
      args: { to: expect.any(String), value: 5n },
    })
    stopLogs()
    stopBlocks()
    expect(await signMessage(config, { message: 'hello' })).toMatch(/^0x[0-9a-f]{130}$/)
  })

  test('error: a transfer of more than there is reverts, and is not sent', async () => {
    const transfer = { address: token, abi: erc20Abi, functionName: 'transfer' } as const
    const poor = simulateContract(config, { ...transfer, args: [owner, SUPPLY], account: friend })
    await expect(poor).rejects.toThrow('revert')
  })
})

describe('the liar alone', () => {
  const refused = async (work: Promise<unknown>): Promise<void> => {
    const error = await work.then(
      (value) =>
        new Error(
          `believed: ${JSON.stringify(value, (_, v) => (typeof v === 'bigint' ? `${v}` : v))}`,
        ),
      (thrown: unknown) => thrown,
    )
    expect(codesOf(error), String(error)).toContain(-32070)
    expect(isFinal(error)).toBe(true)
  }

  test.each<[string, (config: Config) => Promise<unknown>]>([
    ['getBalance', (config) => getBalance(config, { address: friend })],
    [
      'readContract',
      (config) =>
        readContract(config, {
          address: token,
          abi: erc20Abi,
          functionName: 'balanceOf',
          args: [owner],
        }),
    ],
    ['getBlock', (config) => getBlock(config)],
    ['estimateFeesPerGas', (config) => estimateFeesPerGas(config)],
    ['estimateGas', (config) => estimateGas(config, { to: token, account: owner })],
  ])('invalid: %s', async (_, ask) => {
    const { config, close } = await configOf([world.liar.url], still)
    await refused(ask(config))
    close()
  })

  test('invalid: watches say what is wrong, and hear nothing', async () => {
    const { config, close } = await configOf([world.liar.url], still)
    const [errors, heard]: unknown[][] = [[], []]
    const onError = (error: unknown): void => void errors?.push(error)
    const watched = { address: token, abi: erc20Abi, eventName: 'Transfer' } as const
    const stops = [
      watchBlocks(config, { emitOnBegin: true, onBlock: (block) => heard?.push(block), onError }),
      watchContractEvent(config, { ...watched, onLogs: (logs) => heard?.push(...logs), onError }),
    ]
    await vi.waitFor(() => expect(errors?.length).toBeGreaterThan(0), 60_000)
    await refused(Promise.reject(errors?.[0]))
    expect(heard).toEqual([])
    for (const stop of stops) stop()
    close()
  })
})
