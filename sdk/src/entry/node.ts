/** Entry for Node.js: reads the wasm from the file beside it. */

import '../wasm/fromFiles.js'

export { fileStore } from '../store/file.js'
export * from './index.js'
