/** SSZ of a light client by hand, with @noble/hashes: what every check of a signature starts from. */

import { sha256 } from '@noble/hashes/sha2.js'

export const KEYS = 512
export const COMMITTEE = (KEYS + 1) * 48

/**
 * @param {Uint8Array} left
 * @param {Uint8Array} right
 */
function pair(left, right) {
  const both = new Uint8Array(64)
  both.set(left)
  both.set(right, 32)
  return sha256(both)
}

/** @param {Uint8Array[]} chunks as many as a power of two */
function merkle(chunks) {
  let layer = chunks
  while (layer.length > 1) {
    const next = []
    for (let i = 0; i < layer.length; i += 2) next.push(pair(layer[i], layer[i + 1]))
    layer = next
  }
  return layer[0]
}

/** @param {Uint8Array} bytes of at most 32 */
function chunk(bytes) {
  const out = new Uint8Array(32)
  out.set(bytes)
  return out
}

/** @param {Uint8Array} bytes a multiple of 32 */
function chunks(bytes) {
  return Array.from({ length: bytes.length / 32 }, (_, i) => bytes.subarray(32 * i, 32 * i + 32))
}

/**
 * @param {Uint8Array} leaf
 * @param {Uint8Array} branch
 * @param {number} index
 */
export function climb(leaf, branch, index) {
  return chunks(branch).reduce(
    (node, sibling, i) => ((index >> i) & 1 ? pair(sibling, node) : pair(node, sibling)),
    leaf,
  )
}

/**
 * @param {Uint8Array} a
 * @param {Uint8Array} b
 */
export function demandEqual(a, b) {
  if (a.some((byte, i) => byte !== b[i])) throw new Error('another root')
}

/** @param {Uint8Array} bytes */
export function view(bytes) {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
}

/** @param {Uint8Array} beacon 112 bytes */
function beaconRoot(beacon) {
  const zero = new Uint8Array(32)
  const hashes = [0, 1, 2].map((i) => beacon.subarray(16 + 32 * i, 48 + 32 * i))
  const numbers = [beacon.subarray(0, 8), beacon.subarray(8, 16)].map(chunk)
  return merkle([...numbers, ...hashes, zero, zero, zero])
}

/** Lengths of the payload header's fields up to the offset of extra_data. */
const FIELDS = [32, 20, 32, 32, 256, 32, 8, 8, 8, 8]

/** @param {Uint8Array} payload */
function payloadRoot(payload) {
  let at = 0
  const take = (/** @type {number} */ length) => {
    at += length
    return payload.subarray(at - length, at)
  }
  const leaves = FIELDS.map((length) =>
    length === 256 ? merkle(chunks(take(256))) : chunk(take(length)),
  )
  const extra = payload.subarray(view(take(4)).getUint32(0, true))
  leaves.push(pair(chunk(extra), chunk(Uint8Array.of(extra.length))))
  for (const length of [32, 32, 32, 32, 8, 8]) leaves.push(chunk(take(length)))
  while (leaves.length < 32) leaves.push(new Uint8Array(32))
  return merkle(leaves)
}

/**
 * A light client's header: its beacon header, whose body holds the payload. @param {Uint8Array} ssz
 */
export function readHeader(ssz) {
  const beacon = ssz.subarray(0, 112)
  const payload = ssz.subarray(view(ssz).getUint32(112, true))
  const branch = ssz.subarray(116, 116 + 4 * 32)
  demandEqual(climb(payloadRoot(payload), branch, 25 - 16), beacon.subarray(80, 112))
  return { slot: Number(view(beacon).getBigUint64(0, true)), beacon, root: beaconRoot(beacon) }
}

/** @param {Uint8Array} committee keys and their sum */
export function committeeRoot(committee) {
  const leaves = Array.from({ length: KEYS + 1 }, (_, i) =>
    pair(
      committee.subarray(48 * i, 48 * i + 32),
      chunk(committee.subarray(48 * i + 32, 48 * i + 48)),
    ),
  )
  const [sum] = leaves.splice(KEYS)
  return pair(merkle(leaves), sum)
}

/**
 * What the committee signs for an attested header.
 *
 * @param {Uint8Array} root of the header
 * @param {{ forkVersion: Uint8Array, genesisValidatorsRoot: Uint8Array }} chain
 */
export function signingRoot(root, { forkVersion, genesisValidatorsRoot }) {
  const domain = new Uint8Array(32)
  domain.set([7, 0, 0, 0])
  domain.set(pair(chunk(forkVersion), genesisValidatorsRoot).subarray(0, 28), 4)
  return pair(root, domain)
}
