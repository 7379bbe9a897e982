/** Our light client as it is shipped: the module's own calls, as the SDK makes them. */

import { startModule } from '../lib/glue.mjs'
import { ascii, encode, integer } from '../lib/rlp.mjs'

/**
 * @typedef {object} LightClient
 * @property {(checkpoint: Uint8Array, bytes: Uint8Array) => string} bootstrap
 * @property {(form: string, bytes: Uint8Array, now: bigint) => string} apply
 * @property {() => Uint8Array} export
 * @property {() => Uint8Array} points
 * @property {(bytes: Uint8Array) => string} loadPoints
 * @property {() => void} free
 */

/** No clock. */
const NOW = 2n ** 64n - 1n

/** @returns {Promise<new (chain: Uint8Array) => LightClient>} */
async function loadModule() {
  const { LightClient } = await startModule('light')
  return LightClient
}

/** @param {string} answer */
function demandTrusted(answer) {
  const { status, code, state } = JSON.parse(answer)
  if (status !== 'trusted') throw new Error(code)
  return state
}

/** RLP of mainnet's configuration, consensus included. */
export async function mainnetChain() {
  const { mainnet } = await import('lightproof')
  const { kind, chainId, genesisHash, consensus } = mainnet
  if (consensus === undefined || !('forks' in consensus)) throw new Error('no beacon chain')
  const number = (/** @type {number} */ value) => integer(BigInt(value))
  const hex = (/** @type {string} */ text) => new Uint8Array(Buffer.from(text.slice(2), 'hex'))
  const { committeeSize, slotsPerEpoch, epochsPerPeriod, secondsPerSlot, genesisTime } = consensus
  const numbers = [committeeSize, slotsPerEpoch, epochsPerPeriod, secondsPerSlot, genesisTime]
  const forks = consensus.forks.map(({ epoch, version, shape }) => [
    number(epoch),
    hex(version),
    ascii(shape),
  ])
  const rules = [...numbers.map(number), hex(consensus.genesisValidatorsRoot), forks]
  return encode([ascii(kind), number(chainId), hex(genesisHash), rules])
}

/** @type {import('./types.js').Client} */
export const client = {
  id: 'lightproof-wasm',
  title: 'lightproof, wasm',
  forks: ['electra', 'gloas'],
  async load({ chain, bootstrap, update, finality, checkpoint, finalized }) {
    const LightClient = await loadModule()
    const points = pointsOf()
    const one = new LightClient(chain)
    /** The one client starts over each time: nothing piles up in the module's memory. */
    const start = () => {
      demandTrusted(one.bootstrap(checkpoint, bootstrap))
      return one
    }
    const warm = () => {
      const light = start()
      const loaded = JSON.parse(light.loadPoints(points))
      if (loaded.status !== 'trusted') throw new Error(loaded.code)
      return light
    }
    function pointsOf() {
      const light = new LightClient(chain)
      demandTrusted(light.bootstrap(checkpoint, bootstrap))
      demandTrusted(light.apply('update', update, NOW))
      const bytes = light.points()
      light.free()
      return bytes
    }
    const apply = (
      /** @type {LightClient} */ light,
      /** @type {string} */ form,
      /** @type {Uint8Array} */ bytes,
    ) => {
      const state = demandTrusted(light.apply(form, bytes, NOW))
      if (Number(state.finalized.slot) !== finalized) throw new Error('not final')
    }
    const updating = (/** @type {() => LightClient} */ ready) => () => {
      const light = ready()
      return () => apply(light, 'update', update)
    }
    return {
      bootstrap: () => start,
      cold: updating(start),
      cached: updating(warm),
      finality: () => {
        const light = warm()
        return () => apply(light, 'finality', finality)
      },
    }
  },
}

/**
 * Bytes of the store that a client keeps after the update.
 *
 * @param {import('./types.js').HeaderData} data
 */
export async function storeBytes({ chain, bootstrap, update, checkpoint }) {
  const LightClient = await loadModule()
  const light = new LightClient(chain)
  demandTrusted(light.bootstrap(checkpoint, bootstrap))
  demandTrusted(light.apply('update', update, NOW))
  const { length } = light.export()
  light.free()
  return length
}
