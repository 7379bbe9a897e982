/** Of which chain a dropped file must be. */

import {
  type Chain,
  defineChain,
  devnet,
  hoodi,
  mainnet,
  type ProofFile,
  sepolia,
} from 'lightproof'
import type { Settings } from '../form/settings.js'
import { chainOf } from './client.js'

/**
 * The chain that the settings name; where they name no such chain as the file's, one that this page
 * knows by the file's genesis. A devnet's parameters are those that the SDK pins, never the file's.
 */
export function chainOfFile(file: unknown, settings: Settings): Chain {
  const chain = chainIn(file)
  const known = [mainnet, sepolia, hoodi].find(
    ({ genesisHash }) => genesisHash === chain?.genesisHash,
  )
  if (known !== undefined) return known
  const isNamed = settings.chain === 'devnet' && settings.genesis === chain?.genesisHash
  if (!isNamed && chain?.kind === 'attested' && chain.chainId !== undefined) {
    const { kind, chainId, genesisHash, consensus } = chain
    return defineChain({
      name: 'attested',
      kind,
      chainId,
      genesisHash,
      ...(consensus && { consensus }),
    })
  }
  if (isNamed || chain?.kind !== 'devnet') return chainOf(settings)
  const { genesisHash, consensus } = chain
  return consensus !== undefined && 'committeeSize' in consensus && 'periodLength' in consensus
    ? devnet(genesisHash, consensus)
    : devnet(genesisHash)
}

function chainIn(
  file: unknown,
): (Partial<ProofFile['chain']> & { genesisHash: string }) | undefined {
  if (typeof file !== 'object' || file === null || !('chain' in file)) return undefined
  const { chain } = file
  const isOne = typeof chain === 'object' && chain !== null && 'genesisHash' in chain
  return isOne ? (chain as ProofFile['chain']) : undefined
}
