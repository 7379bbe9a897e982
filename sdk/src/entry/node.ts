/** Entry for Node.js: reads the wasm from the file beside it. */

import { readFile } from 'node:fs/promises'
import { usePlatform } from '../wasm/module.js'
import { openUrl } from '../wasm/url.js'

const open = (url: URL): Promise<WebAssembly.Module | BufferSource> =>
  url.protocol === 'file:' ? readFile(url) : openUrl(url)

usePlatform({
  open,
  hash: () => open(new URL('../generated/hash_bg.wasm', import.meta.url)),
  bn254: () => open(new URL('../generated/bn254_bg.wasm', import.meta.url)),
  bls12_381: () => open(new URL('../generated/bls12_381_bg.wasm', import.meta.url)),
  light: () => open(new URL('../generated/light_bg.wasm', import.meta.url)),
})

export * from '../index.js'
export { fileStore } from '../store/file.js'
