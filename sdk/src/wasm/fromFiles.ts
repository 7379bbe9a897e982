/** How Node.js gets the wasm: from the files beside it. */

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { ByteSource } from '../encoding/platform.js'
import { PlatformError } from '../result/errors.js'
import { compileError, usePlatform } from './module.js'
import { fetchWasm } from './url.js'

/**
 * What is installed is as trustworthy as the code beside it. What is fetched is compared here, since
 * Deno and Bun ignore the digest that `fetch` is given.
 */
async function open(url: URL, digest?: string): Promise<WebAssembly.Module | ByteSource> {
  if (url.protocol === 'file:') return readFileSync(url)
  const bytes = new Uint8Array(await (await fetchWasm(url, digest)).arrayBuffer())
  const found = createHash('sha256').update(bytes).digest('base64')
  if (digest !== undefined && found !== digest) {
    const problem = `${url.href} is another file: serve this version's file there, or call setWasm`
    throw new PlatformError('platform.wasm', problem)
  }
  return WebAssembly.compile(bytes).catch((cause: unknown) => {
    throw compileError(cause)
  })
}

usePlatform({
  open,
  mpt: () => open(new URL('../generated/mpt_bg.wasm', import.meta.url)),
  hash: () => open(new URL('../generated/hash_bg.wasm', import.meta.url)),
  bn254: () => open(new URL('../generated/bn254_bg.wasm', import.meta.url)),
  bls12_381: () => open(new URL('../generated/bls12_381_bg.wasm', import.meta.url)),
  light: () => open(new URL('../generated/light_bg.wasm', import.meta.url)),
  evm: () => open(new URL('../generated/evm_bg.wasm', import.meta.url)),
})
