/** Which rules a chain's blocks follow: data, never a node's word. */

import { integerBytes } from '../encoding/hex.js'
import { isRecord, parseOptions, shown } from '../encoding/input.js'
import { encodeRlp, name } from '../encoding/rlp.js'
import { InputError } from '../result/errors.js'

/**
 * Rules of execution, and the first block that follows them. Rules that this version does not know
 * may be named too: calls in their blocks are refused with code `chain.fork`.
 */
export type Fork = {
  /**
   * `byzantium`, `petersburg`, `istanbul`, `berlin`, `london`, `paris`, `shanghai`, `cancun`,
   * `prague`, `osaka`, `amsterdam`.
   */
  readonly rules: string
  /** Since Cancun: the divisor of the blob base fee's exponent (EIP-4844, EIP-7892). */
  readonly blobFraction?: number
} & (
  | { /** Number of the first block. */ readonly block: number }
  | { /** Time of the first block, in seconds since 1970. */ readonly time: number }
)

const [CANCUN, PRAGUE, BPO1, BPO2] = [3_338_477, 5_007_716, 8_346_193, 11_684_671]

const later = (shanghai: number, cancun: number, prague: number): Fork[] => [
  { rules: 'shanghai', time: shanghai },
  { rules: 'cancun', time: cancun, blobFraction: CANCUN },
  { rules: 'prague', time: prague, blobFraction: PRAGUE },
]

const osaka = (...[osaka, bpo1, bpo2]: readonly [number, number, number]): Fork[] => [
  { rules: 'osaka', time: osaka, blobFraction: PRAGUE },
  { rules: 'osaka', time: bpo1, blobFraction: BPO1 },
  { rules: 'osaka', time: bpo2, blobFraction: BPO2 },
]

/** By genesis hash. */
const NETWORKS: Readonly<Record<string, readonly Fork[]>> = {
  // mainnet
  '0xd4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3': [
    { rules: 'byzantium', block: 4_370_000 },
    { rules: 'petersburg', block: 7_280_000 },
    { rules: 'istanbul', block: 9_069_000 },
    { rules: 'berlin', block: 12_244_000 },
    { rules: 'london', block: 12_965_000 },
    { rules: 'paris', block: 15_537_394 },
    ...later(1_681_338_455, 1_710_338_135, 1_746_612_311),
    ...osaka(1_764_798_551, 1_765_290_071, 1_767_747_671),
  ],
  // sepolia
  '0x25a5cc106eea7138acab33231d7160d69cb777ee0c2c553fcddf5138993e6dd9': [
    { rules: 'london', block: 0 },
    { rules: 'paris', block: 1_450_409 },
    ...later(1_677_557_088, 1_706_655_072, 1_741_159_776),
    ...osaka(1_760_427_360, 1_761_017_184, 1_761_607_008),
    { rules: 'amsterdam', time: 1_791_294_816, blobFraction: BPO2 },
  ],
  // hoodi
  '0xbbe312868b376a3001692a646dd2d7d1e4406380dfd86b98aa8a34d1557c971b': [
    { rules: 'cancun', block: 0, blobFraction: CANCUN },
    { rules: 'prague', time: 1_742_999_832, blobFraction: PRAGUE },
    ...osaka(1_761_677_592, 1_762_365_720, 1_762_955_544),
  ],
}

/** A chain, as far as its forks are concerned. */
interface Forking {
  readonly name: string
  readonly kind: string
  readonly genesisHash: string
  readonly forks?: readonly Fork[]
}

/**
 * The chain's table as the core takes it.
 *
 * @throws InputError `input.chain` if there is none, or an entry is malformed.
 */
export function encodeForks({ kind, forks, genesisHash, name }: Forking): Uint8Array {
  const given: unknown = forks ?? NETWORKS[genesisHash]
  if (kind !== 'ethereum' || given === undefined) {
    const problem = `nothing says which rules the blocks of ${name} follow: set forks of the chain`
    throw new InputError('input.chain', 'client', problem)
  }
  if (!Array.isArray(given)) throw malformed('forks', 'a list', given)
  return encodeRlp(given.map((fork: unknown, i) => encodeFork(fork, `forks[${i}]`)))
}

function encodeFork(value: unknown, argument: string): Uint8Array[] {
  const known = ['rules', 'block', 'time', 'blobFraction'] as const
  const { rules, block, time, blobFraction = 0 } = parseOptions(value, argument, known)
  if (typeof rules !== 'string') throw malformed(`${argument}.rules`, 'a name', rules)
  if ((block === undefined) === (time === undefined)) {
    throw malformed(argument, 'either block or time', isRecord(value) ? 'both or none' : value)
  }
  const start = name(block === undefined ? 'time' : 'block')
  const at =
    block === undefined ? natural(time, `${argument}.time`) : natural(block, `${argument}.block`)
  return [name(rules), start, at, natural(blobFraction, `${argument}.blobFraction`)]
}

function natural(value: unknown, argument: string): Uint8Array {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) {
    return integerBytes(BigInt(value))
  }
  throw malformed(argument, 'a whole number', value)
}

function malformed(argument: string, expected: string, got: unknown): InputError {
  return new InputError('input.chain', argument, `expected ${expected}, got ${shown(got)}`)
}
