/**
 * Puts the wasm module `evm` inside the page: for calls. Imported for its effect alone, beside
 * `lightproof/inline`.
 *
 * @packageDocumentation
 */

import { wasm } from '../../generated/evm.inline.js'
import { fromBase64 } from '../../wasm/base64.js'
import { embed } from '../../wasm/module.js'

embed({ evm: async () => fromBase64(wasm) })
