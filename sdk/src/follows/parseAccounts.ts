/** The accounts at the positions of a vector of balances. */

import { type Address, parseAddress, shown } from '../encoding/input.js'
import { InputError } from '../result/errors.js'
import type { HashModule } from '../wasm/module.js'

const FORM = /^0x[0-9a-fA-F]{40}$/

/**
 * Addresses of the right form, whose checksums are not looked at yet.
 *
 * @throws InputError naming the position.
 */
export function parseAccounts(value: unknown = []): readonly string[] {
  if (!Array.isArray(value)) {
    const problem = `expected a list of addresses, got ${shown(value)}`
    throw new InputError('input.option', 'accounts', problem)
  }
  return value.map((account: unknown, at) => {
    if (typeof account === 'string' && FORM.test(account)) return account
    const problem = `expected 0x and 40 hex digits, got ${shown(account)}`
    throw new InputError('input.address', `accounts[${at}]`, problem)
  })
}

/** @throws InputError `input.checksum` naming the position. */
export function checksummed(accounts: readonly string[], hash: HashModule): readonly Address[] {
  return accounts.map((account, at) => parseAddress(account, `accounts[${at}]`, hash))
}
