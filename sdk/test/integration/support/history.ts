/**
 * What happens on the development chain: a contract whose slots are written and cleared, and
 * transfers.
 */

import { type TransactionRequest, toBeHex } from 'ethers'
import { DEV_CHAIN_ID, faucet } from './genesis.js'
import { isRecord } from './json.js'
import { rpc } from './rpc.js'

/**
 * Stores pairs: calldata is a list of `slot ‖ value`, 32 bytes each.
 *
 *     00  PUSH1 0x00                                   i
 *     02  JUMPDEST
 *     03  DUP1 PUSH1 0x20 ADD CALLDATALOAD             i, value
 *     08  DUP2 CALLDATALOAD SSTORE                     i
 *     0b  PUSH1 0x40 ADD                               i + 64
 *     0e  CALLDATASIZE DUP2 LT PUSH1 0x02 JUMPI STOP   while i < size
 */
export const STORE_CODE = '0x60005b8060200135813555604001368110600257' + '00'

/** CODECOPY of what follows these 11 bytes, and RETURN of it. */
const DEPLOY = '0x601580600b6000396000f3'

/**
 * Slots whose hashes share 8 nibbles (0xf291631c): below the ninth their leaves, with small values,
 * are shorter than 32 bytes, so that the trie embeds them in their branch.
 */
export const TWINS = [40_364n, 105_566n] as const

/** Ordinary slots, enough for a storage trie of several branches. */
export const MANY = Array.from({ length: 64 }, (_, i) => BigInt(1000 + i))

export const SLOTS = { small: 0n, large: 1n, cleared: 2n, never: 3n } as const
export const LARGE = (1n << 255n) + 12345n

/**
 * What was done, and in which blocks. geth may add empty ones between and after them whenever it
 * likes.
 */
export interface DevHistory {
  readonly contract: string
  /** The faucet sent to it in the last step. */
  readonly receiver: string
  readonly blocks: {
    readonly written: number
    readonly cleared: number
    /** The last one: what the tests pin. */
    readonly sent: number
  }
}

/** Sends transactions of the faucet, each into a block of its own. */
export class Sender {
  private readonly url: string
  private nonce: number

  constructor(url: string, nonce = 0) {
    this.url = url
    this.nonce = nonce
  }

  /** Deploys the contract that stores pairs. */
  async deploy(): Promise<string> {
    const { contract } = await this.send({ data: DEPLOY + STORE_CODE.slice(2) })
    if (contract === null) throw new Error('the transaction made no contract')
    return contract
  }

  /** Sends a transaction; the number of its block, and the contract that it made. */
  async send(request: TransactionRequest): Promise<{ block: number; contract: string | null }> {
    const nonce = this.nonce++
    const sent = async (fee: bigint): Promise<unknown> => {
      const signed = await this.sign(request, nonce, fee)
      // Answers when the transaction is in a block (EIP-7966).
      return rpc(this.url, 'eth_sendRawTransactionSync', [signed])
    }
    const receipt = await sent(1n).catch((error: unknown) => {
      // A development chain that has just started can miss one: another in its place, which pays
      // more, is announced anew.
      if (!String(error).includes("wasn't processed in")) throw error
      return sent(2n)
    })
    if (!isRecord(receipt) || receipt['status'] !== '0x1') {
      throw new Error(`a transaction failed: ${JSON.stringify(receipt)}`)
    }
    const { blockNumber, contractAddress } = receipt
    const contract = typeof contractAddress === 'string' ? contractAddress : null
    return { block: Number(blockNumber), contract }
  }

  /** Sends transactions so that blocks hold many; the number of the last one's block. */
  async sendAll(requests: readonly TransactionRequest[]): Promise<number> {
    const [first, ...others] = requests.slice(0, -1)
    const nonce = this.nonce
    // Those after the first wait for it.
    for (const [i, request] of others.entries()) {
      await rpc(this.url, 'eth_sendRawTransaction', [await this.sign(request, nonce + 1 + i, 1n)])
    }
    if (first !== undefined) await this.send(first)
    this.nonce = nonce + Math.max(0, requests.length - 1)
    return (await this.send(requests.at(-1) ?? {})).block
  }

  private sign(request: TransactionRequest, nonce: number, fee: bigint): Promise<string> {
    return faucet.signTransaction({
      type: 2,
      chainId: DEV_CHAIN_ID,
      nonce,
      gasLimit: 16_000_000n,
      maxFeePerGas: fee * 10n ** 10n,
      maxPriorityFeePerGas: fee,
      ...request,
    })
  }
}

/** Calldata that stores the pairs. */
function storing(pairs: readonly (readonly [slot: bigint, value: bigint])[]): string {
  const words = pairs.flat().map((word) => toBeHex(word, 32).slice(2))
  return `0x${words.join('')}`
}

/** Runs the history. */
export async function makeHistory(url: string): Promise<DevHistory> {
  const sender = new Sender(url)
  const contract = await sender.deploy()
  const written = await sender.send({
    to: contract,
    data: storing([
      [SLOTS.small, 42n],
      [SLOTS.large, LARGE],
      [SLOTS.cleared, 7n],
      [TWINS[0], 1n],
      [TWINS[1], 2n],
      ...MANY.map((slot) => [slot, slot * 3n] as const),
    ]),
  })
  const cleared = await sender.send({ to: contract, data: storing([[SLOTS.cleared, 0n]]) })
  const receiver = `0x${'7e'.repeat(20)}`
  const sent = await sender.send({ to: receiver, value: 10n ** 18n })
  const blocks = { written: written.block, cleared: cleared.block, sent: sent.block }
  return { contract, receiver, blocks }
}
