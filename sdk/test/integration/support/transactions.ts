/** Every kind of transaction that a development geth takes, and many of them. */

import { keccak256, sha256, type TransactionRequest, toBeHex, Wallet } from 'ethers'
import type { Hex } from '../../../src/encoding/hex.js'
import { APPROVING_TOKEN_CODE, deploying } from '../../support/contracts.js'
import { CROWD, crowdMember, DEV_CHAIN_ID, faucet } from './genesis.js'
import type { Sender } from './history.js'

const word = (value: bigint | string): string => toBeHex(BigInt(value), 32).slice(2)
const place = (...words: readonly (bigint | string)[]): Hex =>
  keccak256(`0x${words.map(word).join('')}`) as Hex

/** All of the token, at first the faucet's. */
const SUPPLY = 10n ** 24n
/** What holds tokens and may spend some. */
const HOLDER = crowdMember(0).address
const SPENDER = crowdMember(2).address
/** Who delegates to the token's code (EIP-7702). Public, and worth nothing. */
const DELEGATOR = new Wallet(`0x${'2d'.repeat(32)}`)
/** Inherits from contracts that destroy themselves. */
const HEIR = `0x${'4e'.repeat(20)}`

const transferring = (to: string, amount: bigint): string => `0xa9059cbb${word(to)}${word(amount)}`
const approving = (to: string, amount: bigint): string => `0x095ea7b3${word(to)}${word(amount)}`

/**
 * A blob of zeros. Its polynomial is zero, so its commitment and all its proofs are the point at
 * infinity.
 */
export function blobOfZeros(): Pick<TransactionRequest, 'blobs' | 'blobVersionedHashes'> {
  const infinity = `c0${'00'.repeat(47)}`
  const data = `0x${'00'.repeat(131_072)}`
  const commitment = `0x${infinity}`
  const proof = `0x${infinity.repeat(128)}`
  return {
    blobs: [{ data, commitment, proof }],
    blobVersionedHashes: [`0x01${sha256(commitment).slice(4)}`],
  }
}

/** What the transactions left behind. */
export interface Transactions {
  readonly token: string
  /** Of {@link HOLDER} in the token. */
  readonly slot: Hex
  /** The faucet's allowance for somebody, and its amount. */
  readonly allowance: { readonly slot: Hex; readonly value: bigint }
  /** Made and destroyed in one transaction. */
  readonly gone: string
  readonly heir: { readonly address: string; readonly balance: bigint }
  readonly delegated: { readonly address: string; readonly code: string }
  /** Wei that the crowd was sent, by address. */
  readonly received: ReadonlyMap<string, bigint>
  /** The block of the last transaction. */
  readonly last: number
}

/** Sends `calls` at once among one of each other kind. */
export async function makeTransactions(sender: Sender, calls: number): Promise<Transactions> {
  const held = place(faucet.address, 0n)
  const made = await sender.send({ data: deploying(APPROVING_TOKEN_CODE, [[held, SUPPLY]]) })
  const token = made.contract ?? ''
  for (const amount of [100n, 20n])
    await sender.send({ to: token, data: transferring(HOLDER, amount) })
  await sender.send({ to: token, data: approving(SPENDER, 77n) })
  // Code that destroys itself at once, and code that stays when it is told to: EIP-6780.
  const end = `73${HEIR.slice(2)}ff`
  const gone = await sender.send({ data: `0x${end}`, value: 3n })
  const stays = await sender.send({ data: deploying(`0x${end}`) })
  await sender.send({ to: stays.contract ?? '', value: 4n })
  const authorization = { address: token, nonce: 0, chainId: DEV_CHAIN_ID }
  await sender.send({
    type: 4,
    to: DELEGATOR.address,
    authorizationList: [DELEGATOR.authorizeSync(authorization)],
  })
  const received = new Map<string, bigint>()
  await sender.sendAll(randomCalls(calls, token, received))
  // Last: its pool keeps the sender for a while, who has no place in the other one then.
  const blob = { maxFeePerBlobGas: 10n ** 10n, blobWrapperVersion: 1, ...blobOfZeros() }
  const { block: last } = await sender.send({ type: 3, to: HEIR, value: 5n, ...blob })
  return {
    token,
    slot: place(HOLDER, 0n),
    allowance: { slot: place(SPENDER, place(faucet.address, 1n)), value: 77n },
    gone: gone.contract ?? '',
    heir: { address: HEIR, balance: 3n + 4n + 5n },
    delegated: { address: DELEGATOR.address, code: `0xef0100${token.slice(2)}` },
    received,
    last,
  }
}

/** Payments, transfers and approvals, the same in every run; adds what accounts are paid. */
function randomCalls(
  count: number,
  token: string,
  received: Map<string, bigint>,
): TransactionRequest[] {
  let state = 7n
  const next = (below: number): number => {
    state = (state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n) % 2n ** 64n
    return Number((state >> 33n) % BigInt(below))
  }
  return Array.from({ length: count }, () => {
    const kind = next(4)
    const amount = BigInt(next(1000) + 1)
    // The holder is asked about: its slot gets many versions.
    const { address } = crowdMember(next(2) === 0 ? 0 : next(CROWD))
    if (kind === 0) {
      received.set(address, (received.get(address) ?? 0n) + amount)
      return { to: address, value: amount, gasLimit: 30_000n }
    }
    const spender = crowdMember(3 + next(CROWD - 3)).address
    const data = kind === 1 ? approving(spender, amount) : transferring(address, amount)
    return { to: token, data, gasLimit: 120_000n }
  })
}
