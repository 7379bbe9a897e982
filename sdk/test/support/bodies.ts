/**
 * Ethereum blocks with transactions, receipts and withdrawals. Envelopes and tries are built here,
 * not by the code under test.
 */

import type { Transaction as SignedByEthers } from 'ethers'
import { defineChain } from '../../src/client/chains.js'
import { fromHex, type Hex, integerBytes, toHex, toQuantity } from '../../src/encoding/hex.js'
import { encodeRlp, name, type RlpValue } from '../../src/encoding/rlp.js'
import { loadHash } from '../../src/wasm/module.js'
import type { TestBlock, TestChain } from './chain.js'
import type { Methods } from './rpc.js'
import { listRoot } from './state.js'

const { keccak256 } = await loadHash()

export const TOKEN = '0x00000000000000000000000000000000000000cc'
export const OTHER = '0x00000000000000000000000000000000000000dd'
export const TRANSFER = toHex(keccak256(name('Transfer(address,address,uint256)')))
export const topic = (byte: number): Hex => toHex(new Uint8Array(32).fill(byte))

type Json = Readonly<Record<string, unknown>>

/** A transaction, its receipt, and both as bytes. */
export interface Item {
  readonly transaction: Json
  readonly receipt: Json
  readonly envelope: Uint8Array
  readonly receiptBytes: Uint8Array
}

const hex = (text: string): Uint8Array => fromHex(text) ?? new Uint8Array(0)
const uint = (value: bigint): Uint8Array => integerBytes(value)

function typed(type: number, fields: RlpValue): Uint8Array {
  const list = encodeRlp(fields)
  return type === 0 ? list : Uint8Array.of(type, ...list)
}

/** Sets the three bits of an entry. */
function setBits(bloom: Uint8Array, entry: Uint8Array): void {
  const hash = keccak256(entry)
  for (const i of [0, 2, 4]) {
    const bit = (((hash[i] ?? 0) << 8) | (hash[i + 1] ?? 0)) & 2047
    const at = 255 - (bit >> 3)
    bloom[at] = (bloom[at] ?? 0) | (1 << (bit & 7))
  }
}

interface TestLog {
  readonly address: Hex
  readonly topics: readonly Hex[]
  readonly data: Hex
}

const SIGNATURE = { v: 1n, r: 5n, s: 6n }

/** Fields of a transaction of a type, in the order in which they are signed, with their names. */
function fieldsOf(
  type: number,
  nonce: bigint,
  to: Hex | null,
): [string, bigint | Hex | RlpValue][] {
  const fees: [string, bigint][] =
    type < 2
      ? [['gasPrice', 30n]]
      : [
          ['maxPriorityFeePerGas', 2n],
          ['maxFeePerGas', 40n],
        ]
  return [
    ...(type > 0 ? ([['chainId', 1337n]] as [string, bigint][]) : []),
    ['nonce', nonce],
    ...fees,
    ['gas', 21_000n],
    ['to', to ?? '0x'],
    ['value', nonce * 1000n],
    ['input', '0x0102'],
  ]
}

/** A transaction of a type with its receipt. */
export function item(
  type: number,
  nonce: bigint,
  cumulativeGas: bigint,
  logs: readonly TestLog[],
  to: Hex | null = TOKEN,
): Item {
  const fields = fieldsOf(type, nonce, to)
  const rlp: RlpValue[] = fields.map(([, value]) =>
    typeof value === 'bigint' ? uint(value) : hex(value as Hex),
  )
  const json: Record<string, unknown> = Object.fromEntries(
    fields.map(([key, value]) => [key, typeof value === 'bigint' ? toQuantity(value) : value]),
  )
  json['to'] = to
  if (type > 0) {
    rlp.push([[hex(TOKEN), [hex(topic(1))]]])
    json['accessList'] = [{ address: TOKEN, storageKeys: [topic(1)] }]
  }
  if (type === 3) {
    rlp.push(uint(9n), [hex(topic(3))])
    json['maxFeePerBlobGas'] = '0x9'
    json['blobVersionedHashes'] = [topic(3)]
  }
  if (type === 4) {
    rlp.push([[uint(0n), hex(OTHER), uint(7n), uint(1n), uint(8n), uint(9n)]])
    const signed = { yParity: '0x1', r: '0x8', s: '0x9' }
    json['authorizationList'] = [{ chainId: '0x0', address: OTHER, nonce: '0x7', ...signed }]
  }
  const v = type === 0 ? 2709n : SIGNATURE.v
  rlp.push(uint(v), uint(SIGNATURE.r), uint(SIGNATURE.s))
  const envelope = typed(type, rlp)
  const bloom = new Uint8Array(256)
  for (const { address, topics } of logs) {
    for (const entry of [address, ...topics]) setBits(bloom, hex(entry))
  }
  const logsRlp = logs.map((log) => [hex(log.address), log.topics.map(hex), hex(log.data)])
  const receiptBytes = typed(type, [uint(1n), uint(cumulativeGas), bloom, logsRlp])
  return {
    transaction: {
      ...json,
      type: toQuantity(BigInt(type)),
      hash: toHex(keccak256(envelope)),
      v: toQuantity(v),
      ...(type > 0 && { yParity: toQuantity(v) }),
      r: toQuantity(SIGNATURE.r),
      s: toQuantity(SIGNATURE.s),
    },
    receipt: {
      type: toQuantity(BigInt(type)),
      status: '0x1',
      cumulativeGasUsed: toQuantity(cumulativeGas),
      logsBloom: toHex(bloom),
      logs,
    },
    envelope,
    receiptBytes,
  }
}

/** A transaction that was signed elsewhere, of type 0 or 2, with a receipt without logs. */
export function signedItem(signed: SignedByEthers, cumulativeGas: bigint): Item {
  const { type = 0, signature, to, hash } = signed
  if (signature === null) throw new TypeError('it is not signed')
  const { receipt, receiptBytes } = item(type ?? 0, 0n, cumulativeGas, [], null)
  const typed = {
    chainId: toQuantity(signed.chainId),
    maxPriorityFeePerGas: toQuantity(signed.maxPriorityFeePerGas ?? 0n),
    maxFeePerGas: toQuantity(signed.maxFeePerGas ?? 0n),
    accessList: [],
    yParity: toQuantity(BigInt(signature.yParity)),
    v: toQuantity(BigInt(signature.yParity)),
  }
  const legacy = {
    gasPrice: toQuantity(signed.gasPrice ?? 0n),
    // EIP-155.
    v: toQuantity(35n + 2n * signed.chainId + BigInt(signature.yParity)),
  }
  const transaction = {
    type: toQuantity(BigInt(type ?? 0)),
    hash,
    nonce: toQuantity(BigInt(signed.nonce)),
    gas: toQuantity(signed.gasLimit),
    to: to?.toLowerCase() ?? null,
    value: toQuantity(signed.value),
    input: signed.data,
    ...(type === 0 ? legacy : typed),
    r: toQuantity(BigInt(signature.r)),
    s: toQuantity(BigInt(signature.s)),
  }
  return { transaction, receipt, envelope: hex(signed.serialized), receiptBytes }
}

/** A withdrawal and its bytes. */
function withdrawal(index: bigint): { readonly json: Json; readonly bytes: Uint8Array } {
  return {
    json: {
      index: toQuantity(index),
      validatorIndex: '0x63',
      address: OTHER,
      amount: '0xf4240',
    },
    bytes: encodeRlp([uint(index), uint(99n), hex(OTHER), uint(1_000_000n)]),
  }
}

/** Blocks with these items, each with one withdrawal, and the methods of an honest node. */
export function bodyChain(bodies: readonly (readonly Item[])[]): {
  readonly chain: TestChain
  readonly methods: Methods
} {
  let parent: Uint8Array = new Uint8Array(32)
  const blocks = bodies.map((items, i) => {
    const bloom = new Uint8Array(256)
    for (const { receipt } of items) {
      hex(receipt['logsBloom'] as Hex).forEach((byte, at) => {
        bloom[at] = (bloom[at] ?? 0) | byte
      })
    }
    const paid = withdrawal(BigInt(i))
    const number = BigInt(i)
    const fields: [string, Uint8Array][] = [
      ['parentHash', parent],
      ['sha3Uncles', new Uint8Array(32)],
      ['miner', hex(OTHER)],
      ['stateRoot', new Uint8Array(32).fill(1)],
      ['transactionsRoot', listRoot(items.map(({ envelope }) => envelope))],
      ['receiptsRoot', listRoot(items.map(({ receiptBytes }) => receiptBytes))],
      ['logsBloom', bloom],
      ['difficulty', uint(0n)],
      ['number', uint(number)],
      ['gasLimit', uint(30_000_000n)],
      ['gasUsed', uint(0n)],
      ['timestamp', uint(1_700_000_000n + 12n * number)],
      ['extraData', hex('0x')],
      ['mixHash', new Uint8Array(32)],
      ['nonce', new Uint8Array(8)],
      ['baseFeePerGas', uint(7n)],
      ['withdrawalsRoot', listRoot([paid.bytes])],
    ]
    const rlp = encodeRlp(fields.map(([, value]) => value))
    parent = keccak256(rlp)
    const integers = ['difficulty', 'number', 'gasLimit', 'gasUsed', 'timestamp', 'baseFeePerGas']
    const header = Object.fromEntries(
      fields.map(([key, value]) => [
        key,
        integers.includes(key) ? toQuantity(BigInt(`0x0${toHex(value).slice(2)}`)) : toHex(value),
      ]),
    )
    const hash = toHex(parent)
    const json = { ...header, hash, uncles: [], size: '0x1', withdrawals: [paid.json] }
    const none = { balance: 0n, slotValue: 0n, leaf: '0x', storageLeaf: '0x' } as const
    const roots = { stateRoot: topic(1), storageRoot: '0x' } as const
    return { number, hash, rlp, json, items, ...none, ...roots }
  })
  type Block = TestBlock & { readonly items: readonly Item[] }
  const at = (number: number): Block => {
    const block = blocks[number]
    if (block === undefined) throw new RangeError(`no block ${number}`)
    return block
  }
  const find = (id: string): Block | undefined =>
    blocks.find(({ hash, number }) => hash === id || toQuantity(number) === id)
  const answer = (id: string, full: boolean): unknown => {
    const block = find(id)
    if (block === undefined) return null
    const all = block.items.map(({ transaction }) => (full ? transaction : transaction['hash']))
    return { ...block.json, transactions: all }
  }
  const chain = defineChain({
    name: 'test',
    kind: 'ethereum',
    chainId: 1337,
    genesisHash: at(0).hash,
  })
  const methods: Methods = {
    eth_chainId: () => toQuantity(1337n),
    eth_getBlockByHash: answer,
    eth_getBlockByNumber: answer,
    eth_getBlockReceipts: (id: string) => find(id)?.items.map(({ receipt }) => receipt) ?? null,
  }
  return { chain: { chain, blocks, at, head: at(bodies.length - 1) }, methods }
}
