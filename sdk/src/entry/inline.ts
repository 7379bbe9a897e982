/**
 * Entry for pages that cannot fetch a file (file://, webviews). It contains the wasm module `mpt` as
 * base64, which is enough for Ethereum accounts with a pinned block. Import the other modules where
 * they are needed: `lightproof/inline/light` (checkpoints), `lightproof/inline/hash` (lmpt, cole),
 * `lightproof/inline/bn254` (lvmt), `lightproof/inline/bls12_381` (verkle, balanceproofs) and
 * `lightproof/inline/evm`. Also exports the bridge between a native shell and the client in its
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
  type BridgeEvent,
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
