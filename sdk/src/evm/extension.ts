/** Calls, as an extension of every provider: its code is loaded when it is first asked. */

import type { ExtensionMethod, ProviderExtension } from '../adapters/extension.js'
import { loadPart } from '../wasm/part.js'

const RUN = 'run here on proven state: what it reads is proven, what is not proven stops it'

const METHODS: Readonly<Record<string, ExtensionMethod>> = {
  eth_call: { proves: `the call's outcome, ${RUN}` },
  eth_estimateGas: { proves: `the least gas with which the call succeeds, ${RUN}` },
  eth_createAccessList: { proves: `what the call reads, and its gas, ${RUN}` },
  eth_simulateV1: { proves: `what comes of calls in one block on top, ${RUN}` },
}

/**
 * What makes a provider answer `eth_call`, `eth_estimateGas`, `eth_createAccessList` and, of one
 * block, `eth_simulateV1` with proof.
 *
 * @example
 * const provider = createProvider(client, { extensions: [evm()] })
 */
export function evm(): ProviderExtension {
  return {
    methods: METHODS,
    handle: async (method, ask) => {
      const { handle } = await loadPart(() => import('./handle.js'))
      return handle(method, ask)
    },
  }
}
