/** Entry for browsers and workers: fetches the wasm from the URL beside it, and verifies in workers where it is a page's. */

import { usePlatform } from '../wasm/module.js'
import { openUrl } from '../wasm/url.js'
import { workByDefault } from '../workers/byDefault.js'

usePlatform({
  open: openUrl,
  hash: () => openUrl(new URL('../generated/hash_bg.wasm', import.meta.url)),
  bn254: () => openUrl(new URL('../generated/bn254_bg.wasm', import.meta.url)),
  bls12_381: () => openUrl(new URL('../generated/bls12_381_bg.wasm', import.meta.url)),
  light: () => openUrl(new URL('../generated/light_bg.wasm', import.meta.url)),
})

// Workers and service workers are off the main thread already.
if (typeof document === 'object' && typeof Worker === 'function') {
  workByDefault(() => import('./workersWeb.js'))
}

export * from '../index.js'
export { indexedDbStore } from '../store/indexedDb.js'
