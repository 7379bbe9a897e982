/**
 * Entry for Node.js: reads the wasm modules from the files of this package, and asks nodes by
 * `node:http` while the program does not use `fetch`.
 */

import { useNodeHttp } from '../transport/nodeHttp.js'
import '../wasm/fromFiles.js'

export { fileStore } from '../store/file.js'
export * from './index.js'

useNodeHttp()
