/**
 * A transaction that is in no trusted block yet, as a provider tells of it: all that it says
 * follows from its hash.
 */

import { Transaction, type TransactionRequest, Wallet } from 'ethers'
import fc from 'fast-check'
import { recoverAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { trustNode } from '../../src/entry/dev.js'
import { createProvider, type RecoverAddress } from '../../src/entry/eip1193.js'
import { decodeSigned } from '../../src/systems/body/decode.js'
import { honest, makeChain, OWNER } from '../support/chain.js'
import { clientOf } from '../support/client.js'
import type { Methods } from '../support/rpc.js'

const chain = makeChain(3, 'ethereum')
const { chainId } = chain.chain
const wallet = new Wallet(`0x${'2e'.repeat(32)}`)
const recover: RecoverAddress = ({ hash, ...signature }) => recoverAddress({ hash, signature })
const word = `0x${'ab'.repeat(32)}` as const

const fees = { maxFeePerGas: 9n, maxPriorityFeePerGas: 1n }
const accessList = [{ address: OWNER, storageKeys: [word] }]
const common = { chainId, nonce: 7, to: OWNER, value: 5n, gasLimit: 60_000n, data: '0x0102' }
const TRANSACTIONS: Record<string, TransactionRequest> = {
  legacy: { ...common, type: 0, gasPrice: 9n },
  'legacy for any chain': { ...common, chainId: 0, type: 0, gasPrice: 9n },
  'EIP-2930': { ...common, type: 1, gasPrice: 9n, accessList },
  'EIP-1559': { ...common, type: 2, ...fees, accessList },
  'EIP-1559 that makes a contract': { ...common, to: null, type: 2, ...fees },
  'EIP-4844': {
    ...common,
    type: 3,
    ...fees,
    maxFeePerBlobGas: 3n,
    blobVersionedHashes: [`0x01${'cd'.repeat(31)}`],
  },
  'EIP-7702': {
    ...common,
    type: 4,
    ...fees,
    authorizationList: [
      {
        chainId,
        address: OWNER,
        nonce: 3n,
        signature: { r: word, s: `0x${'11'.repeat(32)}`, yParity: 1 },
      },
    ],
  },
}

const providerOf = (nodes: readonly Methods[], options: object = { recoverAddress: recover }) => {
  const { client, calls } = clientOf(
    chain,
    nodes.map((node) => honest(chain, node)),
    // Where a block is pinned, nobody waits.
    { anchor: trustNode('http://n1') },
  )
  const provider = createProvider(client, options)
  const ask = (method: string, ...params: unknown[]) => provider.request({ method, params })
  return { ask, calls }
}
const taking: Methods = {
  eth_chainId: () => `0x${chainId.toString(16)}`,
  eth_getTransactionByHash: () => null,
  eth_sendRawTransaction: (raw: string) => Transaction.from(raw).hash,
}
const signed = async (transaction: TransactionRequest) => {
  const raw = await wallet.signTransaction(transaction)
  const { hash } = Transaction.from(raw)
  return { raw, hash: hash ?? '' }
}

/** What ethers reads in the same bytes, as JSON-RPC prints it. */
function printed(raw: string): object {
  const { type, nonce, to, value, gasLimit, data, from, hash } = Transaction.from(raw)
  const hex = (number: bigint | number | null): string => `0x${BigInt(number ?? 0).toString(16)}`
  const place = { blockHash: null, blockNumber: null, transactionIndex: null }
  return {
    type: hex(type),
    nonce: hex(nonce),
    to: to?.toLowerCase() ?? null,
    value: hex(value),
    gas: hex(gasLimit),
    input: data,
    from: from?.toLowerCase(),
    hash,
    ...place,
  }
}

describe.each(Object.entries(TRANSACTIONS))('%s', (_, transaction) => {
  test('behavior: what this client sent, without a request', async () => {
    const { raw, hash } = await signed(transaction)
    const { ask, calls } = providerOf([taking])
    expect(await ask('eth_getTransactionByHash', hash)).toBe(null)
    await ask('eth_sendRawTransaction', raw)
    const answer = (await ask('eth_getTransactionByHash', hash)) as Record<string, unknown>
    expect(answer).toMatchObject(printed(raw))
    const { authorizationList, accessList: slots, blobVersionedHashes } = answer
    if (transaction.accessList)
      expect(slots).toEqual([{ address: OWNER.toLowerCase(), storageKeys: [word] }])
    if (transaction.blobVersionedHashes) {
      expect(blobVersionedHashes).toEqual(transaction.blobVersionedHashes)
    }
    if (transaction.authorizationList) {
      const s = `0x${'11'.repeat(32)}`
      const one = { address: OWNER.toLowerCase(), nonce: '0x3', yParity: '0x1', r: word, s }
      expect(authorizationList).toEqual([{ chainId: `0x${chainId.toString(16)}`, ...one }])
    }
    expect(calls.filter((method) => method === 'eth_getRawTransactionByHash')).toHaveLength(1)
  })

  test('behavior: what a node has the bytes of, beside nodes that lie and fail', async () => {
    const { raw, hash } = await signed(transaction)
    const other = await signed({ ...transaction, nonce: 8 })
    const saying = (answer: unknown): Methods => ({
      ...taking,
      eth_getRawTransactionByHash: () => answer,
    })
    const liars = [other.raw, '0x', '0xzz', 7, null, `${raw}00`, '0x02c0'].map(saying)
    const { ask } = providerOf([...liars, taking, saying(raw)])
    expect(await ask('eth_getTransactionByHash', hash)).toMatchObject(printed(raw))
    const alone = providerOf([...liars, taking])
    expect(await alone.ask('eth_getTransactionByHash', hash)).toBe(null)
  })
})

test('behavior: one whose nonce is used waits no more', async () => {
  const { raw, hash } = await signed({ ...common, nonce: 0, type: 2, ...fees })
  // A stand-in: the account that sent one transaction.
  const { ask } = providerOf([taking], { recoverAddress: () => OWNER })
  await ask('eth_sendRawTransaction', raw)
  expect(await ask('eth_getTransactionByHash', hash)).toBe(null)
  const next = await signed({ ...common, nonce: 1, type: 2, ...fees })
  await ask('eth_sendRawTransaction', next.raw)
  expect(await ask('eth_getTransactionByHash', next.hash)).toMatchObject({ nonce: '0x1' })
})

test('default: without a way to recover senders there is none', async () => {
  const { raw, hash } = await signed({ ...common, type: 2, ...fees })
  const { ask } = providerOf([taking], {})
  await ask('eth_sendRawTransaction', raw)
  expect(await ask('eth_getTransactionByHash', hash)).not.toHaveProperty('from')
})

test('property: no bytes make it throw', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
      await decodeSigned(bytes)
    }),
    { numRuns: 500 },
  )
  const { raw } = await signed(TRANSACTIONS['EIP-7702'] ?? {})
  const whole = new Uint8Array(Buffer.from(raw.slice(2), 'hex'))
  for (let i = 0; i < whole.length; i++) {
    await decodeSigned(whole.subarray(0, i))
    await decodeSigned(whole.map((byte, at) => (at === i ? byte ^ 0x80 : byte)))
  }
})
