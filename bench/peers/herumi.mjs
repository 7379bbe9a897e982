/**
 * The newest bls-eth-wasm: the signature alone. The key that all signers add up to is there before;
 * timed are the decoding of the signature, its order included, and the check.
 */

import { bls12_381 } from '@noble/curves/bls12-381.js'
import bls from 'bls-eth-wasm-newest'
import { COMMITTEE, KEYS, readHeader, signingRoot, view } from './ssz.mjs'

const { Point } = bls12_381.G1

/**
 * Sum of the keys that signed.
 *
 * @param {Uint8Array} committee
 * @param {Uint8Array} bits
 */
function signers(committee, bits) {
  let sum = Point.ZERO
  for (let i = 0; i < KEYS; i++) {
    if ((bits[i >> 3] >> (i & 7)) & 1) {
      sum = sum.add(Point.fromBytes(committee.subarray(48 * i, 48 * i + 48)))
    }
  }
  return sum.toBytes(true)
}

/** @type {import('../headers/types.js').Client} */
export const client = {
  id: 'herumi',
  title: 'bls-eth-wasm 1.7.0, the signature alone',
  forks: ['electra'],
  async load(data) {
    await bls.init(bls.BLS12_381)
    bls.verifySignatureOrder(true)
    const { bootstrap, finality } = data
    const attested = readHeader(
      finality.subarray(view(finality).getUint32(0, true), view(finality).getUint32(4, true)),
    )
    const message = signingRoot(attested.root, data)
    const aggregate = finality.subarray(8 + 7 * 32, 8 + 7 * 32 + 160)
    const key = new bls.PublicKey()
    key.deserialize(signers(bootstrap.subarray(4, 4 + COMMITTEE), aggregate.subarray(0, 64)))
    const check = () => {
      const signature = new bls.Signature()
      signature.deserialize(aggregate.subarray(64))
      if (!key.verify(signature, message)) throw new Error('signature')
    }
    return { finality: () => check }
  },
}
