/** How Node.js gets the wasm: from the files beside it. */

import { readFile } from 'node:fs/promises'
import type { ByteSource } from '../encoding/platform.js'
import { usePlatform } from './module.js'
import { openUrl } from './url.js'

// What is installed is as trustworthy as the code beside it.
const open = (url: URL, digest?: string): Promise<WebAssembly.Module | ByteSource> =>
  url.protocol === 'file:' ? readFile(url) : openUrl(url, digest)

usePlatform({
  open,
  mpt: () => open(new URL('../generated/mpt_bg.wasm', import.meta.url)),
  hash: () => open(new URL('../generated/hash_bg.wasm', import.meta.url)),
  bn254: () => open(new URL('../generated/bn254_bg.wasm', import.meta.url)),
  bls12_381: () => open(new URL('../generated/bls12_381_bg.wasm', import.meta.url)),
  light: () => open(new URL('../generated/light_bg.wasm', import.meta.url)),
  evm: () => open(new URL('../generated/evm_bg.wasm', import.meta.url)),
})
