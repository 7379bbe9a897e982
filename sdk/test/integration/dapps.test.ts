/** A pair of tokens and a resolver of names, asked over proven state and of a live geth. */

import { AbiCoder, concat, dnsEncode, id, keccak256, namehash, toBeHex } from 'ethers'
import { type Client, createClient, defineChain, proven } from 'lightproof'
import { createProvider } from 'lightproof/eip1193'
import { calls, evm, resolveName, simulateCalls } from 'lightproof/evm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deploying, MOVING_TOKEN_CODE, TOKEN_CODE } from '../support/contracts.js'
import { NAMES_CODE, PAIR_CODE, SWAPPED } from '../support/dapps.js'
import { crowdMember, DEV_CHAIN_ID, faucet } from './support/genesis.js'
import { type Geth, startDevGeth } from './support/geth.js'
import { Sender } from './support/history.js'
import { isRecord } from './support/json.js'
import { hashOf, rpc } from './support/rpc.js'

type Hex = `0x${string}`
const word = (value: bigint | string): Hex => toBeHex(BigInt(value), 32) as Hex
const calling = (name: string, ...args: (bigint | string)[]): Hex =>
  concat([id(name).slice(0, 10), ...args.map(word)]) as Hex
/** Where a mapping at position 0 keeps what a key names. */
const slotOf = (key: string): Hex => keccak256(concat([word(key), word(0n)])) as Hex

const SUPPLY = 10n ** 24n
const RESERVES = [5_000_000n * 10n ** 6n, 1_700n * 10n ** 18n] as const
const NAME = 'alice.eth'
const ALICE = crowdMember(1).address

describe.each(['osaka', 'amsterdam'] as const)('%s', (fork) => {
  let geth: Geth
  let client: Client
  let [first, second, pair, names] = ['', '', '', '']
  let block: { readonly blockHash: string }

  beforeAll(async () => {
    geth = await startDevGeth(fork)
    const sender = new Sender(geth.url)
    const make = async (code: Hex, slots: [Hex, bigint][]): Promise<string> =>
      (await sender.send({ data: deploying(code, slots) })).contract ?? ''
    const held: [Hex, bigint][] = [[slotOf(faucet.address), SUPPLY]]
    first = await make(MOVING_TOKEN_CODE, held)
    second = await make(MOVING_TOKEN_CODE, held)
    pair = await make(PAIR_CODE, [
      ['0x00', BigInt(first)],
      ['0x01', BigInt(second)],
      ['0x02', RESERVES[0] + (RESERVES[1] << 112n)],
    ])
    const resolver = await make(TOKEN_CODE, [[slotOf(namehash(NAME)), BigInt(ALICE)]])
    const registry = await make(TOKEN_CODE, [[slotOf(namehash(NAME)), BigInt(resolver)]])
    names = await make(NAMES_CODE, [['0x00', BigInt(registry)]])
    await sender.send({ to: first, data: calling('transfer(address,uint256)', pair, RESERVES[0]) })
    const last = await sender.send({
      to: second,
      data: calling('transfer(address,uint256)', pair, RESERVES[1]),
    })
    const hash = await hashOf(geth.url, last.block)
    const genesisHash = await hashOf(geth.url, 0)
    const named = { name: 'dev', kind: 'ethereum', chainId: DEV_CHAIN_ID } as const
    const forks = [{ rules: fork, block: 0, blobFraction: 5_007_716 }]
    block = { blockHash: hash }
    client = createClient({
      chain: defineChain({ ...named, genesisHash, forks }),
      anchor: { block: hash },
      nodes: [geth.url],
    })
  })
  afterAll(() => geth?.stop())

  test('behavior: reserves and quotes of a pair are those that the node answers', async () => {
    const amounts = [0n, 1n, 10n ** 6n, 10n ** 12n, 2n ** 100n]
    const quotes = amounts.map((amount) => calling('getAmountOut(uint256)', amount))
    const asked = [calling('getReserves()'), ...quotes].map((data) => ({ to: pair, data }))
    const outcomes = proven(await calls(client, { calls: asked }))
    const outputs = outcomes.map((one) => (one.status === 'success' ? one.value.output : '0x'))
    for (const [i, one] of asked.entries()) {
      expect(outputs[i]).toBe(await rpc(geth.url, 'eth_call', [one, block]))
    }
    const quoted = (amount: bigint): bigint =>
      (amount * 997n * RESERVES[1]) / (RESERVES[0] * 1000n + amount * 997n)
    expect(outputs).toEqual([concat(RESERVES.map(word)), ...amounts.map(quoted).map(word)])
  })

  test('behavior: a swap moves tokens and logs as at the node; unpaid it is reverted', async () => {
    const paid = 10n ** 9n
    const from = faucet.address
    const asked = [
      { from, to: pair, data: calling('swap(uint256)', paid) },
      { from, to: first, data: calling('transfer(address,uint256)', pair, paid) },
      { from, to: pair, data: calling('swap(uint256)', paid) },
      { from, to: pair, data: calling('getReserves()') },
    ]
    const outcomes = proven(await simulateCalls(client, { calls: asked }))
    expect(outcomes.map(({ status }) => status)).toEqual([
      'reverted',
      ...['success', 'success', 'success'],
    ])
    const swap = outcomes[2]?.status === 'success' ? outcomes[2].value : undefined
    const [bought = 0n] = swap?.transfers.map(({ amount }) => amount) ?? []
    expect(swap?.output).toBe(word(bought))
    expect(swap?.logs.at(-1)).toEqual({
      address: pair.toLowerCase(),
      topics: [SWAPPED, word(from)],
      data: concat([word(paid), word(bought)]),
    })
    const params = [{ blockStateCalls: [{ calls: asked }] }, block]
    const provider = createProvider(client, { extensions: [evm()] })
    const ours = callsIn(await provider.request({ method: 'eth_simulateV1', params }))
    expect(ours).toEqual(callsIn(await rpc(geth.url, 'eth_simulateV1', params)))
    expect(ours.map((one) => isRecord(one) && one['status'])).toEqual(['0x0', '0x1', '0x1', '0x1'])
  })

  test('behavior: a name resolves to the address that the node answers, or to none', async () => {
    const asked = (name: string) => {
      const record = calling('addr(bytes32)', namehash(name))
      const data = AbiCoder.defaultAbiCoder().encode(['bytes', 'bytes'], [dnsEncode(name), record])
      return [{ to: names, data: concat([id('resolve(bytes,bytes)').slice(0, 10), data]) }, block]
    }
    const there = await resolveName(client, { name: NAME, universalResolver: names })
    expect(there).toMatchObject({ status: 'success', value: { address: ALICE } })
    const answer = String(await rpc(geth.url, 'eth_call', asked(NAME)))
    const [record] = AbiCoder.defaultAbiCoder().decode(['bytes', 'address'], answer)
    expect(record).toBe(word(ALICE))
    const none = await resolveName(client, { name: 'bob.eth', universalResolver: names })
    expect(none).toMatchObject({ status: 'success', value: { address: undefined } })
    await expect(rpc(geth.url, 'eth_call', asked('bob.eth'))).rejects.toThrow('0x77209fe8')
  })
})

/** What each call of the one block came to. */
function callsIn(blocks: unknown): unknown[] {
  const [made] = Array.isArray(blocks) ? blocks : []
  const list: unknown = isRecord(made) ? made['calls'] : []
  return (Array.isArray(list) ? list.filter(isRecord) : []).map((one) => {
    const { returnData, gasUsed, status, logs } = one
    const places = (Array.isArray(logs) ? logs.filter(isRecord) : []).map(
      ({ address, topics, data, logIndex }) => ({ address, topics, data, logIndex }),
    )
    return { returnData, gasUsed, status, logs: places }
  })
}
