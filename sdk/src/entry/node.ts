/** Entry for Node.js: reads the wasm modules from the files of this package. */

import '../wasm/fromFiles.js'

export { fileStore } from '../store/file.js'
export * from './index.js'
