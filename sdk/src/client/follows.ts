/** The chain that a client's chain follows: the options `follows` and `crossCheck`. */

import type { Hex } from '../encoding/hex.js'
import { isRecord, parseInteger, parseOptions, shown } from '../encoding/input.js'
import { InputError } from '../result/errors.js'
import type { Chain } from './chains.js'
import type { Client, Follows } from './types.js'

const MAX_KEYS = 1024

/** @throws InputError */
export function parseFollows(
  value: unknown,
  crossCheck: unknown,
  chain: Chain,
): Follows | undefined {
  if (value === undefined) {
    if (crossCheck === undefined) return undefined
    throw new InputError('input.option', 'crossCheck', 'only valid with follows')
  }
  const { client, accounts = [] } = parseOptions(value, 'follows', ['client', 'accounts'])
  if (!isClient(client) || client.chain.kind !== 'ethereum' || chain.kind === 'ethereum') {
    const problem = 'expected a client of the Ethereum chain that this chain follows'
    throw new InputError('input.option', 'follows.client', problem)
  }
  const count = parseInteger(crossCheck, 'crossCheck', { min: 0, max: MAX_KEYS, fallback: 0 })
  return { client, accounts: parseAccounts(accounts, 'follows.accounts'), count, proven: new Map() }
}

function isClient(value: unknown): value is Client {
  return isRecord(value) && Array.isArray(value['nodes']) && isRecord(value['chain'])
}

/** Addresses by position, in lower case. @throws InputError */
export function parseAccounts(value: unknown, argument: string): Hex[] {
  if (!Array.isArray(value)) {
    const problem = `expected a list of addresses, got ${shown(value)}`
    throw new InputError('input.option', argument, problem)
  }
  return value.map((account: unknown, i) => {
    if (typeof account === 'string' && /^0x[0-9a-fA-F]{40}$/.test(account)) {
      return account.toLowerCase() as Hex
    }
    const problem = `expected 0x and 40 hex digits, got ${shown(account)}`
    throw new InputError('input.address', `${argument}[${i}]`, problem)
  })
}
