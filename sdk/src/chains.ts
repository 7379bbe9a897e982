/** Chain configurations: what the caller says about a chain. Never taken from a node. */

import {
  BEACON_NETWORKS,
  type Consensus,
  type DevnetConsensus,
  parseConsensus,
} from './consensus.js'
import { fromHex, type Hex, toHex } from './encoding/hex.js'
import { isRecord, parseHash, parseInteger, parseOptions, shown } from './encoding/input.js'
import { InputError } from './errors.js'

/** How a chain commits to its state in one proof system. */
export interface SystemConfig<F extends string = string> {
  /** Bytes and hashes. */
  readonly format: F
  /** Digest of the public parameters. Left out, it is keccak-256 of `params`; without either there are none. */
  readonly paramsDigest?: Hex
  /** Public parameters; left out, a node is asked for those that hash to the digest. */
  readonly params?: Hex
  /** The secret of the parameters' setup is known, as a test chain's is: whoever knows it can forge proofs. */
  readonly insecure?: boolean
}

/** The proof systems that a chain's headers commit to. */
export interface Systems {
  /** Values at positions of one vector. */
  readonly balanceproofs?: SystemConfig<
    'balanceproofs/basic' | 'balanceproofs/bucketed' | 'balanceproofs/two-layer'
  >
  /** Every version of a value. */
  readonly cole?: SystemConfig<'cole/1' | 'cole/fast24'>
  /** A key's newest write over three layers. */
  readonly lmpt?: SystemConfig<'lmpt/1' | 'lmpt/conflux'>
  /** A key's latest value over vector commitments. */
  readonly lvmt?: SystemConfig<'lvmt/1' | 'lvmt/osdi23'>
  /** Ethereum's accounts and storage. */
  readonly mpt?: SystemConfig<'mpt/1'>
  /** A key in a k-ary Verkle tree, with commitments of Catalano and Fiore or of Kate, Zaverucha and Goldberg. */
  readonly verkle?: SystemConfig<`verkle/${'cf' | 'kzg'}-${32 | 256 | 1024}`>
}

/** A proof system that this version knows. */
export type SystemName = keyof Systems

const FORMATS: { readonly [N in SystemName]: readonly NonNullable<Systems[N]>['format'][] } = {
  balanceproofs: ['balanceproofs/basic', 'balanceproofs/bucketed', 'balanceproofs/two-layer'],
  cole: ['cole/1', 'cole/fast24'],
  lmpt: ['lmpt/1', 'lmpt/conflux'],
  lvmt: ['lvmt/1', 'lvmt/osdi23'],
  mpt: ['mpt/1'],
  verkle: [
    'verkle/cf-32',
    'verkle/cf-256',
    'verkle/cf-1024',
    'verkle/kzg-32',
    'verkle/kzg-256',
    'verkle/kzg-1024',
  ],
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
  readonly systems: Systems
  /** Who signs its headers. Needed for `anchor: { checkpoint }`; without it a header is trusted by its hash alone. */
  readonly consensus?: Consensus
}

/** What Ethereum's headers commit to. */
const MPT = { mpt: { format: 'mpt/1' } } as const

/**
 * What `lightproof-node` commits to unless it is told otherwise: 4,096 balances on Ethereum's KZG ceremony, whose points a node is asked
 * for; COLE, m = 4, T = 4; LVMT with 2^16 leaves, whose secret is known; Verkle nodes of KZG with Ethereum's ceremony, k = 256.
 */
const DEVNET = {
  ...MPT,
  balanceproofs: {
    format: 'balanceproofs/basic',
    paramsDigest: '0x4bba01bafff8c24741d3084d63860e878abe78b4e53c02f1e04275dee80d47ad',
  },
  cole: { format: 'cole/1', params: '0xc3800404' },
  lmpt: { format: 'lmpt/1' },
  lvmt: {
    format: 'lvmt/1',
    paramsDigest: '0x325fd1a1df356892939259a7f1411e935ff3a574e9bbcdeb3a168d78214a03ce',
    insecure: true,
  },
  verkle: {
    format: 'verkle/kzg-256',
    paramsDigest: '0x28ad28030be5e67ce0019f5d71aa945158717bcbdb8b3c29abf15ef8be535e22',
  },
} as const

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
  /** Ethereum's, if left out. */
  readonly systems?: Systems
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
  const id = { min: 1, max: Number.MAX_SAFE_INTEGER, code: 'input.chain' } as const
  const chain: Chain = {
    name,
    kind,
    chainId: parseInteger(chainId, `${argument}.chainId`, id),
    genesisHash: parseHash(genesisHash, `${argument}.genesisHash`, 'input.chain'),
    systems: parseSystems(systems, `${argument}.systems`),
  }
  if (consensus === undefined) return chain
  return { ...chain, consensus: parseConsensus(consensus, kind, `${argument}.consensus`) }
}

function parseSystems(value: unknown, argument: string): Systems {
  const entries = Object.entries(parseOptions(value, argument, Object.keys(FORMATS)))
  return Object.fromEntries(
    entries
      .filter(([, config]) => config !== undefined)
      .map(([name, config]) => [name, parseSystem(name, config, `${argument}.${name}`)]),
  )
}

/** @internal */
export function parseSystem(name: string, value: unknown, argument: string): SystemConfig {
  const given = parseOptions(value, argument, ['format', 'paramsDigest', 'params', 'insecure'])
  const { format, paramsDigest, params, insecure } = given
  const formats: readonly string[] = isSystem(name) ? FORMATS[name] : []
  if (typeof format !== 'string' || !formats.includes(format)) {
    const problem = `expected ${formats.join(' or ')}, got ${shown(format)}`
    throw new InputError('input.chain', `${argument}.format`, problem)
  }
  const bytes = typeof params === 'string' ? fromHex(params) : undefined
  if (params !== undefined && bytes === undefined) {
    const problem = `expected 0x and hex of whole bytes, got ${shown(params)}`
    throw new InputError('input.chain', `${argument}.params`, problem)
  }
  return {
    format,
    ...(paramsDigest === undefined
      ? {}
      : { paramsDigest: parseHash(paramsDigest, `${argument}.paramsDigest`, 'input.chain') }),
    ...(bytes === undefined ? {} : { params: toHex(bytes) }),
    ...(insecure === true ? { insecure } : {}),
  }
}

/** Is it the name of a proof system that this version knows? */
export function isSystem(name: unknown): name is SystemName {
  return typeof name === 'string' && Object.hasOwn(FORMATS, name)
}
