/** Chain configurations: what the caller says about a chain. Never taken from a node. */

import { fromHex, type Hex, toHex } from '../encoding/hex.js'
import {
  isRecord,
  parseHash,
  parseInteger,
  parseOptions,
  shown,
  unexpected,
} from '../encoding/input.js'
import { printable } from '../encoding/printable.js'
import type { Fork } from '../evm/forks.js'
import { defaultSystem, ETHEREUM } from '../systems/default.js'
import type { Systems } from '../systems/registry.js'
import type { ProofSystem, SystemConfig } from '../systems/system.js'
import {
  BEACON_NETWORKS,
  type BeaconConsensus,
  type Consensus,
  type DevnetConsensus,
  parseConsensus,
} from './consensus.js'

/**
 * The form of a chain's headers: Ethereum's; those of Lightproof's devnet; or the same, attested by
 * operators with keys of their own.
 */
export type ChainKind = 'ethereum' | 'devnet' | 'attested'

/** A chain as the caller configures it. */
export interface Chain {
  /** For people, e.g. `mainnet`. */
  readonly name: string
  readonly kind: ChainKind
  /** EIP-155 chain id. */
  readonly chainId: number
  /** Hash of block 0. */
  readonly genesisHash: Hex
  /** The proof systems that its headers commit to. */
  readonly systems: Systems
  /**
   * `devnet`: what `systems` leaves out is as `lightproof-node` has it, which each system's entry
   * knows.
   */
  readonly preset?: 'devnet'
  /**
   * Who signs its headers. Needed for `anchor: { checkpoint }`; without it a header is trusted by
   * its hash alone.
   */
  readonly consensus?: Consensus
  /**
   * Since when its blocks follow which rules: for calls (`lightproof/evm`), which know those of
   * Ethereum's own networks.
   */
  readonly forks?: readonly Fork[]
}

/**
 * A network of Ethereum, whose forks are data: `consensus: { ...chain.consensus, forks:
 * [...chain.consensus.forks, fork] }` adds one that came after this version.
 */
export interface BeaconChain extends Chain {
  readonly kind: 'ethereum'
  readonly consensus: BeaconConsensus
}

/** Ethereum. */
export const mainnet: BeaconChain = {
  name: 'mainnet',
  kind: 'ethereum',
  chainId: 1,
  genesisHash: '0xd4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3',
  systems: ETHEREUM,
  consensus: BEACON_NETWORKS.mainnet,
}

/** Ethereum's test network Sepolia. */
export const sepolia: BeaconChain = {
  name: 'sepolia',
  kind: 'ethereum',
  chainId: 11155111,
  genesisHash: '0x25a5cc106eea7138acab33231d7160d69cb777ee0c2c553fcddf5138993e6dd9',
  systems: ETHEREUM,
  consensus: BEACON_NETWORKS.sepolia,
}

/** Ethereum's test network Hoodi. */
export const hoodi: BeaconChain = {
  name: 'hoodi',
  kind: 'ethereum',
  chainId: 560048,
  genesisHash: '0xbbe312868b376a3001692a646dd2d7d1e4406380dfd86b98aa8a34d1557c971b',
  systems: ETHEREUM,
  consensus: BEACON_NETWORKS.hoodi,
}

/** Chain id of Lightproof's devnet ("LP" in ASCII). */
const DEVNET_ID = 0x4c50

/** What a devnet's node says of itself, as far as it is configuration: its first line of output. */
export interface DevnetLine {
  readonly genesisHash: string
  readonly chainId?: number
  readonly consensus?: DevnetConsensus
  readonly systems?: Systems
}

/**
 * Lightproof's devnet, which `lightproof-node` serves, with the systems' usual configurations
 * where the node's line names no others.
 *
 * @example
 * const chain = devnet(JSON.parse(firstLine)) // that the node printed, on a console that you trust
 *
 * @param genesis - hash of its block 0, as the node's operator announces it; or what its node
 *   printed first.
 * @param consensus - size and period of its committees, if it signs headers; announced likewise.
 * @throws {@link InputError} if either is malformed.
 */
export function devnet(genesis: string | DevnetLine, consensus?: DevnetConsensus): Chain {
  const line = typeof genesis === 'string' ? { genesisHash: genesis, consensus } : genesis
  const usual = { kind: 'devnet', chainId: DEVNET_ID, ...line }
  return parseChain({ ...usual, name: 'devnet', preset: 'devnet' }, 'chain')
}

/** What {@link defineChain} takes. */
export interface ChainDefinition {
  readonly name: string
  /** `ethereum`, if left out beside `id`. */
  readonly kind?: ChainKind
  /** EIP-155 chain id. */
  readonly chainId?: number
  /** The same, as viem's chains call it. */
  readonly id?: number
  /** Hash of block 0. */
  readonly genesisHash: string
  /** Ethereum's, if left out. */
  readonly systems?: Systems
  readonly consensus?: Consensus
  readonly forks?: readonly Fork[]
}

/**
 * A chain of your own, or one of viem's with the hash of its block 0.
 *
 * @example
 * const chain = defineChain({ ...viemChain, genesisHash: '0x…' })
 *
 * @throws {@link InputError} naming the field that is missing or malformed.
 */
export function defineChain(chain: ChainDefinition): Chain {
  return parseChain(chain, 'chain')
}

/** @internal */
export function parseChain(value: unknown, argument: string): Chain {
  if (!isRecord(value)) {
    throw unexpected('input.chain', argument, 'a chain', value)
  }
  const { id: viemId, name, chainId = viemId, genesisHash, systems = ETHEREUM } = value
  const { kind = viemId && 'ethereum', preset, consensus, forks } = value
  // It is part of messages and reports, and a link or a file may bring the chain: 200 characters,
  // all to be seen.
  if (typeof name !== 'string' || name === '' || name !== printable(name)) {
    throw unexpected('input.chain', `${argument}.name`, 'a name', name)
  }
  if (kind !== 'ethereum' && kind !== 'devnet' && kind !== 'attested') {
    throw unexpected('input.chain', `${argument}.kind`, '"ethereum", "devnet" or "attested"', kind)
  }
  if (preset !== undefined && preset !== 'devnet') {
    throw unexpected('input.chain', `${argument}.preset`, '"devnet" or nothing', preset)
  }
  if (consensus === undefined && kind === 'attested') {
    throw unexpected('input.chain', `${argument}.consensus`, '{ periodLength }', consensus)
  }
  const bounds = { min: 1, max: Number.MAX_SAFE_INTEGER, code: 'input.chain' } as const
  return {
    name,
    kind,
    chainId: parseInteger(chainId, `${argument}.chainId`, bounds),
    genesisHash: parseHash(genesisHash, `${argument}.genesisHash`, 'input.chain'),
    systems: parseSystems(systems, `${argument}.systems`),
    ...(preset && { preset }),
    // Looked at where calls are run.
    ...(forks !== undefined && { forks: forks as readonly Fork[] }),
    ...(consensus !== undefined && {
      consensus: parseConsensus(consensus, kind, `${argument}.consensus`),
    }),
  }
}

function parseSystems(value: unknown, argument: string): Systems {
  if (!isRecord(value)) {
    throw unexpected('input.option', argument, 'an object', value)
  }
  const configs = Object.entries(value)
    .filter(([, config]) => config !== undefined)
    .map(([name, config]) => {
      // Those of other systems are checked when the system is first used.
      const formats = name === defaultSystem.name ? defaultSystem.formats : undefined
      return [name, parseSystem(name, config, `${argument}.${name}`, formats)]
    })
  return Object.fromEntries(configs)
}

/**
 * The configuration of a system.
 *
 * @param formats - those that it has. Left out: any of its name.
 * @internal
 */
export function parseSystem(
  name: string,
  value: unknown,
  argument: string,
  formats?: readonly string[],
): SystemConfig {
  const given = parseOptions(value, argument, ['format', 'paramsDigest', 'params', 'insecure'])
  const { format, paramsDigest, params, insecure } = given
  if (typeof format !== 'string' || !isSystemName(name) || !format.startsWith(`${name}/`)) {
    throw unexpected(
      'input.chain',
      `${argument}.format`,
      `a format of ${shown(name)}, such as "${defaultSystem.formats[0]}" of ${defaultSystem.name}`,
      format,
    )
  }
  if (formats !== undefined) checkFormat(format, formats, argument)
  const bytes = fromHex(params)
  if (params !== undefined && bytes === undefined) {
    throw unexpected('input.chain', `${argument}.params`, '0x and hex of whole bytes', params)
  }
  if (insecure !== undefined && typeof insecure !== 'boolean') {
    throw unexpected('input.chain', `${argument}.insecure`, 'true or false', insecure)
  }
  return {
    format,
    ...(paramsDigest === undefined
      ? {}
      : { paramsDigest: parseHash(paramsDigest, `${argument}.paramsDigest`, 'input.chain') }),
    ...(bytes === undefined ? {} : { params: toHex(bytes) }),
    ...(insecure && { insecure }),
  }
}

function checkFormat(format: string, formats: readonly string[], argument: string): void {
  if (formats.includes(format)) return
  throw unexpected('input.chain', `${argument}.format`, formats.join(' or '), format)
}

/**
 * What the chain says of a system, or what its preset does; undefined if it does not commit to it.
 *
 * @throws InputError `input.chain` for a format that the system does not have.
 * @internal
 */
export function findConfig(
  { kind, systems, preset }: Pick<Chain, 'kind' | 'systems' | 'preset'>,
  {
    name,
    formats,
    devnet,
    ethereum,
  }: Pick<ProofSystem, 'name' | 'formats' | 'devnet' | 'ethereum'>,
): SystemConfig | undefined {
  const configs: Readonly<Record<string, SystemConfig | undefined>> = systems
  const own = Object.hasOwn(configs, name) ? configs[name] : undefined
  if (own !== undefined) checkFormat(own.format, formats, `chain.systems.${name}`)
  if (own !== undefined) return own
  if (kind === 'ethereum') return ethereum
  return preset === 'devnet' ? devnet : undefined
}

/** May it be the name of a proof system? */
export function isSystemName(name: unknown): name is string {
  return typeof name === 'string' && /^[a-z][a-z0-9-]{0,31}$/.test(name)
}
