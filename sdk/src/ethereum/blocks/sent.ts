/**
 * Transactions that a client sent: its own nonces run ahead of the proven ones. Kept in memory, for
 * as long as the client.
 */

import type { Client } from '../../client/client.js'
import type { Hex } from '../../encoding/hex.js'

/** Most transactions that are remembered for a client. */
const MAX_SENT = 64

const SENT = new WeakMap<Client, Map<Hex, Uint8Array>>()

/** Remembers a transaction that a node took, or may have. */
export function noteSent(client: Client, hash: Hex, raw: Uint8Array): void {
  const all = SENT.get(client) ?? new Map<Hex, Uint8Array>()
  SENT.set(client, all)
  all.set(hash, raw)
  for (const old of [...all.keys()].slice(0, -MAX_SENT)) all.delete(old)
}

/** The one of this hash, without blobs, if this client sent it. */
export function sentRaw(client: Client, hash: Hex): Uint8Array | undefined {
  return SENT.get(client)?.get(hash)
}

/** Signed transactions that this client sent, without blobs, the oldest first. */
export function sentBy(client: Client): readonly Uint8Array[] {
  return [...(SENT.get(client)?.values() ?? [])]
}
