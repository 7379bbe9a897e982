/** Colibri, asked for a balance from a checkpoint, with proofs that it makes itself. */
import Colibri from '@corpus-core/colibri-stateless'
import { ADDRESS, BEACON, CHECKPOINT, NODE } from '../../lightClients/watch.mjs'

export async function start() {
  const urls = { rpcs: [NODE], beacon_apis: [BEACON], checkpointz: [BEACON], prover: [] }
  const client = new Colibri({ ...urls, chainId: 1, trusted_checkpoint: CHECKPOINT })
  await client.request({ method: 'eth_getBalance', params: [ADDRESS, 'latest'] })
}
