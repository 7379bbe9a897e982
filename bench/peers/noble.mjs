/**
 * What somebody writes who checks an Electra update by hand, with @noble/curves and @noble/hashes.
 */

import { bls12_381 } from '@noble/curves/bls12-381.js'
import {
  COMMITTEE,
  climb,
  committeeRoot,
  demandEqual,
  KEYS,
  readHeader,
  signingRoot,
  view,
} from './ssz.mjs'

const { G1, longSignatures } = bls12_381
const DST = 'BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_'
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
      verify(store, aggregate, signingRoot(attested.root, data))
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
