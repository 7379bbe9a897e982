/**
 * Lodestar's light client, which keeps its committees as decompressed points. Its package picks the
 * implementation of BLS: the native addon in Node, WebAssembly in a bundle for browsers. So this file
 * is loaded both ways, and says itself which one runs.
 */

import bls from '@chainsafe/bls'
import { createBeaconConfig } from '@lodestar/config'
import { mainnetChainConfig } from '@lodestar/config/networks'
import { LightclientSpec } from '@lodestar/light-client/spec'
import { ssz } from '@lodestar/types'

const OPTIONS = { allowForcedUpdates: false, updateHeadersOnForcedUpdate: false }

const RUNS = bls.implementation === 'herumi' ? 'wasm' : 'native'

/** @type {import('../headers/types.js').Client} */
export const client = {
  id: `lodestar-${RUNS}`,
  title: `@lodestar/light-client 1.28.1, ${RUNS} (${bls.implementation})`,
  forks: ['electra'],
  async load(data) {
    // Of a time before mainnet's Electra had an epoch.
    const rules = { ...mainnetChainConfig, ELECTRA_FORK_EPOCH: 364_032 }
    const config = createBeaconConfig(rules, data.genesisValidatorsRoot)
    const types = ssz.electra
    const start = () =>
      new LightclientSpec(config, OPTIONS, types.LightClientBootstrap.deserialize(data.bootstrap))
    const update = (/** @type {LightclientSpec} */ spec) => {
      spec.onUpdate(data.slot, types.LightClientUpdate.deserialize(data.update))
      if (spec.store.finalizedHeader.beacon.slot !== data.finalized) throw new Error('not final')
    }
    const finality = (/** @type {LightclientSpec} */ spec) => {
      spec.onFinalityUpdate(data.slot, types.LightClientFinalityUpdate.deserialize(data.finality))
      if (spec.store.finalizedHeader.beacon.slot !== data.finalized) throw new Error('not final')
    }
    return {
      bootstrap: () => start,
      // Its bootstrap is what decompresses the keys.
      cold: () => () => update(start()),
      cached: () => {
        const spec = start()
        return () => update(spec)
      },
      finality: () => {
        const spec = start()
        return () => finality(spec)
      },
    }
  },
}
