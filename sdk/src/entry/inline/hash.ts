/**
 * Puts the wasm module `hash` inside the page: for `lmpt` and `cole`. Imported for its effect
 * alone, beside `lightproof/inline`.
 *
 * @packageDocumentation
 */

import { wasm } from '../../generated/hash.inline.js'
import { fromBase64 } from '../../wasm/base64.js'
import { embed } from '../../wasm/module.js'

embed({ hash: async () => fromBase64(wasm) })
