import { getBlock } from '../../actions/getBlock.js'
import { parseParameters } from '../../actions/parameters.js'
import {
  parseWatch,
  WATCH_PARAMETERS,
  type Watch,
  type WatchParameters,
} from '../../actions/watch.js'
import type { Client } from '../../client/client.js'
import { isPinned, PINNED } from '../../client/pinned.js'
import { type Hash, parseHash, parseInteger, shown } from '../../encoding/input.js'
import { InputError } from '../../result/errors.js'
import type { Present, Result } from '../../result/result.js'
import type { Receipt } from '../../systems/body/types.js'
import { pause } from '../../transport/pause.js'
import type { Mined, TransactionParameters } from './blockBody.js'
import { getReceipt } from './getReceipt.js'
import { getReceipts } from './getReceipts.js'
import { followNonce, type NonceUse } from './nonceUse.js'
import {
  parseSending,
  type Replaced,
  ReplacedError,
  replacing,
  type SenderParameters,
  type Sending,
} from './replaced.js'

/** A transaction that was sent. */
export interface WaitParameters
  extends Pick<TransactionParameters, 'hash'>,
    SenderParameters,
    WatchParameters {
  /** Trusted blocks that it must be in or below: 1 is its own. Default 1. */
  readonly confirmations?: number
  /**
   * `signed`: its block is an ancestor of the newest signed one. `final`: of the newest final one.
   * Default `signed`.
   */
  readonly until?: 'signed' | 'final'
}

/** A receipt, its block, and how deep that is. */
export interface Confirmed extends Receipt, Mined {
  readonly confirmations: number
}

const NAMES = [
  'hash',
  'confirmations',
  'until',
  'sender',
  'nonce',
  'recoverAddress',
  ...WATCH_PARAMETERS,
] as const

/**
 * Waits until a transaction's receipt is proven, in a block that is signed, with so many trusted
 * blocks on top; or, if its sender is known, until its nonce was used without it. Nodes that hide
 * the transaction, or lie about it, only make it wait: `onError` hears of it. Else it waits for
 * ever, unless the signal is aborted: nothing proves that a transaction will not come. A client with
 * a pinned block waits for nothing: what it does not know now, it never will.
 *
 * @returns present or replaced.
 * @throws InputError for a malformed argument, PlatformError, or the reason of the signal.
 */
export async function waitForTransaction(
  client: Client,
  parameters: WaitParameters,
): Promise<Present<Confirmed> | Replaced> {
  const given = parseParameters(client, parameters, NAMES)
  const hash = parseHash(given.hash, 'hash', 'input.option')
  const bounds = { min: 1, max: 100_000, fallback: 1 }
  const wanted = parseInteger(given.confirmations, 'confirmations', bounds)
  const isFinal = parseUntil(client, given.until) === 'final'
  const watch = parseWatch(given)
  const sending = await parseSending(client, hash, given)
  const { pollMs, signal } = watch
  const end = signal === undefined ? {} : { signal }
  const lookForUse = sending && followNonce(client, sending.of, end)
  const wait: Waiting = { client, hash, wanted, isFinal, watch, end }
  while (true) {
    signal?.throwIfAborted()
    const receipt = await getReceipt(client, { hash, ...end })
    if (receipt.status === 'present') {
      const outcome = await confirmed(wait, receipt)
      if (outcome !== undefined) return outcome
    } else {
      if (isPinned(client) && isNotShown(receipt)) throw inVain('no node shows it in or below')
      tell(watch, receipt)
      const use = await lookForUse?.()
      if (use?.status === 'present' && use.value !== undefined && sending !== undefined) {
        const outcome = await used(wait, sending, { ...use, value: use.value })
        if (outcome !== undefined) return outcome
      } else if (use !== undefined) tell(watch, use)
    }
    await pause(pollMs, signal)
  }
}

/** Did every node say that it knows no trusted block with it? */
function isNotShown(result: Result<unknown, unknown>): boolean {
  return result.status === 'unavailable' && result.error.code === 'block'
}

function inVain(why: string): InputError {
  const problem = `the transaction would be waited for forever: ${why} the pinned block, and ${PINNED}`
  return new InputError('input.anchor', 'client', problem)
}

function parseUntil({ anchor }: Client, value: unknown = 'signed'): 'signed' | 'final' {
  if (value !== 'signed' && value !== 'final') {
    const problem = `expected "signed" or "final", got ${shown(value)}`
    throw new InputError('input.option', 'until', problem)
  }
  if (value === 'signed' || anchor.kind === 'checkpoint') return value
  const problem = 'without a checkpoint nothing becomes final: give the client one'
  throw new InputError('input.option', 'until', problem)
}

/** What is waited for. */
interface Waiting {
  readonly client: Client
  readonly hash: Hash
  readonly wanted: number
  readonly isFinal: boolean
  readonly watch: Watch
  readonly end: { readonly signal?: AbortSignal }
}

function tell({ onError }: Watch, result: Result<unknown, unknown>): void {
  if (result.status === 'invalid' || result.status === 'unavailable') onError?.(result.error)
}

/** The receipt, if its block is deep enough. */
async function confirmed(
  wait: Waiting,
  receipt: Present<Receipt & Mined>,
): Promise<Present<Confirmed> | undefined> {
  const confirmations = await enough(wait, receipt.value)
  if (confirmations === undefined) return undefined
  return { ...receipt, value: { ...receipt.value, confirmations } }
}

/** The nonce was used: by the transaction itself, which nodes hide, or without it. */
async function used(
  wait: Waiting,
  sending: Sending,
  { value: { block, transactions }, trust }: Present<NonceUse>,
): Promise<Present<Confirmed> | Replaced | undefined> {
  const { client, hash, end, watch } = wait
  const mined = { blockNumber: block.number, blockHash: block.hash }
  const own = transactions.find((transaction) => transaction.hash === hash)
  if (own !== undefined) {
    const indices = [own.transactionIndex]
    const result = await getReceipts(client, { at: block, indices, ...end })
    tell(watch, result)
    const receipt = result.status === 'present' ? result.value.receipts[0] : undefined
    if (result.status !== 'present' || receipt === undefined) return undefined
    return confirmed(wait, { ...result, value: { ...receipt, ...mined } })
  }
  if ((await enough(wait, mined)) === undefined) return undefined
  const by = await replacing(transactions, sending)
  return { status: 'replaced', error: new ReplacedError(hash, mined, by), trust }
}

/** The block's confirmations, if they are as many as wanted. */
async function enough(wait: Waiting, mined: Mined): Promise<number | undefined> {
  const confirmations = await depthOf(wait, mined)
  if (confirmations >= wait.wanted) return confirmations
  // 0: a node failed, and may answer the next time.
  if (confirmations === 0 || !isPinned(wait.client)) return undefined
  throw inVain(`it has ${confirmations} of ${wait.wanted} confirmations below`)
}

/**
 * Trusted blocks from this one to the newest, both counted; 0 where it was left in a fork, or is
 * not final and should be.
 */
async function depthOf(
  { client, isFinal, end, watch }: Waiting,
  { blockNumber, blockHash }: Mined,
): Promise<number> {
  const newest = client.anchor.kind === 'checkpoint' ? { block: 'head' } : {}
  const head = await getBlock(client, { ...newest, ...end })
  const final = isFinal ? await getBlock(client, { block: 'finalized', ...end }) : head
  // By its number: what was signed once may be in a fork by now.
  const now = await getBlock(client, { block: blockNumber, ...end })
  for (const result of [head, final, now]) tell(watch, result)
  if (head.status !== 'present' || final.status !== 'present') return 0
  if (now.status !== 'present' || now.value.hash !== blockHash) return 0
  const { number } = head.value
  return blockNumber <= final.value.number && number >= blockNumber
    ? Number(number - blockNumber) + 1
    : 0
}
