/**
 * Puts the wasm module `bn254` inside the page: for systems over that curve. Imported for its
 * effect alone, beside `lightproof/inline`.
 *
 * @packageDocumentation
 */

import { wasm } from '../../generated/bn254.inline.js'
import { fromBase64 } from '../../wasm/base64.js'
import { embed } from '../../wasm/module.js'

embed({ bn254: async () => fromBase64(wasm) })
