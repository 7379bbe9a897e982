/** System mpt: Ethereum accounts and their slots, by `eth_getProof`. */

import { bytesOf, type Hex, integerBytes, toHex } from '../encoding/hex.js'
import {
  type Address,
  type Hash,
  parseAddress,
  parseSlot,
  type SlotLike,
  unexpected,
} from '../encoding/input.js'
import { encodeRlp } from '../encoding/rlp.js'
import { InputError } from '../result/errors.js'
import type { Cache } from '../store/cache.js'
import type { RpcCall } from '../transport/call.js'
import { openCache } from './mpt/cache/cache.js'
import type { ProofRequest } from './mpt/question.js'
import { proofCalls, requestProof } from './mpt/request.js'
import type { Ask, Keeping, ProofSystem, ProvedPart, Question } from './system.js'

/** The core's fact about an account, as JSON. */
export interface FactJson {
  readonly account:
    | {
        readonly status: 'present'
        readonly nonce: Hex
        readonly balance: Hex
        readonly storageHash: Hash
        readonly codeHash: Hash
      }
    | { readonly status: 'absent' }
  readonly slots: readonly (
    | { readonly key: Hex; readonly status: 'present'; readonly value: Hex }
    | { readonly key: Hex; readonly status: 'absent' }
  )[]
  readonly code?: Hex
}

/** An account as its trie leaf holds it. */
export interface Account {
  readonly nonce: bigint
  /** In wei. */
  readonly balance: bigint
  /** Root of its storage trie. */
  readonly storageHash: Hash
  /** keccak-256 of its code. */
  readonly codeHash: Hash
}

/** A storage slot, proven present or absent; an absent one reads 0. */
export interface ProvenSlot {
  /** 32 bytes. */
  readonly slot: Hex
  readonly status: 'present' | 'absent'
  readonly value: bigint
}

/** Everything that one proof file proves. */
export interface ProvenAccount {
  readonly address: Hex
  /** null: the account is proven absent. */
  readonly account: Account | null
  readonly slots: readonly ProvenSlot[]
  /** The code, `0x` for an account without code; undefined if the file does not ask for it. */
  readonly code: Hex | undefined
}

/** What can be asked about an account. */
export interface AccountQuestion {
  /** `0x` and 40 hex digits. In mixed case its EIP-55 checksum must be right. */
  readonly address: string
  /** Storage slots, each once, at most 1,024. Default none. */
  readonly slots?: readonly SlotLike[]
  /** Whether to include the code. Default false. */
  readonly code?: boolean
}

/** The types of {@link mpt}. */
export interface MptTypes {
  readonly name: 'mpt'
  readonly format: 'mpt/1'
  readonly fact: FactJson
  readonly question: AccountQuestion
  readonly finding: { readonly status: 'present' | 'absent'; readonly value: ProvenAccount }
}

/** Ethereum accounts and storage slots. */
export const mpt: ProofSystem<MptTypes> = {
  name: 'mpt',
  module: 'mpt',
  verifier: 'MptVerifier',
  formats: ['mpt/1'],
  devnet: { format: 'mpt/1' },
  variants: ['plain'],
  asks: ['address', 'slots', 'code'],
  parse({ address, slots, code = false }, hash) {
    if (typeof code !== 'boolean') {
      throw unexpected('input.option', 'code', 'true or false', code)
    }
    return askAccount(parseAddress(address, 'address', hash), parseSlots(slots), code)
  },
  read(fact, query) {
    const value = provenAccount(addressIn(query), fact)
    const finding = { status: value.account === null ? 'absent' : 'present', value } as const
    return { finding, proved: provedParts(value) }
  },
}

const MAX_SLOTS = 1024

function parseSlots(value: unknown = []): Hex[] {
  if (!Array.isArray(value) || value.length > MAX_SLOTS) {
    throw new InputError('input.slot', 'slots', `expected a list of at most ${MAX_SLOTS} slots`)
  }
  const slots = value.map((slot: unknown, i) => parseSlot(slot, `slots[${i}]`))
  const twice = slots.findIndex((slot, i) => slots.indexOf(slot) !== i)
  if (twice < 0) return slots
  throw new InputError('input.slot', `slots[${twice}]`, 'asked for twice')
}

/** The question about an account, which plain Ethereum nodes answer. */
export function askAccount(
  address: Address,
  slots: readonly Hex[],
  wantCode: boolean,
): (() => Question) & Ask {
  const account = { address, slots, wantCode }
  const question = (): Question => ({
    query: encodeQuery(address, slots, wantCode),
    kept: keeping(account),
    request: async (desk, header) => {
      const kept = await openCache(desk.cache)
      const part = kept?.narrow(account)
      const whole = part && kept?.widen(account, await requestProof(desk, part, header))
      return { variant: 'plain', proof: whole ?? (await requestProof(desk, account, header)) }
    },
  })
  question.ahead = async (cache: Cache | undefined, blockHash: Hash): Promise<RpcCall[]> => {
    // Nothing is narrowed before something was kept: a cache that opens is not waited for.
    const isFirst = cache?.opened === undefined
    const opening = openCache(cache)
    const kept = isFirst ? undefined : await opening
    const calls = proofCalls(kept?.narrow(account) ?? account, { blockHash })
    return calls.map((call) => ({ ...call, apart: true }))
  }
  return question
}

/** Trie nodes and code are kept, of all accounts together. */
function keeping(account: ProofRequest): Keeping {
  return {
    recall: async (cache, root) => (await openCache(cache))?.recall(root, account),
    keep: async (cache, proof) => (await openCache(cache))?.keep(proof),
    forget: async (cache) => (await openCache(cache))?.forget(),
  }
}

/** The query's RLP: `[address, [slot…], wantCode]`. */
export function encodeQuery(address: Hex, slots: readonly Hex[], wantCode: boolean): Uint8Array {
  const flag = integerBytes(wantCode ? 1n : 0n)
  return encodeRlp([bytesOf(address), slots.map(bytesOf), flag])
}

/**
 * The first item of the query's list: one prefix byte, or one and a length, then 0x94 and the
 * address.
 */
function addressIn(query: Uint8Array): Hex {
  const prefix = query[0] ?? 0
  const start = prefix > 0xf7 ? prefix - 0xf7 + 2 : 2
  return toHex(query.subarray(start, start + 20))
}

/** The account of a fact; undefined if it is proven absent. */
export function accountOf({ account }: FactJson): Account | undefined {
  if (account.status === 'absent') return undefined
  const { nonce, balance, storageHash, codeHash } = account
  return { nonce: BigInt(nonce), balance: BigInt(balance), storageHash, codeHash }
}

/** The slots of a fact, in the order of the query. */
export function slotsOf({ slots }: FactJson): ProvenSlot[] {
  return slots.map((slot) => ({
    slot: slot.key,
    status: slot.status,
    value: slot.status === 'present' ? BigInt(slot.value) : 0n,
  }))
}

function provenAccount(address: Hex, fact: FactJson): ProvenAccount {
  return { address, account: accountOf(fact) ?? null, slots: slotsOf(fact), code: fact.code }
}

function provedParts({ slots, code }: ProvenAccount): ProvedPart[] {
  return [
    'account',
    ...(slots.length > 0 ? (['storage'] as const) : []),
    ...(code === undefined ? [] : (['code'] as const)),
  ]
}
