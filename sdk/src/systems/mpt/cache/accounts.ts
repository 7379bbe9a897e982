/** Proofs about accounts, put together of what proofs that held were made of. */

import { bytesOf, equalBytes, type Hex } from '../../../encoding/hex.js'
import { itemsOf, readRlp, stringOf } from '../../../encoding/readRlp.js'
import { encodeRlp, type RlpValue } from '../../../encoding/rlp.js'
import type { ProofRequest } from '../question.js'
import type { Kind, NodeCache } from './nodeCache.js'
import { walk } from './walk.js'

const NOTHING = new Uint8Array(0)

/**
 * The core's proof RLP, as a node would have sent it.
 *
 * @returns undefined if anything of it is not kept.
 * @throws ProofError `decode.rlp` for a cached node that is not a trie node.
 */
export function recall(
  cache: NodeCache,
  stateRoot: Hex,
  request: ProofRequest,
): Uint8Array | undefined {
  const who = bytesOf(request.address)
  const path = walk(cache, bytesOf(stateRoot), cache.hash(who))
  if (path === undefined) return undefined
  const fields = path.value === undefined ? emptyAccount(cache) : readRlp(path.value)
  return complete(cache, request, [who, ...itemsOf(fields), path.nodes, []])
}

/**
 * A node's proof of less than was asked, with the rest from what is kept.
 *
 * What is kept stands under its own hash, and is taken by the hashes that the node claims: where
 * the whole does not hold, it is the node's part that does not.
 *
 * @returns undefined if the rest is not kept, since it changed.
 */
export function widen(
  cache: NodeCache,
  request: ProofRequest,
  proof: Uint8Array,
): Uint8Array | undefined {
  return complete(cache, request, itemsOf(readRlp(proof)))
}

/** Adds slots and code to `[address, nonce, balance, storageHash, codeHash, nodes, slots, …]`. */
function complete(
  cache: NodeCache,
  { slots, wantCode }: ProofRequest,
  proof: readonly RlpValue[],
): Uint8Array | undefined {
  const [storageHash, codeHash, , asked] = proof.slice(3)
  const known = itemsOf(asked)
  const storage =
    known.length > 0
      ? known
      : slots.map((slot) => slotFrom(cache, stringOf(storageHash), bytesOf(slot)))
  const code = wantCode ? codeFrom(cache, stringOf(codeHash)) : []
  if (code === undefined || storage.includes(undefined as never)) return undefined
  return encodeRlp([...proof.slice(0, 6), storage.map(itemsOf), code])
}

/** Keeps the nodes and the code of a proof that held; is any of it new? */
export function keep(cache: NodeCache, proof: Uint8Array): boolean {
  const [, , , , , account, storage, code] = itemsOf(readRlp(proof))
  const slots = itemsOf(storage).map((slot) => itemsOf(slot)[2])
  const added = (kind: Kind, lists: readonly (RlpValue | undefined)[]): number =>
    lists.flatMap((list) => itemsOf(list).map(stringOf)).filter((part) => cache.add(part, kind))
      .length
  return added('node', [account, ...slots]) + added('code', [code]) > 0
}

/** `[key, value, nodes]`. */
export function slotFrom(
  cache: NodeCache,
  root: Uint8Array,
  key: Uint8Array,
): RlpValue | undefined {
  const path = walk(cache, root, cache.hash(key))
  return path && [key, path.value === undefined ? NOTHING : readRlp(path.value), path.nodes]
}

/** A list of the code with this hash; that of none need not be kept. */
export function codeFrom(cache: NodeCache, hash: Uint8Array): RlpValue | undefined {
  const code = equalBytes(hash, cache.hash(NOTHING)) ? NOTHING : cache.get(hash, 'code')
  return code && [code]
}

/** What nodes claim of an account that is not there: `[nonce, balance, storageHash, codeHash]`. */
function emptyAccount(cache: NodeCache): RlpValue {
  return [NOTHING, NOTHING, cache.hash(Uint8Array.of(0x80)), cache.hash(NOTHING)]
}
