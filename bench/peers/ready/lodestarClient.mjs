/** What asks Lodestar's light client for headers, by its package or by its bundle for browsers. */
import { BEACON } from '../../lightClients/watch.mjs'

const nothing = () => {}

/** @param {object} lodestar what either exports */
export async function startWith({ Lightclient, transport, utils }) {
  await Lightclient.initializeFromCheckpointRoot({
    config: utils.getChainForkConfigFromNetwork('mainnet'),
    logger: { error: nothing, warn: nothing, info: nothing, debug: nothing },
    transport: new transport.LightClientRestTransport(utils.getApiFromUrl(BEACON, 'mainnet')),
    genesisData: {
      genesisTime: 1_606_824_023,
      genesisValidatorsRoot: new Uint8Array(32).fill(3),
    },
    checkpointRoot: new Uint8Array(32).fill(17),
    opts: { allowForcedUpdates: false, updateHeadersOnForcedUpdate: false },
  })
}
