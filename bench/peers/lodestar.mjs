/** Lodestar's light client, which keeps its committees as decompressed points. */

import { init } from '@chainsafe/bls/switchable'
import { createBeaconConfig } from '@lodestar/config'
import { mainnetChainConfig } from '@lodestar/config/networks'
import { LightclientSpec } from '@lodestar/light-client/spec'
import { ssz } from '@lodestar/types'

const OPTIONS = { allowForcedUpdates: false, updateHeadersOnForcedUpdate: false }

/** @type {import('../headers/types.js').Client} */
export const client = {
  id: 'lodestar',
  title: '@lodestar/light-client',
  forks: ['electra'],
  async load(data) {
    // The implementation that runs in browsers too; the other one is a native addon.
    await init('herumi')
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
