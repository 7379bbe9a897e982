import type { Client } from '../client/client.js'
import { parseHash, parseInteger } from '../encoding/input.js'
import type { Result } from '../result/result.js'
import type { Receipt } from '../systems/body/types.js'
import type { Mined, TransactionParameters } from './blockBody.js'
import { getBlock } from './getBlock.js'
import { getReceipt } from './getReceipt.js'
import { parseParameters } from './parameters.js'
import { pause } from './pause.js'
import { parseWatch, WATCH_PARAMETERS, type WatchParameters } from './watch.js'

/** A transaction that was sent. */
export interface WaitParameters extends Pick<TransactionParameters, 'hash'>, WatchParameters {
  /** Trusted blocks that it must be in or below: 1 is its own. Default 1. */
  readonly confirmations?: number
}

/** A receipt, its block, and how deep that is. */
export interface Confirmed extends Receipt, Mined {
  readonly confirmations: number
}

/**
 * Waits until a transaction's receipt is proven, in a block that is signed, with so many trusted blocks on top. Nodes that
 * hide the transaction, or lie about it, only make it wait: `onError` hears of it. It waits for ever, unless the signal is
 * aborted: nothing proves that a transaction will not come.
 *
 * @returns present.
 * @throws InputError for a malformed argument, PlatformError, or the reason of the signal.
 */
export async function waitForTransaction(
  client: Client,
  parameters: WaitParameters,
): Promise<Result<Confirmed, never>> {
  const names = ['hash', 'confirmations', ...WATCH_PARAMETERS] as const
  const given = parseParameters(client, parameters, names)
  const hash = parseHash(given.hash, 'hash', 'input.option')
  const wanted = parseInteger(given.confirmations, 'confirmations', {
    min: 1,
    max: 100_000,
    fallback: 1,
  })
  const { pollMs, signal, onError } = parseWatch(given)
  const end = signal === undefined ? {} : { signal }
  while (true) {
    signal?.throwIfAborted()
    const receipt = await getReceipt(client, { hash, ...end })
    if (receipt.status === 'present') {
      const depth = await depthOf(client, receipt.value, end)
      if (depth.status === 'present') {
        const confirmations = depth.value
        if (confirmations >= wanted) {
          return { ...receipt, value: { ...receipt.value, confirmations } }
        }
      } else if (depth.status !== 'absent') onError?.(depth.error)
    } else if (receipt.status !== 'absent') onError?.(receipt.error)
    await pause(pollMs, signal)
  }
}

/** Trusted blocks from this one to the newest, both counted; 0 where the block was left in a fork. */
async function depthOf(
  client: Client,
  { blockNumber, blockHash }: Mined,
  end: { readonly signal?: AbortSignal },
): Promise<Result<number, never>> {
  const newest = client.anchor.kind === 'checkpoint' ? { block: 'head' } : {}
  const head = await getBlock(client, { ...newest, ...end })
  if (head.status !== 'present') return head
  const { number } = head.value
  // By its number: what was signed once may be in a fork by now.
  const now = await getBlock(client, { block: blockNumber, ...end })
  if (now.status !== 'present') return now
  const isThere = now.value.hash === blockHash && number >= blockNumber
  return { ...head, value: isThere ? Number(number - blockNumber) + 1 : 0 }
}
