/**
 * Entry for pages that cannot fetch a file (file://, webviews): the wasm is inside, as base64. Also the bridge by which
 * a native shell talks to the client in its webview.
 *
 * @packageDocumentation
 */

import { fromBase64 } from './wasm/base64.js'
import { usePlatform } from './wasm/module.js'
import { openUrl } from './wasm/url.js'

usePlatform({
  open: openUrl,
  hash: async () => fromBase64((await import('./generated/hash.inline.js')).wasm),
  bls12_381: async () => fromBase64((await import('./generated/bls12_381.inline.js')).wasm),
})

export {
  type BridgeListener,
  type BridgeOptions,
  type BridgeReply,
  type BridgeShell,
  type BridgeSource,
  type BridgeTarget,
  serveBridge,
} from './bridge.js'
export * from './index.js'
export { indexedDbStore } from './store/indexedDb.js'
