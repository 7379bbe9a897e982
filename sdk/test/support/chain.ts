/**
 * A small chain made by hand: one account with one slot per block, so every trie is a single leaf.
 * It is independent of the Rust prover, and of the code under test but for the RLP encoder, which
 * has vectors of its own.
 */

import { type Chain, defineChain, devnet } from '../../src/client/chains.js'
import { fromHex, type Hex, integerBytes, toHex, toQuantity } from '../../src/encoding/hex.js'
import { encodeRlp, name } from '../../src/encoding/rlp.js'
import { loadHash } from '../../src/wasm/module.js'
import type { Methods } from './rpc.js'
import '../../src/entry/node.js'

const { keccak256 } = await loadHash()

export const OWNER = '0x00000000000000000000000000000000000000aa'
export const NOBODY = '0x00000000000000000000000000000000000000bb'
export const SLOT = toHex(new Uint8Array(32).fill(7))
export const CODE: Hex = '0x6001600155'
const EMPTY_HASH = '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'
const EMPTY_ROOT: Hex = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'
const ZERO = new Uint8Array(32)
const TIME = 1_700_000_000n

export interface TestBlock {
  readonly number: bigint
  readonly hash: Hex
  readonly rlp: Uint8Array
  readonly balance: bigint
  readonly slotValue: bigint
  readonly stateRoot: Hex
  /** JSON of eth_getBlockBy*, for chains of kind ethereum. */
  readonly json: Readonly<Record<string, unknown>>
  readonly storageRoot: Hex
  readonly leaf: Hex
  readonly storageLeaf: Hex
}

export interface TestChain {
  readonly chain: Chain
  readonly blocks: readonly TestBlock[]
  readonly at: (number: number) => TestBlock
  readonly head: TestBlock
}

function bytes(hex: Hex): Uint8Array {
  return fromHex(hex) ?? new Uint8Array(0)
}

function leafOf(key: Uint8Array, value: Uint8Array): Uint8Array {
  return encodeRlp([Uint8Array.of(0x20, ...keccak256(key)), value])
}

export function header(
  kind: Chain['kind'],
  parent: Uint8Array,
  number: bigint,
  root: Uint8Array,
  transactionsRoot = EMPTY_ROOT,
) {
  const time = integerBytes(TIME + number * 12n)
  if (kind === 'devnet') {
    const id = Uint8Array.of(0x4c, 0x50)
    const version = Uint8Array.of(1)
    const commitments = [[name('mpt'), root]]
    const rlp = encodeRlp([version, id, parent, integerBytes(number), time, commitments, ZERO])
    return { rlp, json: {} }
  }
  const json = {
    parentHash: toHex(parent),
    sha3Uncles: toHex(ZERO),
    miner: NOBODY,
    stateRoot: toHex(root),
    transactionsRoot,
    receiptsRoot: EMPTY_ROOT,
    logsBloom: toHex(new Uint8Array(256)),
    difficulty: '0x0',
    number: toQuantity(number),
    gasLimit: '0x1c9c380',
    gasUsed: '0x0',
    timestamp: toQuantity(TIME + number * 12n),
    extraData: '0x',
    mixHash: toHex(ZERO),
    nonce: '0x0000000000000000',
    baseFeePerGas: '0x7',
  }
  const [body, receipts] = [bytes(transactionsRoot), bytes(EMPTY_ROOT)]
  const hashes = [parent, ZERO, bytes(NOBODY), root, body, receipts]
  const none = new Uint8Array(0)
  const numbers = [none, integerBytes(number), bytes('0x01c9c380'), none, time, none]
  const tail = [ZERO, new Uint8Array(8), Uint8Array.of(7)]
  return { rlp: encodeRlp([...hashes, new Uint8Array(256), ...numbers, ...tail]), json }
}

/**
 * A chain of `length` blocks: in block n the account holds 1000 + n wei, and its slot n + 1 unless
 * told otherwise.
 */
export function makeChain(
  length: number,
  kind: Chain['kind'] = 'devnet',
  slotAt: (n: bigint) => bigint = (n) => n + 1n,
  transactionsRoot: Hex = EMPTY_ROOT,
): TestChain {
  const blocks: TestBlock[] = []
  let parent: Uint8Array = ZERO
  for (let n = 0n; n < length; n++) {
    const slotValue = slotAt(n)
    const balance = 1000n + n
    const storageLeaf = leafOf(bytes(SLOT), encodeRlp(integerBytes(slotValue)))
    const storageRoot = keccak256(storageLeaf)
    const codeHash = keccak256(bytes(CODE))
    const account = encodeRlp([integerBytes(1n), integerBytes(balance), storageRoot, codeHash])
    const leaf = leafOf(bytes(OWNER), account)
    const { rlp, json } = header(kind, parent, n, keccak256(leaf), transactionsRoot)
    parent = keccak256(rlp)
    const hash = toHex(parent)
    blocks.push({
      number: n,
      hash,
      rlp,
      balance,
      slotValue,
      stateRoot: toHex(keccak256(leaf)),
      json: kind === 'ethereum' ? { ...json, hash, transactions: [], uncles: [], size: '0x1' } : {},
      storageRoot: toHex(storageRoot),
      leaf: toHex(leaf),
      storageLeaf: toHex(storageLeaf),
    })
  }
  const at = (number: number): TestBlock => {
    const block = blocks[number]
    if (block === undefined) throw new RangeError(`no block ${number}`)
    return block
  }
  const genesisHash = at(0).hash
  const chain =
    kind === 'devnet'
      ? devnet(genesisHash)
      : defineChain({ name: 'test', kind, chainId: 1337, genesisHash })
  return { chain, blocks, at, head: at(length - 1) }
}

/** The honest eth_getProof answer of a block. */
export function proofJson(block: TestBlock, address: string, slots: readonly string[]) {
  const owner = address.toLowerCase() === OWNER
  return {
    address,
    accountProof: [block.leaf],
    balance: owner ? toQuantity(block.balance) : '0x0',
    codeHash: owner ? toHex(keccak256(bytes(CODE))) : EMPTY_HASH,
    nonce: owner ? '0x1' : '0x0',
    storageHash: owner ? block.storageRoot : EMPTY_ROOT,
    storageProof: slots.map((key) => ({
      key,
      value: owner && key === SLOT ? toQuantity(block.slotValue) : '0x0',
      proof: owner ? [block.storageLeaf] : [],
    })),
  }
}

/** An honest node's methods; override some to make it lie. */
export function honest({ chain, blocks, head }: TestChain, overrides: Methods = {}): Methods {
  const find = (id: string | { blockHash: string }): TestBlock | undefined => {
    const wanted = typeof id === 'string' ? id : id.blockHash
    return blocks.find(({ hash, number }) => hash === wanted || toQuantity(number) === wanted)
  }
  const devnetMethods: Methods = {
    lp_status: () => ({
      chainId: toQuantity(BigInt(chain.chainId)),
      genesisHash: chain.genesisHash,
      head: { number: toQuantity(head.number), hash: head.hash },
      limits: { headers: 4 },
    }),
    lp_getHeader: (hash: string) => {
      const block = find(hash)
      return block === undefined ? null : toHex(block.rlp)
    },
    lp_getHeaders: (from: string, count: string) =>
      blocks.slice(Number(from), Number(from) + Number(count)).map(({ rlp }) => toHex(rlp)),
  }
  const ethereumMethods: Methods = {
    eth_getBlockByHash: (hash: string) => find(hash)?.json ?? null,
    eth_getBlockByNumber: (number: string) =>
      (number === 'latest' ? head : find(number))?.json ?? null,
  }
  return {
    eth_chainId: () => toQuantity(BigInt(chain.chainId)),
    eth_getProof: (address: string, slots: readonly string[], id: { blockHash: string }) => {
      const block = find(id)
      return block === undefined ? null : proofJson(block, address, slots)
    },
    eth_getCode: (address: string) => (address === OWNER ? CODE : '0x'),
    ...(chain.kind === 'devnet' ? devnetMethods : ethereumMethods),
    ...overrides,
  }
}
