/** Chains that others use: what a node says of them is worth lying about. */

import { type Chain, hoodi, mainnet, sepolia } from '../client/chains.js'

const LISTED = [mainnet, sepolia, hoodi]

/**
 * EIP-155 ids of further chains with value on them, or that people test on together: Optimism, BNB,
 * Gnosis, Unichain, Polygon, Sonic, zkSync, World Chain, Polygon zkEVM, Mantle, Base, Holesky, Mode,
 * Arbitrum One, Arbitrum Nova, Celo, Avalanche, Ink, Linea, Berachain, Blast, Base Sepolia, Arbitrum
 * Sepolia, Scroll, Zora, Optimism Sepolia.
 */
const OTHERS: readonly number[] = [
  10, 56, 100, 130, 137, 146, 324, 480, 1101, 5000, 8453, 17_000, 34_443, 42_161, 42_170, 42_220,
  43_114, 57_073, 59_144, 80_094, 81_457, 84_532, 421_614, 534_352, 7_777_777, 11_155_420,
]

/** Is it one of those, by its id or by its block 0? */
export function isPublic({
  chainId,
  genesisHash,
}: Pick<Chain, 'chainId'> & Partial<Pick<Chain, 'genesisHash'>>): boolean {
  const isListed = LISTED.some(
    (chain) => chain.chainId === chainId || chain.genesisHash === genesisHash,
  )
  return isListed || OTHERS.includes(chainId)
}
