/** How Cloudflare Workers get the wasm: as modules, compiled when the program was deployed. */

import { usePlatform } from './module.js'

// What is deployed is as trustworthy as the code beside it: no digests.
usePlatform({
  mpt: async () => (await import('../generated/mpt_bg.wasm')).default,
  hash: async () => (await import('../generated/hash_bg.wasm')).default,
  bn254: async () => (await import('../generated/bn254_bg.wasm')).default,
  bls12_381: async () => (await import('../generated/bls12_381_bg.wasm')).default,
  light: async () => (await import('../generated/light_bg.wasm')).default,
  evm: async () => (await import('../generated/evm_bg.wasm')).default,
})
