/** The worker's script in browsers: built into a file that needs no other. */

import '../wasm/fromUrls.js'
import { listenToPage } from './script.js'

listenToPage()
