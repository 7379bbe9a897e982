/**
 * Entry for pages that cannot fetch a file (file://, webviews): the wasm module `mpt` is inside, as
 * base64, which is all that Ethereum accounts under a pinned block need. The other modules are
 * entries of their own, to be imported beside it by pages that use them: `lightproof/inline/light`
 * (checkpoints), `lightproof/inline/hash` (lmpt, cole), `lightproof/inline/bn254` and
 * `lightproof/inline/bls12_381`. Also the bridge by which a native shell talks to the client in its
 * webview.
 *
 * @packageDocumentation
 */

import { wasm } from '../generated/mpt.inline.js'
import { fromBase64 } from '../wasm/base64.js'
import { embed, usePlatform } from '../wasm/module.js'
import { openUrl } from '../wasm/url.js'

usePlatform({ open: openUrl })
embed({ mpt: async () => fromBase64(wasm) })

export {
  type BridgeListener,
  type BridgeOptions,
  type BridgeReply,
  type BridgeShell,
  type BridgeSource,
  type BridgeTarget,
  serveBridge,
} from '../adapters/bridge.js'
export { indexedDbStore } from '../store/indexedDb.js'
export * from './index.js'
