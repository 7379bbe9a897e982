/** Who signed a transaction, by module `evm`, which has the curve of Ethereum's accounts. */

import { bytesOf, type Hex, toHex } from '../encoding/hex.js'
import { perform } from '../proving/engine.js'
import { InputError } from '../result/errors.js'
import type { RecoverAddress } from '../systems/body/sender.js'

/**
 * The address whose key signed: for `createProvider(client, { recoverAddress })`, so that
 * transactions and receipts come with `from`. Runs in the worker where there is one.
 *
 * @throws InputError `input.request` unless hash, r and s are 32 bytes each, and somebody's key
 *   made the signature.
 */
export const recoverAddress: RecoverAddress = async ({ hash, r, s, yParity }) => {
  const input = new Uint8Array(128)
  input.set(wordOf('hash', hash))
  input[63] = 27 + yParity
  input.set(wordOf('r', r), 64)
  input.set(wordOf('s', s), 96)
  const address = await perform<Uint8Array>({ kind: 'recover', input })
  if (address.length === 32) return toHex(address.subarray(12))
  throw new InputError('input.request', 'r', 'no public key matches this signature')
}

function wordOf(argument: string, hex: Hex): Uint8Array {
  const bytes = bytesOf(hex)
  if (bytes.length === 32) return bytes
  throw new InputError('input.request', argument, `expected 32 bytes, got ${bytes.length}`)
}
