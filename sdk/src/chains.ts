/** Chain configurations: what the caller says about a chain. Never taken from a node. */

import {
  BEACON_NETWORKS,
  type Consensus,
  type DevnetConsensus,
  parseConsensus,
} from './consensus.js'
import type { Hex } from './encoding/hex.js'
import { isRecord, parseHash, parseInteger, shown } from './encoding/input.js'
import { InputError } from './errors.js'

/** How a chain commits to every version of its state. */
export interface ColeConfig {
  readonly format: 'cole/1' | 'cole/fast24'
  /** RLP `[system, m, T]`: 0 (COLE) or 1 (COLE*), fanout, size ratio. */
  readonly params: Hex
}

/** A chain as the caller configures it. */
export interface Chain {
  /** For people, e.g. `mainnet`. */
  readonly name: string
  /** The form of its headers: Ethereum's, or those of Lightproof's devnet. */
  readonly kind: 'ethereum' | 'devnet'
  /** EIP-155 chain id. */
  readonly chainId: number
  /** Hash of block 0. */
  readonly genesisHash: Hex
  /** The proof systems that its headers commit to. */
  readonly systems: { readonly mpt: { readonly format: 'mpt/1' }; readonly cole?: ColeConfig }
  /** Who signs its headers. Needed for `anchor: { checkpoint }`; without it a header is trusted by its hash alone. */
  readonly consensus?: Consensus
}

const MPT = { mpt: { format: 'mpt/1' } } as const

/** What `lightproof-node` commits to unless it is told otherwise: COLE, m = 4, T = 4. */
const DEVNET = { ...MPT, cole: { format: 'cole/1', params: '0xc3800404' } } as const

/** Ethereum. */
export const mainnet: Chain = {
  name: 'mainnet',
  kind: 'ethereum',
  chainId: 1,
  genesisHash: '0xd4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3',
  systems: MPT,
  consensus: BEACON_NETWORKS.mainnet,
}

/** Ethereum's test network Sepolia. */
export const sepolia: Chain = {
  name: 'sepolia',
  kind: 'ethereum',
  chainId: 11155111,
  genesisHash: '0x25a5cc106eea7138acab33231d7160d69cb777ee0c2c553fcddf5138993e6dd9',
  systems: MPT,
  consensus: BEACON_NETWORKS.sepolia,
}

/** Ethereum's test network Hoodi. */
export const hoodi: Chain = {
  name: 'hoodi',
  kind: 'ethereum',
  chainId: 560048,
  genesisHash: '0xbbe312868b376a3001692a646dd2d7d1e4406380dfd86b98aa8a34d1557c971b',
  systems: MPT,
  consensus: BEACON_NETWORKS.hoodi,
}

/** Chain id of Lightproof's devnet ("LP" in ASCII). */
const DEVNET_ID = 0x4c50

/**
 * Lightproof's devnet, which `lightproof-node` serves.
 *
 * @param genesisHash - hash of its block 0, as the node's operator announces it.
 * @param consensus - size and period of its committees, if it signs headers; announced likewise.
 * @throws {@link InputError} if either is malformed.
 */
export function devnet(genesisHash: string, consensus?: DevnetConsensus): Chain {
  const named = { name: 'devnet', kind: 'devnet', chainId: DEVNET_ID } as const
  const chain = { ...named, genesisHash, systems: DEVNET } as const
  return defineChain(consensus === undefined ? chain : { ...chain, consensus })
}

/**
 * A chain of your own.
 *
 * @throws {@link InputError} naming the field that is missing or malformed.
 */
export function defineChain(chain: {
  readonly name: string
  readonly kind: 'ethereum' | 'devnet'
  readonly chainId: number
  readonly genesisHash: string
  readonly systems?: Chain['systems']
  readonly consensus?: Consensus
}): Chain {
  return parseChain(chain, 'chain')
}

/** @internal */
export function parseChain(value: unknown, argument: string): Chain {
  if (!isRecord(value)) {
    throw new InputError('input.chain', argument, `expected a chain, got ${shown(value)}`)
  }
  const { name, kind, chainId, genesisHash, systems = MPT, consensus } = value
  if (typeof name !== 'string' || name === '') {
    throw new InputError('input.chain', `${argument}.name`, `expected a name, got ${shown(name)}`)
  }
  if (kind !== 'ethereum' && kind !== 'devnet') {
    const problem = `expected "ethereum" or "devnet", got ${shown(kind)}`
    throw new InputError('input.chain', `${argument}.kind`, problem)
  }
  if (!isRecord(systems) || !isRecord(systems['mpt']) || systems['mpt']['format'] !== 'mpt/1') {
    const problem = 'expected { mpt: { format: "mpt/1" } }'
    throw new InputError('input.chain', `${argument}.systems`, problem)
  }
  const id = { min: 1, max: Number.MAX_SAFE_INTEGER, code: 'input.chain' } as const
  const cole = parseCole(systems['cole'], `${argument}.systems.cole`)
  const chain: Chain = {
    name,
    kind,
    chainId: parseInteger(chainId, `${argument}.chainId`, id),
    genesisHash: parseHash(genesisHash, `${argument}.genesisHash`, 'input.chain'),
    systems: cole === undefined ? MPT : { ...MPT, cole },
  }
  if (consensus === undefined) return chain
  return { ...chain, consensus: parseConsensus(consensus, kind, `${argument}.consensus`) }
}

function parseCole(value: unknown, argument: string): ColeConfig | undefined {
  if (value === undefined) return undefined
  const { format, params } = isRecord(value) ? value : {}
  const known = format === 'cole/1' || format === 'cole/fast24'
  if (!known || typeof params !== 'string' || !/^0x([0-9a-f]{2})+$/.test(params)) {
    const problem = 'expected { format: "cole/1" or "cole/fast24", params: lower-case hex }'
    throw new InputError('input.chain', argument, problem)
  }
  return { format, params: params as Hex }
}
