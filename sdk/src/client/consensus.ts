/** Who signs a chain's headers: data of the chain configuration, never from a node. */

import { bytesOf, type Hex, integerBytes } from '../encoding/hex.js'
import { isRecord, parseHash, parseInteger, parseSeconds, unexpected } from '../encoding/input.js'
import { name, type RlpValue } from '../encoding/rlp.js'
import { InputError } from '../result/errors.js'

/**
 * Generations of light-client containers. A fork that changed none has the shape of the one before
 * it.
 */
export type ContainerShape = 'altair' | 'capella' | 'deneb' | 'electra' | 'gloas'

const SHAPES: readonly ContainerShape[] = ['altair', 'capella', 'deneb', 'electra', 'gloas']

/** A fork of the beacon chain. */
export interface BeaconFork {
  /** Its first epoch. */
  readonly epoch: number
  /** Four bytes, part of what is signed. */
  readonly version: Hex
  /** Bellatrix has the shape `altair`, Fulu `electra`. */
  readonly shape: ContainerShape
  /**
   * Seconds for which a committee is believed while the fork lasts (weak subjectivity). Default 14
   * days, 7 from Gloas on.
   */
  readonly maxAgeSeconds?: number
}

/** Ethereum: a sync committee of the beacon chain signs. */
export interface BeaconConsensus {
  /** Keys of a committee: a power of two from 8 to 512. */
  readonly committeeSize: number
  readonly slotsPerEpoch: number
  /** Epochs for which a committee signs. */
  readonly epochsPerPeriod: number
  readonly secondsPerSlot: number
  /** Seconds since 1970 of slot 0. */
  readonly genesisTime: number
  readonly genesisValidatorsRoot: Hex
  /** From Altair on, in ascending order. */
  readonly forks: readonly BeaconFork[]
}

/** Lightproof's devnet: a committee signs for a period of blocks. */
export interface DevnetConsensus {
  /** Keys of a committee: a power of two from 8 to 512. */
  readonly committeeSize: number
  /** Blocks for which a committee signs. */
  readonly periodLength: number
}

/**
 * An attested chain: a committee of operators signs for a period of blocks. Its size is its own,
 * and may change.
 */
export interface AttestedConsensus {
  /** Blocks for which a committee signs. */
  readonly periodLength: number
}

/** Who signs a chain's headers. */
export type Consensus = BeaconConsensus | DevnetConsensus | AttestedConsensus

/** Of the beacon chain, or of a devnet? */
export function isBeacon(consensus: Consensus): consensus is BeaconConsensus {
  return 'forks' in consensus
}

/** The consensus as the core reads it: the list's last item in the chain's RLP. */
export function encodeConsensus(consensus: Consensus): RlpValue {
  const integer = (value: number): Uint8Array => integerBytes(BigInt(value))
  if (!isBeacon(consensus)) {
    const size = 'committeeSize' in consensus ? [integer(consensus.committeeSize)] : []
    return [...size, integer(consensus.periodLength)]
  }
  const { committeeSize, slotsPerEpoch, epochsPerPeriod, secondsPerSlot, genesisTime } = consensus
  const numbers = [committeeSize, slotsPerEpoch, epochsPerPeriod, secondsPerSlot, genesisTime]
  const forks = consensus.forks.map(({ epoch, version, shape }) => [
    integer(epoch),
    bytesOf(version),
    name(shape),
  ])
  return [...numbers.map(integer), bytesOf(consensus.genesisValidatorsRoot), forks]
}

const CODE = 'input.chain'
const MAX = Number.MAX_SAFE_INTEGER

/** @internal */
export function parseConsensus(
  value: unknown,
  kind: 'ethereum' | 'devnet' | 'attested',
  argument: string,
): Consensus {
  if (!isRecord(value)) {
    throw unexpected(CODE, argument, 'an object', value)
  }
  const integer = (key: string, min: number, max: number): number =>
    parseInteger(value[key], `${argument}.${key}`, { min, max, code: CODE })
  if (kind === 'attested') {
    if (value['committeeSize'] !== undefined) {
      const problem = 'is not fixed on an attested chain'
      throw new InputError(CODE, `${argument}.committeeSize`, problem)
    }
    return { periodLength: integer('periodLength', 1, MAX) }
  }
  const committeeSize = integer('committeeSize', 8, 512)
  if (!Number.isInteger(Math.log2(committeeSize))) {
    const problem = `expected a power of two, got ${committeeSize}`
    throw new InputError(CODE, `${argument}.committeeSize`, problem)
  }
  if (kind === 'devnet') return { committeeSize, periodLength: integer('periodLength', 1, MAX) }
  const root = value['genesisValidatorsRoot']
  return {
    committeeSize,
    slotsPerEpoch: integer('slotsPerEpoch', 1, 2 ** 20),
    epochsPerPeriod: integer('epochsPerPeriod', 1, 2 ** 20),
    secondsPerSlot: integer('secondsPerSlot', 1, 3600),
    genesisTime: integer('genesisTime', 0, MAX),
    genesisValidatorsRoot: parseHash(root, `${argument}.genesisValidatorsRoot`, CODE),
    forks: parseForks(value['forks'], `${argument}.forks`),
  }
}

function parseForks(value: unknown, argument: string): readonly BeaconFork[] {
  if (!Array.isArray(value) || value.length === 0) {
    throw new InputError(CODE, argument, 'expected a list of at least one fork')
  }
  const forks = value.map((fork: unknown, i) => parseFork(fork, `${argument}[${i}]`))
  forks.forEach((fork, i) => {
    const before = forks[i - 1]
    if (before === undefined) return
    const isAscending =
      before.epoch <= fork.epoch && SHAPES.indexOf(before.shape) <= SHAPES.indexOf(fork.shape)
    if (isAscending) return
    throw new InputError(CODE, `${argument}[${i}]`, 'comes before the fork above it')
  })
  return forks
}

function parseFork(value: unknown, argument: string): BeaconFork {
  const { epoch, version, shape, maxAgeSeconds } = isRecord(value) ? value : {}
  const known = SHAPES.find((one) => one === shape)
  if (known === undefined) {
    throw unexpected(CODE, `${argument}.shape`, `one of ${SHAPES.join(', ')}`, shape)
  }
  if (typeof version !== 'string' || !/^0x[0-9a-fA-F]{8}$/.test(version)) {
    throw unexpected(CODE, `${argument}.version`, '0x and 8 hex digits', version)
  }
  return {
    epoch: parseInteger(epoch, `${argument}.epoch`, { min: 0, max: MAX, code: CODE }),
    version: version.toLowerCase() as Hex,
    shape: known,
    ...(maxAgeSeconds === undefined
      ? {}
      : { maxAgeSeconds: parseSeconds(maxAgeSeconds, `${argument}.maxAgeSeconds`) }),
  }
}

const PRESET = {
  committeeSize: 512,
  slotsPerEpoch: 32,
  epochsPerPeriod: 256,
  secondsPerSlot: 12,
} as const
const FORK_SHAPES = ['altair', 'altair', 'capella', 'deneb', 'electra', 'electra', 'gloas'] as const

/**
 * A network of Ethereum's mainnet preset: its forks from Altair to Gloas, by epoch, as far as they
 * are scheduled.
 */
function network(
  genesisTime: number,
  genesisValidatorsRoot: Hex,
  forks: readonly (readonly [epoch: number, version: Hex])[],
): BeaconConsensus {
  const shaped = forks.map(([epoch, version], i): BeaconFork => {
    return { epoch, version, shape: FORK_SHAPES[i] ?? 'gloas' }
  })
  return { ...PRESET, genesisTime, genesisValidatorsRoot, forks: shaped }
}

/** Source: consensus-specs and the networks' configurations (eth-clients). */
export const BEACON_NETWORKS: Readonly<Record<'mainnet' | 'sepolia' | 'hoodi', BeaconConsensus>> = {
  mainnet: network(
    1_606_824_023,
    '0x4b363db94e286120d76eb905340fdd4e54bfe9f06bf33ff6cf5ad27f511bfe95',
    [
      [74_240, '0x01000000'],
      [144_896, '0x02000000'],
      [194_048, '0x03000000'],
      [269_568, '0x04000000'],
      [364_032, '0x05000000'],
      [411_392, '0x06000000'],
    ],
  ),
  sepolia: network(
    1_655_733_600,
    '0xd8ea171f3c94aea21ebc42a1ed61052acf3f9209c00e4efbaaddac09ed9b8078',
    [
      [50, '0x90000070'],
      [100, '0x90000071'],
      [56_832, '0x90000072'],
      [132_608, '0x90000073'],
      [222_464, '0x90000074'],
      [272_640, '0x90000075'],
      [353_024, '0x90000076'],
    ],
  ),
  hoodi: network(
    1_742_213_400,
    '0x212f13fc4df078b6cb7db228f1c8307566dcecf900867401a92023d7ba99cb5f',
    [
      [0, '0x20000910'],
      [0, '0x30000910'],
      [0, '0x40000910'],
      [0, '0x50000910'],
      [2048, '0x60000910'],
      [50_688, '0x70000910'],
    ],
  ),
}
