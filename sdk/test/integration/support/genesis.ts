/** Genesis of a development chain, so that the tests need no file from elsewhere. */

import { Wallet } from 'ethers'

/** A fork of which the chain has all rules, and all header fields, from block 0 on. */
export type Fork = 'cancun' | 'prague' | 'osaka' | 'amsterdam'

/** Not 1337: a node of another chain must not pass for this one by accident. */
export const DEV_CHAIN_ID = 19_537

/** Public, and worth nothing. */
export const FAUCET_KEY = `0x${'1f'.repeat(32)}` as const

/** Holds the money. */
export const faucet = new Wallet(FAUCET_KEY)

const BLOCK_FORKS = [
  'homestead',
  'eip150',
  'eip155',
  'eip158',
  'byzantium',
  'constantinople',
  'petersburg',
  'istanbul',
  'muirGlacier',
  'berlin',
  'london',
  'arrowGlacier',
  'grayGlacier',
  'mergeNetsplit',
]
const TIME_FORKS = ['shanghai', 'cancun', 'prague', 'osaka', 'amsterdam']
const BLOBS = { target: 6, max: 9, baseFeeUpdateFraction: 5_007_716 }

/**
 * Contracts that a block calls for validators' requests (EIP-7002, EIP-7251, and Amsterdam's two
 * for builders). Blocks are refused where they have no code; here they do nothing, which makes no
 * requests.
 */
const SYSTEM_CONTRACTS = [
  '0x00000961Ef480Eb55e80D19ad83579A64c007002',
  '0x0000BBdDc7CE488642fb579F8B00f3a590007251',
  '0x0000BFF46984E3725691FA540A8C7589300D8282',
  '0x000064D678505AD48F8CCB093BC65613800E8282',
]
const STOP = '0x00'

/** The contract that keeps hashes of blocks (EIP-2935): each block calls it. */
const HISTORY = '0x0000F90827F1C53a10cb7A02335B175320002935'
const HISTORY_CODE =
  '0x3373fffffffffffffffffffffffffffffffffffffffe14604657602036036042575f35600143038111604257611fff81430311604257611fff9006545f5260205ff35b5f5ffd5b5f35611fff60014303065500'

/** Accounts beside the faucet: enough that a proof has several branches. */
export const CROWD = 300

/** Address and holdings of one of the crowd. */
export function crowdMember(i: number): { address: string; balance: bigint; nonce: bigint } {
  const address = `0x${(BigInt(i + 1) * 0x9e3779b97f4a7c15n ** 2n).toString(16).padStart(40, '0').slice(-40)}`
  return { address, balance: BigInt(i) * 10n ** 15n + 1n, nonce: BigInt(i % 3) }
}

/** The genesis file that `geth init` reads. */
export function devGenesis(newest: Fork): string {
  const times = TIME_FORKS.slice(0, TIME_FORKS.indexOf(newest) + 1)
  const hex = (value: bigint): string => `0x${value.toString(16)}`
  const crowd = Array.from({ length: CROWD }, (_, i) => crowdMember(i)).map(
    ({ address, balance, nonce }) => [address, { balance: hex(balance), nonce: hex(nonce) }],
  )
  return JSON.stringify({
    config: {
      chainId: DEV_CHAIN_ID,
      terminalTotalDifficulty: 0,
      ...Object.fromEntries(BLOCK_FORKS.map((fork) => [`${fork}Block`, 0])),
      ...Object.fromEntries(times.map((fork) => [`${fork}Time`, 0])),
      blobSchedule: Object.fromEntries(times.slice(1).map((fork) => [fork, BLOBS])),
    },
    difficulty: '0x0',
    gasLimit: hex(30_000_000n),
    alloc: {
      [faucet.address]: { balance: hex(10n ** 24n) },
      ...Object.fromEntries(SYSTEM_CONTRACTS.map((at) => [at, { balance: '0x0', code: STOP }])),
      [HISTORY]: { balance: '0x0', nonce: '0x1', code: HISTORY_CODE },
      ...Object.fromEntries(crowd),
    },
  })
}
