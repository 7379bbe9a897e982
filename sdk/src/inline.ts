/**
 * Entry for pages that cannot fetch a file (file://, webviews): the wasm of what is hashed is inside, as base64, which is
 * all that a pinned block needs. The other modules are entries of their own, to be imported beside it by pages
 * that use them: `lightproof/inline/light` (checkpoints), `lightproof/inline/bls12_381` and `lightproof/inline/bn254`. Also
 * the bridge by which a native shell talks to the client in its webview.
 *
 * @packageDocumentation
 */

import { wasm } from './generated/hash.inline.js'
import { fromBase64 } from './wasm/base64.js'
import { embed, usePlatform } from './wasm/module.js'
import { openUrl } from './wasm/url.js'

usePlatform({ open: openUrl })
embed({ hash: async () => fromBase64(wasm) })

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
