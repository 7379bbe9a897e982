/**
 * The gateway of gateways (ENSIP-21), here instead of at somebody's server: a contract that asks
 * many gateways at once names it first, and who asks them learns who resolves what.
 */

import { concat, fromHex, type Hex } from '../encoding/hex.js'
import { ProofError, TransportError } from '../result/errors.js'
import {
  addressAt,
  bytesAt,
  encodeCall,
  encodeValues,
  listAt,
  tailAt,
  textsAt,
  word,
} from './abi.js'
import type { Gateways } from './gateway.js'

/** How contracts name it. */
export const BATCH_GATEWAY = 'x-batch-gateway:true'

/** `query((address,string[],bytes)[])` */
const QUERY = '0xa780bab6'
/** `HttpError(uint16,string)` */
const HTTP_ERROR = '0x01800152'
/** Questions of one query, and gateways of each. */
const MAX = 16

/** An answer to all questions, and the gateways that gave it. */
export interface BatchAnswer {
  readonly response: Uint8Array
  readonly origins: readonly string[]
}

/**
 * Asks the gateways of a query. A failure of one is told to the contract, as the protocol wants it.
 *
 * @returns undefined if the query is malformed.
 * @throws the reason of an aborted signal.
 */
export async function askBatch(
  gateways: Gateways,
  query: Uint8Array,
  signal: AbortSignal | undefined,
): Promise<BatchAnswer | undefined> {
  const selector = fromHex(QUERY) ?? query
  if (!selector.every((byte, i) => byte === query[i])) return undefined
  const list = listAt(query.subarray(selector.length), 0, MAX)
  if (list === undefined) return undefined
  const questions = Array.from({ length: list.count }, (_, i) => tailAt(list.entries, 32 * i))
  const answers: { readonly bytes: Uint8Array; readonly origin: string | undefined }[] = []
  for (const question of questions) {
    const sender = question && addressAt(question, 0)
    const urls = question && textsAt(question, 32, MAX)
    const data = question && bytesAt(question, 64)
    if (sender === undefined || urls === undefined || data === undefined) return undefined
    answers.push(await askOne(gateways, { sender, urls, data }, signal))
  }
  const failures = answers.map(({ origin }) => word(origin === undefined ? 1n : 0n))
  const count = word(BigInt(answers.length))
  const responses = concat([count, encodeValues(answers.map(({ bytes }) => bytes))])
  const places = [2 * 32, 2 * 32 + 32 * (answers.length + 1)].map((place) => word(BigInt(place)))
  return {
    response: concat([...places, count, ...failures, responses]),
    origins: answers.flatMap(({ origin }) => origin ?? []),
  }
}

async function askOne(
  gateways: Gateways,
  question: { readonly sender: Hex; readonly urls: readonly string[]; readonly data: Uint8Array },
  signal: AbortSignal | undefined,
): Promise<{ readonly bytes: Uint8Array; readonly origin: string | undefined }> {
  let [status, message] = [404, 'no gateway is named']
  for (const url of question.urls) {
    try {
      const bytes = await gateways.ask(url, question.sender, question.data, signal)
      return { bytes, origin: new URL(url).origin }
    } catch (error) {
      if (!(error instanceof TransportError || error instanceof ProofError)) throw error
      status = (error instanceof TransportError && error.status) || 500
      message = error.message
    }
  }
  const words = new TextEncoder().encode(message)
  const failure = fromHex(encodeCall(HTTP_ERROR, [BigInt(status), words])) ?? words
  return { bytes: failure, origin: undefined }
}
