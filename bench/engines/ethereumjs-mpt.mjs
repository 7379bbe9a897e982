/** @ethereumjs/mpt: its own proof check, on bytes, and its own RLP for the leaves. */

import { verifyMerkleProof } from '@ethereumjs/mpt'
import { RLP } from '@ethereumjs/rlp'
import { partsOf } from '../lib/record.mjs'
import { number, toHex } from '../lib/rlp.mjs'

/** @typedef {{ account: Uint8Array[] | null, slots: (Uint8Array | null)[] }} Checked */

/** @type {import('../lib/types.js').Engine} */
export const engine = {
  id: 'ethereumjs-mpt',
  title: '@ethereumjs/mpt',
  async prepare({ record }) {
    const parts = partsOf(record)
    return () => check(parts)
  },
  fact(result) {
    const { account, slots } = /** @type {Checked} */ (result)
    return {
      account: account === null ? null : accountOf(account),
      slots: slots.map((value) => (value === null ? 0n : number(value))),
    }
  },
}

/**
 * @param {import('../lib/types.js').ProofParts} parts
 * @returns {Promise<Checked>}
 */
async function check({ root, address, accountProof, slots }) {
  const leaf = await verifyMerkleProof(address, [...accountProof], { root, useKeyHashing: true })
  if (leaf === null) return { account: null, slots: slots.map(() => null) }
  const account = strings(RLP.decode(leaf))
  const values = []
  for (const { key, proof } of slots) {
    values.push(await checkSlot(account[2], key, proof))
  }
  return { account, slots: values }
}

/**
 * @param {Uint8Array | undefined} root
 * @param {Uint8Array} key
 * @param {readonly Uint8Array[]} proof
 */
async function checkSlot(root, key, proof) {
  if (root === undefined) throw new Error('no account')
  // An empty storage trie has no node to give to the check.
  if (proof.length === 0) return null
  const value = await verifyMerkleProof(key, [...proof], { root, useKeyHashing: true })
  if (value === null) return null
  const decoded = RLP.decode(value)
  if (!(decoded instanceof Uint8Array)) throw new Error('no slot value')
  return decoded
}

/** @param {unknown} decoded */
function strings(decoded) {
  if (!Array.isArray(decoded)) throw new Error('no account')
  return decoded.map((item) => {
    if (item instanceof Uint8Array) return item
    throw new Error('no account')
  })
}

/** @param {Uint8Array[]} fields */
function accountOf([nonce, balance, storageHash, codeHash]) {
  if (!nonce || !balance || !storageHash || !codeHash) throw new Error('no account')
  return {
    nonce: number(nonce),
    balance: number(balance),
    storageHash: toHex(storageHash),
    codeHash: toHex(codeHash),
  }
}
