/**
 * Ethereum chains with any accounts and slots: tries are built here, with neither the prover nor
 * the code under test.
 */

import { defineChain } from '../../src/client/chains.js'
import { fromHex, type Hex, integerBytes, toHex, toQuantity } from '../../src/encoding/hex.js'
import { encodeRlp, type RlpValue } from '../../src/encoding/rlp.js'
import type { Fork } from '../../src/evm/forks.js'
import { loadHash } from '../../src/wasm/module.js'
import { header, type TestChain } from './chain.js'
import type { Methods } from './rpc.js'
import '../../src/entry/node.js'

const { keccak256 } = await loadHash()

/** An account; what is left out is empty. */
interface TestAccount {
  readonly balance?: bigint
  readonly nonce?: bigint
  readonly codeHash?: Hex
  /** Its hash is the account's then, unless that has another. */
  readonly code?: Hex
  /** By slot, 32 bytes in hex. */
  readonly slots?: Readonly<Record<string, bigint>>
}

/** By address in lower case. */
export type TestState = Readonly<Record<string, TestAccount>>

const NONE = new Uint8Array(0)
const EMPTY_ROOT = keccak256(Uint8Array.of(0x80))
const EMPTY_CODE = toHex(keccak256(NONE))

const hashOf = ({ code }: TestAccount): Hex =>
  code === undefined ? EMPTY_CODE : toHex(keccak256(bytes(code)))

interface Leaf {
  /** Digits of the hashed key. */
  readonly path: string
  readonly value: Uint8Array
}

/** A secure trie: its root, and the nodes on the way to a key. */
interface Trie {
  readonly root: Uint8Array
  readonly prove: (key: Uint8Array) => Hex[]
}

function trieOf(entries: readonly (readonly [key: Uint8Array, value: Uint8Array])[]): Trie {
  const leaves = entries.map(([key, value]) => ({ path: toHex(keccak256(key)).slice(2), value }))
  const root = leaves.length === 0 ? EMPTY_ROOT : keccak256(encodeRlp(node(leaves, 0)))
  const prove = (key: Uint8Array): Hex[] => nodesTo(leaves, toHex(keccak256(key)).slice(2), 0)
  return { root, prove: (key) => (leaves.length === 0 ? [] : prove(key)) }
}

/** Root of a trie whose keys are the indices of the values. */
export function listRoot(values: readonly Uint8Array[]): Uint8Array {
  const leaves = values.map((value, i) => {
    const key = encodeRlp(integerBytes(BigInt(i)))
    return { path: toHex(key).slice(2), value }
  })
  return leaves.length === 0 ? EMPTY_ROOT : keccak256(encodeRlp(node(leaves, 0)))
}

function node(leaves: readonly Leaf[], depth: number): RlpValue {
  const [first] = leaves
  if (first !== undefined && leaves.length === 1)
    return [packed(first.path.slice(depth), true), first.value]
  const shared = sharedAt(leaves, depth)
  if (shared > depth) {
    return [packed(first?.path.slice(depth, shared) ?? '', false), reference(leaves, shared)]
  }
  const children = [...'0123456789abcdef'].map((digit) => {
    const below = leaves.filter(({ path }) => path[depth] === digit)
    return below.length === 0 ? NONE : reference(below, depth + 1)
  })
  return [...children, NONE]
}

function reference(leaves: readonly Leaf[], depth: number): RlpValue {
  const child = node(leaves, depth)
  const rlp = encodeRlp(child)
  return rlp.length < 32 ? child : keccak256(rlp)
}

function sharedAt(leaves: readonly Leaf[], depth: number): number {
  let shared = depth
  while (leaves.every(({ path }) => path[shared] === leaves[0]?.path[shared])) shared++
  return shared
}

function nodesTo(leaves: readonly Leaf[], path: string, depth: number): Hex[] {
  const rlp = toHex(encodeRlp(node(leaves, depth)))
  const isHashed = depth === 0 || rlp.length >= 2 + 64
  const own = isHashed ? [rlp] : []
  if (leaves.length === 1) return own
  const shared = sharedAt(leaves, depth)
  if (shared > depth) {
    const isBelow = leaves[0]?.path.slice(0, shared) === path.slice(0, shared)
    return isBelow ? [...own, ...nodesTo(leaves, path, shared)] : own
  }
  const below = leaves.filter((leaf) => leaf.path[depth] === path[depth])
  return below.length === 0 ? own : [...own, ...nodesTo(below, path, depth + 1)]
}

function packed(digits: string, isLeaf: boolean): Uint8Array {
  const flag = (isLeaf ? 2 : 0) + (digits.length % 2)
  return bytes(`0x${flag}${digits.length % 2 === 0 ? '0' : ''}${digits}`)
}

function bytes(hex: string): Uint8Array {
  const found = fromHex(hex)
  if (found === undefined) throw new RangeError(`no hex: ${hex}`)
  return found
}

function storageOf({ slots = {} }: TestAccount): Trie {
  const filled = Object.entries(slots).filter(([, value]) => value !== 0n)
  return trieOf(filled.map(([slot, value]) => [bytes(slot), encodeRlp(integerBytes(value))]))
}

function accountsOf(state: TestState): Trie {
  return trieOf(
    Object.entries(state).map(([address, account]) => {
      const { balance = 0n, nonce = 0n, codeHash = hashOf(account) } = account
      const fields = [integerBytes(nonce), integerBytes(balance), storageOf(account).root]
      return [bytes(address), encodeRlp([...fields, bytes(codeHash)])]
    }),
  )
}

/** eth_getProof of a state. */
function proofOf(state: TestState, address: string, slots: readonly string[]) {
  const account = state[address.toLowerCase()]
  const { balance = 0n, nonce = 0n, codeHash = hashOf(account ?? {}) } = account ?? {}
  const storage = storageOf(account ?? {})
  return {
    address,
    accountProof: accountsOf(state).prove(bytes(address)),
    balance: toQuantity(balance),
    codeHash,
    nonce: toQuantity(nonce),
    storageHash: toHex(storage.root),
    storageProof: slots.map((key) => ({
      key,
      value: toQuantity(account?.slots?.[key] ?? 0n),
      proof: storage.prove(bytes(key)),
    })),
  }
}

/** A state; or what makes it of the hashes of the blocks before. */
export type StateOf = TestState | ((before: readonly Hex[]) => TestState)

/** A chain with these states, one a block, and the methods of an honest node. */
export function stateChain(
  states: readonly StateOf[],
  forks?: readonly Fork[],
): { chain: TestChain; methods: Methods } {
  let parent: Uint8Array = new Uint8Array(32)
  const hashes: Hex[] = []
  const blocks = states.map((made, i) => {
    const number = BigInt(i)
    const state = typeof made === 'function' ? made(hashes) : made
    const { root } = accountsOf(state)
    const { rlp, json } = header('ethereum', parent, number, root)
    parent = keccak256(rlp)
    const hash = toHex(parent)
    hashes.push(hash)
    const body = { hash, transactions: [], uncles: [], size: '0x1' }
    const rest = {
      balance: 0n,
      slotValue: 0n,
      leaf: '0x',
      storageLeaf: '0x',
      storageRoot: '0x',
    } as const
    return { number, hash, rlp, json: { ...json, ...body }, stateRoot: toHex(root), ...rest, state }
  })
  type Block = (typeof blocks)[number]
  const at = (number: number): Block => {
    const block = blocks[number]
    if (block === undefined) throw new RangeError(`no block ${number}`)
    return block
  }
  const genesisHash = at(0).hash
  const named = { name: 'test', kind: 'ethereum', chainId: 1337 } as const
  const chain = defineChain({ ...named, genesisHash, ...(forks && { forks }) })
  const find = (id: string | { blockHash: string }): Block | undefined => {
    const wanted = typeof id === 'string' ? id : id.blockHash
    return blocks.find(({ hash, number }) => hash === wanted || toQuantity(number) === wanted)
  }
  const methods: Methods = {
    eth_chainId: () => toQuantity(1337n),
    eth_getBlockByHash: (hash: string) => find(hash)?.json ?? null,
    eth_getBlockByNumber: (number: string) => find(number)?.json ?? null,
    eth_getProof: (address: string, slots: readonly string[], id: string) => {
      const block = find(id)
      return block === undefined ? null : proofOf(block.state, address, slots)
    },
    eth_getCode: (address: string, id: string) =>
      find(id)?.state[address.toLowerCase()]?.code ?? '0x',
  }
  return { chain: { chain, blocks, at, head: at(states.length - 1) }, methods }
}
