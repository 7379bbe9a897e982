/** Our SDK as it is published: a proof file in hex in, a typed result with its trust report out. */

import { proven, verifyProofFile } from 'lightproof'
import { lmpt } from 'lightproof/lmpt'

/** @type {import('../lib/types.js').Engine} */
export const engine = {
  id: 'lightproof-sdk',
  title: 'lightproof, SDK (hex)',
  async prepare({ record }) {
    // As it comes from a file: V8 reads strings that JavaScript has pieced together more slowly.
    const file = JSON.parse(JSON.stringify({ schema: 1, kind: 'proof', ...record }))
    const anchor = { root: record.source.root.bytes }
    if (record.system === 'lmpt') {
      return async () => proven(await verifyProofFile(file, { anchor, systems: [lmpt] }))
    }
    return async () => proven(await verifyProofFile(file, { anchor }))
  },
  fact(result) {
    if (Array.isArray(result)) return JSON.parse(JSON.stringify(result))
    const { account, slots } = /** @type {import('lightproof').ProvenAccount} */ (result)
    return { account, slots: slots.map(({ value }) => value) }
  },
}
