/**
 * What somebody writes who checks an Electra update by hand, with @noble/curves and @noble/hashes.
 */

import { bls12_381 } from '@noble/curves/bls12-381.js'
import { sha256 } from '@noble/hashes/sha2.js'

const { G1, longSignatures } = bls12_381
const DST = 'BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_'
const KEYS = 512
const COMMITTEE = (KEYS + 1) * 48

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
function climb(leaf, branch, index) {
  return chunks(branch).reduce(
    (node, sibling, i) => ((index >> i) & 1 ? pair(sibling, node) : pair(node, sibling)),
    leaf,
  )
}

/**
 * @param {Uint8Array} a
 * @param {Uint8Array} b
 */
function demandEqual(a, b) {
  if (a.some((byte, i) => byte !== b[i])) throw new Error('another root')
}

/** @param {Uint8Array} bytes */
function view(bytes) {
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
function readHeader(ssz) {
  const beacon = ssz.subarray(0, 112)
  const payload = ssz.subarray(view(ssz).getUint32(112, true))
  const branch = ssz.subarray(116, 116 + 4 * 32)
  demandEqual(climb(payloadRoot(payload), branch, 25 - 16), beacon.subarray(80, 112))
  return { slot: Number(view(beacon).getBigUint64(0, true)), beacon, root: beaconRoot(beacon) }
}

/** @param {Uint8Array} committee keys and their sum */
function committeeRoot(committee) {
  const leaves = Array.from({ length: KEYS + 1 }, (_, i) =>
    pair(
      committee.subarray(48 * i, 48 * i + 32),
      chunk(committee.subarray(48 * i + 32, 48 * i + 48)),
    ),
  )
  const [sum] = leaves.splice(KEYS)
  return pair(merkle(leaves), sum)
}

/** @param {Uint8Array} bytes */
function point(bytes) {
  return G1.Point.fromBytes(bytes)
}

/**
 * @param {{ keys: import('@noble/curves/abstract/weierstrass.js').WeierstrassPoint<bigint>[] |
 *   undefined, committee: Uint8Array }} store
 * @param {Uint8Array} aggregate bits and signature
 * @param {Uint8Array} message
 */
function verify({ committee, keys }, aggregate, message) {
  const key = (/** @type {number} */ i) =>
    keys === undefined ? point(committee.subarray(48 * i, 48 * i + 48)) : keys[i]
  let sum = key(KEYS)
  let signed = 0
  for (let i = 0; i < KEYS; i++) {
    if ((aggregate[i >> 3] >> (i & 7)) & 1) signed++
    else sum = sum.subtract(key(i))
  }
  if (3 * signed < 2 * KEYS) throw new Error('too few')
  const signature = longSignatures.Signature.fromBytes(aggregate.subarray(64))
  signature.assertValidity()
  if (!longSignatures.verify(signature, longSignatures.hash(message, DST), sum)) {
    throw new Error('signature')
  }
}

/** @type {import('../headers/types.js').Client} */
export const client = {
  id: 'noble',
  title: 'a script on @noble/curves',
  forks: ['electra'],
  async load(data) {
    const bootstrap = () => {
      const ssz = data.bootstrap
      const committee = ssz.subarray(4, 4 + COMMITTEE)
      const header = readHeader(ssz.subarray(view(ssz).getUint32(0, true)))
      demandEqual(header.root, data.checkpoint)
      const branch = ssz.subarray(4 + COMMITTEE, 4 + COMMITTEE + 6 * 32)
      demandEqual(climb(committeeRoot(committee), branch, 86 - 64), header.beacon.subarray(48, 80))
      return { committee, keys: undefined }
    }
    const decompressed = () => {
      const { committee } = bootstrap()
      const all = Array.from({ length: KEYS + 1 }, (_, i) =>
        committee.subarray(48 * i, 48 * i + 48),
      )
      return { committee, keys: all.map(point) }
    }
    // Points do not change: made once, as a client keeps them.
    const kept = decompressed()
    const check = (
      /** @type {Uint8Array} */ ssz,
      /** @type {boolean} */ isFull,
      /** @type {ReturnType<typeof decompressed> | ReturnType<typeof bootstrap>} */ store,
    ) => {
      const bytes = view(ssz)
      let at = isFull ? 4 + COMMITTEE + 6 * 32 : 4
      const attested = readHeader(ssz.subarray(bytes.getUint32(0, true), bytes.getUint32(at, true)))
      const finalized = readHeader(ssz.subarray(bytes.getUint32(at, true)))
      const state = attested.beacon.subarray(48, 80)
      if (isFull) {
        const next = committeeRoot(ssz.subarray(4, 4 + COMMITTEE))
        demandEqual(climb(next, ssz.subarray(4 + COMMITTEE, at), 87 - 64), state)
      }
      at += 4
      demandEqual(climb(finalized.root, ssz.subarray(at, at + 7 * 32), 169 - 128), state)
      at += 7 * 32
      const aggregate = ssz.subarray(at, at + 160)
      const domain = new Uint8Array(32)
      domain.set([7, 0, 0, 0])
      domain.set(pair(chunk(data.forkVersion), data.genesisValidatorsRoot).subarray(0, 28), 4)
      verify(store, aggregate, pair(attested.root, domain))
      if (finalized.slot !== data.finalized) throw new Error('not final')
    }
    return {
      bootstrap: () => bootstrap,
      cold: () => {
        const store = bootstrap()
        return () => check(data.update, true, store)
      },
      cached: () => () => check(data.update, true, kept),
      finality: () => () => check(data.finality, false, kept),
    }
  },
}
