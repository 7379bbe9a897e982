/**
 * `eth_simulateV1` of one block: transactions one after another in a block on top of a proven one.
 *
 * That block is nobody's: its fields are what the caller says, and geth's defaults. What geth makes
 * up for it is left out where it is not computed here: its hash, its roots, its bloom and size, and
 * the hashes of transactions that nobody signed.
 */

import { getBlock } from '../actions/getBlock.js'
import { blockOf } from '../adapters/blockTag.js'
import type { Answer, Ask } from '../adapters/methods.js'
import { invalidParams, ProviderRpcError, toRpcError, unprovable } from '../adapters/rpcError.js'
import { toQuantity } from '../encoding/hex.js'
import { isRecord, shown } from '../encoding/input.js'
import { printable } from '../encoding/printable.js'
import { headerJson } from '../ethereum/blocks/headerJson.js'
import type { Json } from '../result/json.js'
import type { Block, Invalid, Unavailable } from '../result/result.js'
import type { BlockOverride } from './overrides.js'
import { blockFieldsOf, CODES, callOf, isGiven, quantity, stateOf, wordsOf } from './rpcCall.js'
import { type Simulation, simulateCalls } from './simulate.js'
import type { CallLog, CallRequest, Reverted, Succeeded } from './types.js'

/** What a block on top has, unless the caller says otherwise: geth's defaults. */
const SECONDS_LATER = 12n
const NO_HASH = `0x${'00'.repeat(32)}` as const
/** keccak-256 of the empty list. */
const NO_UNCLES = '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347'
/** Root of an empty trie. */
const EMPTY_TRIE = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'
/** Gas that a call has here unless it says otherwise. */
const DEFAULT_GAS = 2n ** 24n

/** Codes of geth for this method. */
const RPC = { gasLimit: -38015, blockOrder: -38020, timeOrder: -38021, halted: -32015 } as const

/** Options that are not supported, and why. */
const REFUSED: Readonly<Record<string, string>> = {
  validation: 'nonces and fees are not checked here',
  traceTransfers: 'payments inside a call are not logged here',
  returnFullTransactions: 'the transactions are not signed, so they have no hashes',
}

/**
 * Answers `[{ blockStateCalls: [one], … }, block]`.
 *
 * @throws ProviderRpcError
 */
export async function simulateV1({ client, params, signal }: Ask): Promise<Answer> {
  const [options, tag] = params
  const { transactions, state, altered } = parseOptions(options)
  const at = blockOf(client, tag)
  const found = await getBlock(client, { ...(at !== undefined && { block: at }), signal })
  if ('error' in found) throw failure(found)
  const base = found.value
  const header = headerJson(client, base)
  const block = onTop(base, header, altered)
  const calls = transactions.map((transaction) => priced(transaction, block))
  const result = await simulateCalls(client, {
    calls,
    at: base,
    stateOverride: stateOf(state),
    blockOverride: block,
    signal,
  })
  if (result.status !== 'proven') throw failure(result)
  checkGas(transactions, result.value, block.gasLimit)
  return { result: [blockJson(base, header, block, result.value)], trust: result.trust }
}

function parseOptions(options: unknown): {
  readonly transactions: readonly unknown[]
  readonly state: unknown
  readonly altered: unknown
} {
  const { blockStateCalls: blocks, ...rest } = isRecord(options) ? options : {}
  if (!Array.isArray(blocks)) {
    throw invalidParams(`expected { blockStateCalls: [...] }, got ${shown(options)}`)
  }
  for (const [name, value] of Object.entries(rest)) {
    const why = Object.hasOwn(REFUSED, name) ? REFUSED[name] : 'this option is not supported'
    if (value !== false && isGiven(value)) throw unprovable(`${printable(name)} is refused: ${why}`)
  }
  const [block] = blocks as readonly unknown[]
  if (blocks.length !== 1) {
    throw unprovable(
      `expected one block, got ${blocks.length}: a second block needs the hash of the first`,
    )
  }
  if (!isRecord(block)) throw invalidParams(`expected a block, got ${shown(block)}`)
  const { blockOverrides, stateOverrides = {}, calls = [], ...unknown } = block
  const [stranger] = Object.keys(unknown)
  if (stranger !== undefined)
    throw unprovable(`${printable(stranger)} is not a supported block field`)
  if (!Array.isArray(calls)) throw invalidParams(`expected calls, got ${shown(calls)}`)
  return { transactions: calls, state: stateOverrides ?? {}, altered: blockOverrides ?? {} }
}

/**
 * The fields of the block on top: of the blob base fee nothing is told, and it stays the proven
 * block's unless it is given.
 */
type Top = BlockOverride & Required<Omit<BlockOverride, 'blobBaseFee'>>

/** The transaction as a call, at the price that it comes to in the block. */
function priced(transaction: unknown, { baseFeePerGas, gasLimit }: Top): CallRequest {
  const call = { gas: least(DEFAULT_GAS, gasLimit), ...callOf(transaction) }
  const { maxFeePerGas, maxPriorityFeePerGas: tip } = isRecord(transaction) ? transaction : {}
  if (!isGiven(maxFeePerGas) || call.gasPrice !== undefined) return call
  const wanted = baseFeePerGas + (isGiven(tip) ? quantity(tip, 'maxPriorityFeePerGas') : 0n)
  return { ...call, gasPrice: least(quantity(maxFeePerGas, 'maxFeePerGas'), wanted) }
}

/** The block on top. */
function onTop(
  { number, timestamp }: Block,
  header: ReturnType<typeof headerJson>,
  altered: unknown,
): Top {
  const block = {
    number: number + 1n,
    time: timestamp + SECONDS_LATER,
    gasLimit: BigInt(header['gasLimit'] ?? 0),
    feeRecipient: header['miner'] ?? `0x${'00'.repeat(20)}`,
    prevRandao: NO_HASH,
    // As geth has it where fees are not checked: whoever pays nothing reads zero.
    baseFeePerGas: 0n,
    ...blockFieldsOf(altered),
  }
  if (block.number <= number) {
    throw new ProviderRpcError(RPC.blockOrder, `expected a block above ${number}`)
  }
  if (block.number !== number + 1n) {
    throw unprovable(
      `blocks between ${number} and ${block.number} would have hashes, which cannot be known`,
    )
  }
  if (block.time <= timestamp) {
    throw new ProviderRpcError(RPC.timeOrder, `expected a time after ${timestamp}`)
  }
  return block
}

type Outcomes = readonly (Succeeded<Simulation> | Reverted)[]

function checkGas(transactions: readonly unknown[], outcomes: Outcomes, limit: bigint): void {
  let used = 0n
  for (const [i, outcome] of outcomes.entries()) {
    if (outcome.status === 'reverted' && outcome.error.code === 'call.refused') {
      throw new ProviderRpcError(CODES['call.refused'], wordsOf(outcome.error))
    }
    const gas = callOf(transactions[i]).gas ?? gasOf(outcome)
    if (used + BigInt(gas) > limit) {
      const problem = `block gas limit reached: call ${i} wants ${gas}, ${limit - used} are left`
      throw new ProviderRpcError(RPC.gasLimit, problem)
    }
    used += gasOf(outcome)
  }
}

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b)

const gasOf = (outcome: Outcomes[number]): bigint =>
  outcome.status === 'success' ? outcome.value.gasUsed : outcome.gasUsed

function blockJson(
  base: Block,
  header: ReturnType<typeof headerJson>,
  block: Top,
  outcomes: Outcomes,
): Json {
  const number = toQuantity(block.number)
  const timestamp = toQuantity(block.time)
  let logIndex = 0n
  const logOf = ({ address, topics, data }: CallLog, i: number): Json => ({
    address,
    topics: [...topics],
    data,
    blockNumber: number,
    blockTimestamp: timestamp,
    transactionIndex: toQuantity(BigInt(i)),
    logIndex: toQuantity(logIndex++),
    removed: false,
  })
  const has = (name: string, value: Json): Record<string, Json> =>
    header[name] === undefined ? {} : { [name]: value }
  return {
    number,
    parentHash: base.hash,
    timestamp,
    nonce: `0x${'00'.repeat(8)}`,
    difficulty: header['difficulty'] ?? '0x0',
    extraData: '0x',
    gasLimit: toQuantity(block.gasLimit),
    gasUsed: toQuantity(outcomes.reduce((sum, outcome) => sum + gasOf(outcome), 0n)),
    miner: block.feeRecipient.toLowerCase(),
    mixHash: block.prevRandao,
    sha3Uncles: NO_UNCLES,
    uncles: [],
    ...has('baseFeePerGas', toQuantity(block.baseFeePerGas)),
    ...has('withdrawalsRoot', EMPTY_TRIE),
    ...has('parentBeaconBlockRoot', NO_HASH),
    calls: outcomes.map((outcome, i) => {
      if (outcome.status === 'success') {
        const { output, gasUsed, logs } = outcome.value
        const list = logs.map((log) => logOf(log, i))
        return { returnData: output, logs: list, gasUsed: toQuantity(gasUsed), status: '0x1' }
      }
      const { error, gasUsed } = outcome
      const code = error.code === 'call.halted' ? RPC.halted : CODES[error.code]
      const data = error.code === 'call.reverted' ? { data: error.data } : {}
      return {
        returnData: error.data,
        logs: [],
        gasUsed: toQuantity(gasUsed),
        status: '0x0',
        error: { code, message: wordsOf(error), ...data },
      }
    }),
  }
}

function failure(result: Invalid | Unavailable): ProviderRpcError {
  return toRpcError(result.error, result.status === 'invalid' ? result.evidence : [])
}
