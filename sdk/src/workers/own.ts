/**
 * The worker's script in browsers, for pages that build their own: a module that imports
 * `lightproof/worker`. It shares this package's modules with what else is in that worker.
 *
 * @packageDocumentation
 */

import '../wasm/fromUrls.js'
import { listenToPage } from './script.js'

listenToPage()
