/**
 * Puts the wasm module `bls12_381` inside the page: for `verkle` and `balanceproofs`. Imported for
 * its effect alone, beside `lightproof/inline`.
 *
 * @packageDocumentation
 */

import { wasm } from '../../generated/bls12_381.inline.js'
import { fromBase64 } from '../../wasm/base64.js'
import { embed } from '../../wasm/module.js'

embed({ bls12_381: async () => fromBase64(wasm) })
