/** How browsers and workers get the wasm: from the URLs beside it. */

import { usePlatform } from './module.js'
import { openUrl } from './url.js'

usePlatform({
  open: openUrl,
  mpt: () => openUrl(new URL('../generated/mpt_bg.wasm', import.meta.url)),
  hash: () => openUrl(new URL('../generated/hash_bg.wasm', import.meta.url)),
  bn254: () => openUrl(new URL('../generated/bn254_bg.wasm', import.meta.url)),
  bls12_381: () => openUrl(new URL('../generated/bls12_381_bg.wasm', import.meta.url)),
  light: () => openUrl(new URL('../generated/light_bg.wasm', import.meta.url)),
  evm: () => openUrl(new URL('../generated/evm_bg.wasm', import.meta.url)),
})
