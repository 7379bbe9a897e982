/**
 * An `aggregate3` of Multicall3 that asks for native balances among other things, where the caller
 * takes a node's word for calls: the balances are proven all the same, and the node is asked for the
 * rest alone.
 */

import { fromHex, type Hex, toQuantity } from '../encoding/hex.js'
import { isRecord } from '../encoding/input.js'
import type { Ask } from './methods.js'
import { balancesOf } from './nativeBalances.js'
import { passOn } from './pass.js'
import { ProviderRpcError, RPC_CODES } from './rpcError.js'

const WORD = 64
const MAX_CALLS = 256
/** `aggregate3((address target, bool allowFailure, bytes callData)[])`. */
const AGGREGATE3 = '0x82ad56cb'
/** `getEthBalance(address)` and its argument. */
const BALANCE = /^4d2301cc0{24}([0-9a-f]{40})$/

/** One call of many: hex without `0x`. */
interface Inner {
  readonly target: string
  readonly mayFail: boolean
  readonly data: string
}

/** A call that was taken apart. */
interface Mixed {
  /** The contract; its code must be Multicall3's. */
  readonly target: Hex
  /** By their places, of all calls. */
  readonly owners: ReadonlyMap<number, Hex>
  /** Calldata of the others. */
  readonly rest: Hex
  /** The answer to all of it, from that to the others and the balances. */
  readonly join: (answer: unknown, balances: readonly bigint[]) => Hex
}

/**
 * Answers such a call: the balances by proofs, the rest by a node, at the block of the proofs.
 *
 * @returns undefined where it is no such call.
 * @throws ProviderRpcError
 */
export async function answerMixed(ask: Ask): Promise<Hex | undefined> {
  const [call, , ...overrides] = ask.params
  const mixed = takeMixed(call)
  if (mixed === undefined || overrides.some((option) => option != null)) return undefined
  const { balances, number } = await balancesOf(ask, mixed.target, [...mixed.owners.values()])
  const transaction = { to: mixed.target, data: mixed.rest }
  const params = [transaction, toQuantity(number)]
  const answer = await passOn(ask.client, { method: 'eth_call', params }, ask.signal)
  return mixed.join(answer, balances)
}

/** Undefined where it is no such call, or where something would change what it finds. */
function takeMixed(call: unknown): Mixed | undefined {
  if (!isRecord(call)) return undefined
  // A price or a value would be taken from a balance first.
  const { to, data, input = data, from: _, ...others } = call
  if (Object.values(others).some((value) => value != null)) return undefined
  const text = String(data ?? input).toLowerCase()
  const target = String(to).toLowerCase()
  if (String(input).toLowerCase() !== text || !text.startsWith(AGGREGATE3)) return undefined
  const inner = fromHex(text) && readCalls(text.slice(AGGREGATE3.length))
  if (inner === undefined || !/^0x[0-9a-f]{40}$/.test(target)) return undefined
  const owners = new Map<number, Hex>()
  for (const [i, { target: called, data: asked }] of inner.entries()) {
    const owner = `0x${called}` === target && BALANCE.exec(asked)?.[1]
    if (owner) owners.set(i, `0x${owner}`)
  }
  const left = inner.filter((_, i) => !owners.has(i))
  const rest = `${AGGREGATE3}${writeList(left.map(writeCall))}` as Hex
  // A balance that is asked for in another way would be the node's word.
  const isRest = left.some(({ data: asked }) => /4d2301cc0{24}/.test(asked))
  if (owners.size === 0 || left.length === 0 || isRest) return undefined
  return {
    target: target as Hex,
    owners,
    rest,
    join: (answer, balances) => {
      const results = readResults(answer, left.length)
      const proven = balances.map((balance) => ({ succeeded: true, data: word(balance) }))
      const merged = inner.map((_, i) => (owners.has(i) ? proven.shift() : results.shift()))
      return `0x${writeList(merged.map((result) => (result === undefined ? '' : writeResult(result))))}`
    },
  }
}

/** Reads ABI data; every place is looked at before it is read. */
class Abi {
  readonly #hex: string

  constructor(hex: string) {
    this.#hex = hex
  }

  /** @throws RangeError */
  hex(at: number, bytes: number): string {
    const part = this.#hex.slice(2 * at, 2 * (at + bytes))
    if (part.length !== 2 * bytes) throw new RangeError('beyond the end')
    return part
  }

  /** @throws RangeError for what is no place in the data. */
  place(at: number): number {
    const value = BigInt(`0x${this.hex(at, 32)}`)
    if (value > BigInt(this.#hex.length)) throw new RangeError('beyond the end')
    return Number(value)
  }

  /** @throws RangeError for neither 0 nor 1. */
  flag(at: number): boolean {
    const value = this.place(at)
    if (value > 1) throw new RangeError('no flag')
    return value === 1
  }

  /** Places of a list's items. */
  items(): number[] {
    const start = this.place(0) + 32
    const count = this.place(start - 32)
    if (count > MAX_CALLS) throw new RangeError('too many')
    return Array.from({ length: count }, (_, i) => start + this.place(start + 32 * i))
  }

  /** Bytes whose place, from `start` on, stands at `at`. */
  bytes(start: number, at: number): string {
    const place = start + this.place(at)
    return this.hex(place + 32, this.place(place))
  }
}

function readCalls(hex: string): Inner[] | undefined {
  const abi = new Abi(hex)
  try {
    return abi.items().map((at) => {
      if (!/^0{24}$/.test(abi.hex(at, 12))) throw new RangeError('no address')
      const target = abi.hex(at + 12, 20)
      return { target, mayFail: abi.flag(at + 32), data: abi.bytes(at, at + 64) }
    })
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return undefined
  }
}

interface Outcome {
  readonly succeeded: boolean
  readonly data: string
}

/** @throws ProviderRpcError for anything but as many results. */
function readResults(answer: unknown, count: number): Outcome[] {
  try {
    if (typeof answer !== 'string' || fromHex(answer) === undefined) throw new RangeError('no hex')
    const abi = new Abi(answer.slice(2).toLowerCase())
    const results = abi.items().map((at) => {
      return { succeeded: abi.flag(at), data: abi.bytes(at, at + 32) }
    })
    if (results.length === count) return results
    throw new RangeError('another count')
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    const problem = 'the node answered an aggregate3 with something else than its results'
    throw new ProviderRpcError(RPC_CODES.node, problem)
  }
}

function word(value: bigint): string {
  return value.toString(16).padStart(WORD, '0')
}

function writeBytes(hex: string): string {
  const padded = Math.ceil(hex.length / WORD) * WORD
  return word(BigInt(hex.length / 2)) + hex.padEnd(padded, '0')
}

function writeCall({ target, mayFail, data }: Inner): string {
  return target.padStart(WORD, '0') + word(mayFail ? 1n : 0n) + word(96n) + writeBytes(data)
}

function writeResult({ succeeded, data }: Outcome): string {
  return word(succeeded ? 1n : 0n) + word(64n) + writeBytes(data)
}

function writeList(items: readonly string[]): string {
  let place = items.length * 32
  const places = items.map((item) => {
    const at = word(BigInt(place))
    place += item.length / 2
    return at
  })
  return [word(32n), word(BigInt(items.length)), ...places, ...items].join('')
}
