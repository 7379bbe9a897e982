/**
 * Puts the wasm module `light` inside the page: for checkpoints. Imported for its effect alone,
 * beside `lightproof/inline`.
 *
 * @packageDocumentation
 */

import { wasm } from '../../generated/light.inline.js'
import { fromBase64 } from '../../wasm/base64.js'
import { embed } from '../../wasm/module.js'

embed({ light: async () => fromBase64(wasm) })
