/** How browsers and workers get the wasm: from the URLs beside it. */

import { usePlatform } from './module.js'
import { openUrl } from './url.js'

usePlatform({
  open: openUrl,
  mpt: (digest) => openUrl(new URL('../generated/mpt_bg.wasm', import.meta.url), digest),
  hash: (digest) => openUrl(new URL('../generated/hash_bg.wasm', import.meta.url), digest),
  bn254: (digest) => openUrl(new URL('../generated/bn254_bg.wasm', import.meta.url), digest),
  bls12_381: (digest) =>
    openUrl(new URL('../generated/bls12_381_bg.wasm', import.meta.url), digest),
  light: (digest) => openUrl(new URL('../generated/light_bg.wasm', import.meta.url), digest),
  evm: (digest) => openUrl(new URL('../generated/evm_bg.wasm', import.meta.url), digest),
})
