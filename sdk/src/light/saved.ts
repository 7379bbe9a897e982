/**
 * What a client keeps between runs: the core's store, and the root under which the core proves it
 * again.
 */

import type { Chain } from '../client/chains.js'
import { bytesOf, concat, equalBytes, type Hex, integerBytes } from '../encoding/hex.js'
import { type Hash, leftPad } from '../encoding/input.js'
import { ProofError } from '../result/errors.js'

/** A saved client. */
export interface Saved {
  /** The caller's own earlier finding: it is as trustworthy as the storage it comes from. */
  readonly anchorRoot: Uint8Array
  /** Seconds since 1970 of the checkpoint. */
  readonly checkpointTime: bigint
  /** The core's export. */
  readonly store: Uint8Array
}

const FORM = Uint8Array.of(1)
const WORD = 32

/** Stores are per network and checkpoint: one place can keep those of many clients. */
export function savedKey({ kind, chainId, genesisHash }: Chain, checkpoint: Hash): string {
  return `lightproof-${kind}-${chainId}-${genesisHash}-${checkpoint}`
}

/**
 * Form (1 byte) ‖ checkpoint ‖ anchor root ‖ checkpoint's time (32 bytes each) ‖ the core's store.
 */
export function encodeSaved(
  checkpoint: Hash,
  anchorRoot: Hex,
  time: bigint,
  store: Uint8Array,
): Uint8Array {
  return concat([
    FORM,
    bytesOf(checkpoint),
    bytesOf(anchorRoot),
    leftPad(integerBytes(time)),
    store,
  ])
}

/**
 * The parts of a saved client, unchecked.
 *
 * @throws ProofError `decode.response` if it is of another form or checkpoint.
 */
export function decodeSaved(bytes: Uint8Array, checkpoint: Hash): Saved {
  const word = (i: number): Uint8Array => bytes.slice(1 + i * WORD, 1 + (i + 1) * WORD)
  const isOurs = bytes.length > 1 + 3 * WORD && equalBytes(bytes.subarray(0, 1), FORM)
  if (!isOurs || !equalBytes(word(0), bytesOf(checkpoint))) {
    throw new ProofError('decode.response', 'the saved state is of another form or checkpoint')
  }
  const time = new DataView(word(2).buffer).getBigUint64(WORD - 8)
  return { anchorRoot: word(1), checkpointTime: time, store: bytes.slice(1 + 3 * WORD) }
}
