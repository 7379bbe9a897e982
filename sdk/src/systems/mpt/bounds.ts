/** How much an answer of `eth_getProof` may be, looked at before anything of it is decoded. */

import { isRecord } from '../../encoding/input.js'
import { asRecord } from '../../encoding/untrusted.js'
import { ProofError } from '../../result/errors.js'

/** Keys are hashes of 64 digits: a path has at most a node for each, and its leaf. */
const MAX_NODES = 65
/** Hex of a node: 16 hashes and an empty value are 532 bytes, leaves are less. */
const MAX_TEXT = 2 + 2 * 600

/**
 * The fields of an answer that a proof needs, as flat text; what is no text is null, for the
 * decoder to refuse.
 *
 * @param slots - how many were asked for.
 * @throws ProofError `decode.response`; `decode.limit` for more than any honest answer holds.
 */
export function boundProof(response: unknown, slots: number): Record<string, unknown> {
  const reply = asRecord(response, 'eth_getProof')
  const { address, nonce, balance, storageHash, codeHash, accountProof, storageProof } = reply
  const fields = Object.entries({ address, nonce, balance, storageHash, codeHash })
  return {
    ...Object.fromEntries(fields.map(([name, value]) => [name, textOf(value, MAX_TEXT)])),
    accountProof: listOf(accountProof, MAX_NODES, nodeOf),
    storageProof: listOf(storageProof, slots, (slot) => {
      if (!isRecord(slot)) return null
      const { key, value, proof } = slot
      const texts = { key: nodeOf(key), value: nodeOf(value) }
      return { ...texts, proof: listOf(proof, MAX_NODES, nodeOf) }
    }),
  }
}

/** The text if it is at most this long; null for anything else. */
export function textOf(value: unknown, most: number = Number.POSITIVE_INFINITY): unknown {
  if (typeof value !== 'string') return null
  if (value.length > most) throw tooMuch()
  return value
}

function nodeOf(value: unknown): unknown {
  return textOf(value, MAX_TEXT)
}

function listOf(value: unknown, most: number, read: (item: unknown) => unknown): unknown {
  if (!Array.isArray(value)) return null
  if (value.length > most) throw tooMuch()
  return value.map(read)
}

function tooMuch(): ProofError {
  return new ProofError('decode.limit', 'eth_getProof: the answer holds more than a proof can')
}
