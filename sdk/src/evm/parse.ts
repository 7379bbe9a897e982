/** What callers give, parsed. */

import { fromHex, type Hex } from '../encoding/hex.js'
import { isRecord, parseAddress, parseOptions, parseSlot, shown } from '../encoding/input.js'
import { InputError } from '../result/errors.js'
import type { HashModule } from '../wasm/module.js'
import { type Call, LIMITS } from './request.js'
import type { CallProgress, CallRequest } from './types.js'

/** Names of {@link CallRequest}. */
export const CALL_FIELDS = ['to', 'from', 'data', 'value', 'gas', 'gasPrice', 'accessList'] as const

/** EIP-7825's cap. */
const DEFAULT_GAS = 2n ** 24n
const ZERO = `0x${'00'.repeat(20)}`

/** Parameters of a call, unparsed. */
type Given = { readonly [key in keyof CallRequest]?: unknown }

/**
 * A call.
 *
 * @param path - where it stands among the parameters: empty, or with a dot at its end.
 * @throws InputError naming the field.
 */
export function parseCall(given: Given, hash: HashModule, path = ''): Call {
  const { to, from = ZERO, data = '0x', value = 0n, gas = DEFAULT_GAS, gasPrice = 0n } = given
  const input = fromHex(data)
  if (input === undefined) {
    const problem = `expected 0x and hex of whole bytes, got ${shown(data)}`
    throw new InputError('input.option', `${path}data`, problem)
  }
  return {
    from: parseAddress(from, `${path}from`, hash),
    to: to === undefined ? undefined : parseAddress(to, `${path}to`, hash),
    gas: parseAmount(typeof gas === 'number' ? asBigInt(gas) : gas, `${path}gas`, LIMITS.gas),
    gasPrice: parseAmount(gasPrice, `${path}gasPrice`, 2n ** 128n - 1n),
    value: parseAmount(value, `${path}value`, 2n ** 256n - 1n),
    data: input,
    accessList: parseAccessList(given.accessList, `${path}accessList`, hash),
  }
}

/** A call among several. */
export function parseOne(value: unknown, argument: string, hash: HashModule): Call {
  return parseCall(parseOptions(value, argument, CALL_FIELDS), hash, `${argument}.`)
}

function asBigInt(value: number): unknown {
  return Number.isSafeInteger(value) ? BigInt(value) : value
}

function parseAmount(value: unknown, argument: string, most: bigint): bigint {
  if (typeof value === 'bigint' && value >= 0n && value <= most) return value
  const problem = `expected an integer from 0n to ${most}n, got ${shown(value)}`
  throw new InputError('input.option', argument, problem)
}

function parseAccessList(value: unknown, argument: string, hash: HashModule): Call['accessList'] {
  if (value === undefined) return []
  if (!Array.isArray(value)) throw new InputError('input.option', argument, 'expected a list')
  return value.map((entry: unknown, i) => {
    const at = `${argument}[${i}]`
    const { address, storageKeys } = isRecord(entry) ? entry : {}
    if (!Array.isArray(storageKeys)) {
      throw new InputError('input.option', at, 'expected { address, storageKeys: [...] }')
    }
    const keys: Hex[] = storageKeys.map((key: unknown, j) =>
      parseSlot(key, `${at}.storageKeys[${j}]`),
    )
    return { address: parseAddress(address, `${at}.address`, hash), keys }
  })
}

/** A listener, if one was given. */
export function parseProgress(value: unknown): ((progress: CallProgress) => void) | undefined {
  // Sound: what a function takes cannot be looked at.
  if (value === undefined || typeof value === 'function') return value as never
  throw new InputError('input.option', 'onProgress', `expected a function, got ${shown(value)}`)
}
