/** Helios, which follows the headers from a checkpoint before it takes questions. */
import { createHeliosProvider } from '@a16z/helios'
import { BEACON, CHECKPOINT, NODE } from '../../lightClients/watch.mjs'

export async function start() {
  const urls = { executionRpc: NODE, consensusRpc: BEACON }
  const own = { network: 'mainnet', checkpoint: CHECKPOINT, dbType: 'config' }
  const client = await createHeliosProvider({ ...urls, ...own }, 'ethereum')
  await client.waitSynced()
}
