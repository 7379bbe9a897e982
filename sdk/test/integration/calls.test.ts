/** Calls over proven state, against what a live geth answers to the same calls. */

import { keccak256, toBeHex } from 'ethers'
import { type Client, createClient, defineChain, proven } from 'lightproof'
import { createProvider } from 'lightproof/eip1193'
import { call, calls, createAccessList, estimateGas, evm, getErc20Balances } from 'lightproof/evm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  code,
  deploying,
  FLAGGED_TOKEN_CODE,
  MOVING_TOKEN_CODE,
  PROXY_CODE,
  RETURN_WORD,
  TRANSFER,
} from '../support/contracts.js'
import { crowdMember, DEV_CHAIN_ID, faucet } from './support/genesis.js'
import { type Geth, startDevGeth } from './support/geth.js'
import { Sender } from './support/history.js'
import { hashOf, rpc } from './support/rpc.js'

type Hex = `0x${string}`
const word = (value: bigint | number): string => toBeHex(value, 32).slice(2)
const owners = Array.from({ length: 12 }, (_, i) => crowdMember(i).address)
const balanceOf = (owner: string): Hex => `0x70a08231${word(BigInt(owner))}`
const moving = (to: string, amount: bigint): Hex => `0xa9059cbb${word(BigInt(to))}${word(amount)}`
const SUPPLY = 10n ** 24n

describe.each(['osaka', 'amsterdam'] as const)('%s', (fork) => {
  let geth: Geth
  let client: Client
  let [token, proxy, flagged, context, hashes] = ['', '', '', '', '']
  let block: { readonly blockHash: string }

  beforeAll(async () => {
    geth = await startDevGeth(fork)
    const sender = new Sender(geth.url)
    const make = async (data: string): Promise<string> =>
      (await sender.send({ data })).contract ?? ''
    const held = keccak256(`0x${word(BigInt(faucet.address))}${word(0)}`) as Hex
    token = await make(deploying(MOVING_TOKEN_CODE, [[held, SUPPLY]]))
    proxy = await make(deploying(PROXY_CODE, [[`0x${word(0)}`, BigInt(token)]]))
    // As a frozen holder of USDC: the highest bit is a flag.
    flagged = await make(deploying(FLAGGED_TOKEN_CODE, [[held, (1n << 255n) + SUPPLY]]))
    // Fields of the block, one behind the other.
    const fields = ['number', 'timestamp', 'coinbase', 'gaslimit', 'prevrandao', 'chainid'] as const
    const stored = fields.flatMap((field, i) => [field, 32 * i, 'mstore'] as const)
    context = await make(deploying(code(...stored, 192, 0, 'return')))
    hashes = await make(deploying(code(0, 'calldataload', 'blockhash', ...RETURN_WORD)))
    let last = 0
    for (const [i, owner] of owners.slice(0, 8).entries()) {
      last = (await sender.send({ to: token, data: moving(owner, BigInt(i + 1) * 1000n) })).block
    }
    const genesisHash = await hashOf(geth.url, 0)
    const forks = [{ rules: fork, block: 0, blobFraction: 5_007_716 }]
    const named = { name: 'dev', kind: 'ethereum', chainId: DEV_CHAIN_ID } as const
    const hash = await hashOf(geth.url, last)
    block = { blockHash: hash }
    client = createClient({
      chain: defineChain({ ...named, genesisHash, forks }),
      anchor: { block: hash },
      nodes: [geth.url],
    })
  })
  afterAll(() => geth?.stop())

  test('behavior: balances, of the token and behind a proxy, are those that the node answers', async () => {
    const asked = owners.flatMap((owner) =>
      [token, proxy].map((to) => ({ to, data: balanceOf(owner) })),
    )
    const outcomes = proven(await calls(client, { calls: asked }))
    for (const [i, one] of asked.entries()) {
      const outcome = outcomes[i]
      const output = outcome?.status === 'success' ? outcome.value.output : outcome?.status
      expect(output).toBe(await rpc(geth.url, 'eth_call', [one, block]))
    }
    const owner = owners[2] ?? ''
    const held = proven(await getErc20Balances(client, { tokens: [token, proxy], owner }))
    expect(held).toEqual([
      { status: 'success', value: 3000n },
      { status: 'success', value: 0n },
    ])
  })

  test('behavior: of a holder with a flag, the balance is what the token says', async () => {
    const owner = faucet.address
    const [result] = proven(await getErc20Balances(client, { tokens: [flagged], owner }))
    expect(result).toEqual({ status: 'success', value: SUPPLY })
    const call = { to: flagged, data: balanceOf(owner) }
    expect(await rpc(geth.url, 'eth_call', [call, block])).toBe(toBeHex(SUPPLY, 32))
  })

  test('behavior: a transfer: its log, gas, access list, and the panic of who has too little', async () => {
    const [to = ''] = owners
    const transfer = { from: faucet.address, to: token, data: moving(to, 5n) }
    const result = await call(client, transfer)
    if (result.status !== 'success') throw result
    const [log] = result.value.logs
    const topics = [TRANSFER, ...[faucet.address, to].map((who) => `0x${word(BigInt(who))}`)]
    expect(log).toEqual({ address: token.toLowerCase(), topics, data: `0x${word(5)}` })
    const traced = await rpc(geth.url, 'debug_traceCall', [transfer, block])
    expect(traced).toMatchObject({ gas: Number(result.value.gasUsed), failed: false })
    // geth stops looking at 1.5 % above the least.
    const gas = proven(await estimateGas(client, transfer))
    const theirs = BigInt(String(await rpc(geth.url, 'eth_estimateGas', [transfer, block])))
    expect(gas).toBeLessThanOrEqual(theirs)
    expect(gas).toBeGreaterThan((theirs * 98n) / 100n)
    const { accessList, gasUsed } = proven(await createAccessList(client, transfer))
    const list = await rpc(geth.url, 'eth_createAccessList', [transfer, block])
    const sorted = (entries: typeof accessList) =>
      entries.map(({ address, storageKeys }) => [address, [...storageKeys].sort()])
    const { accessList: other, gasUsed: used } = list as {
      accessList: typeof accessList
      gasUsed: string
    }
    expect([sorted(accessList), gasUsed]).toEqual([sorted(other), BigInt(used)])
    const poor = { from: owners[10] ?? '', to: token, data: moving(to, 5n) }
    const reverted = await call(client, poor)
    expect(reverted).toMatchObject({ status: 'reverted', error: { code: 'call.reverted' } })
    const provider = createProvider(client, { extensions: [evm()] })
    const refused = provider.request({ method: 'eth_call', params: [poor] })
    await expect(refused).rejects.toMatchObject({ code: 3, data: expect.stringMatching(/^0x4e48/) })
  })

  test('behavior: the block that calls see, and hashes of blocks before it', async () => {
    const seen = await call(client, { to: context })
    expect(seen).toMatchObject({
      value: { output: await rpc(geth.url, 'eth_call', [{ to: context }, block]) },
    })
    for (const number of [0, 1, 3, 5, 99]) {
      const asked = { to: hashes, data: `0x${word(number)}` }
      const result = await call(client, asked)
      const output = await rpc(geth.url, 'eth_call', [asked, block])
      expect(result).toMatchObject({ value: { output } })
    }
  })
})
