/** Who signed a transaction, by module `evm`, which has the curve of Ethereum's accounts. */

import { bytesOf, type Hex, toHex } from '../encoding/hex.js'
import { perform } from '../proving/engine.js'
import { InputError } from '../result/errors.js'
import type { RecoverAddress, SignedHash } from '../systems/body/sender.js'

/**
 * The address whose key signed: for `createProvider(client, { recoverAddress })`, so that
 * transactions and receipts come with `from`. Runs in the worker where there is one.
 *
 * @throws InputError `input.request` unless hash, r and s are 32 bytes each, and somebody's key
 *   made the signature.
 */
export const recoverAddress: RecoverAddress = async (signed) => {
  const [address] = await recoverAddresses([signed])
  if (address !== undefined) return address
  throw new InputError('input.request', 'r', 'nobody made this signature')
}

/**
 * The same of many, in one message to the worker.
 *
 * @returns of each, its address; undefined if the signature is nobody's.
 * @throws InputError `input.request` unless hash, r and s are 32 bytes each; PlatformError, or the
 *   signal's reason.
 */
export async function recoverAddresses(
  all: readonly SignedHash[],
  signal?: AbortSignal,
): Promise<readonly (Hex | undefined)[]> {
  const inputs = all.map(({ hash, r, s, yParity }) => {
    const input = new Uint8Array(128)
    input.set(wordOf('hash', hash))
    input[63] = 27 + yParity
    input.set(wordOf('r', r), 64)
    input.set(wordOf('s', s), 96)
    return input
  })
  const words = await perform<readonly (readonly number[])[]>({ kind: 'recover', inputs }, signal)
  return words.map((word) =>
    word.length === 32 ? toHex(Uint8Array.from(word.slice(12))) : undefined,
  )
}

function wordOf(argument: string, hex: Hex): Uint8Array {
  const bytes = bytesOf(hex)
  if (bytes.length === 32) return bytes
  throw new InputError('input.request', argument, `expected 32 bytes, got ${bytes.length}`)
}
