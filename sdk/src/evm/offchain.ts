/**
 * Calls of contracts that keep records off the chain (EIP-3668): the contract reverts with gateways
 * to ask, and takes what one of them sends in a callback, which is a call on proven state like any
 * other. So what comes of it is what its code accepts.
 */

import type { Client } from '../client/client.js'
import { fromHex, type Hex, toHex } from '../encoding/hex.js'
import { printable } from '../encoding/printable.js'
import { ProofError, TransportError, UnavailableError } from '../result/errors.js'
import type { Grounded, Unavailable } from '../result/result.js'
import { addressAt, bytesAt, encodeCall, textsAt } from './abi.js'
import { askBatch, BATCH_GATEWAY, type BatchAnswer } from './batch.js'
import { call } from './call.js'
import { CallError } from './error.js'
import type { Gateways } from './gateway.js'
import type { CallResult, Reverted, RunParameters } from './types.js'

/** `OffchainLookup(address,string[],bytes,bytes4,bytes)`. */
const LOOKUP = '0x556f1830'
/** Callbacks that ask again, one after another. */
const MAX_DEPTH = 4
/** Gateways of one lookup. */
const MAX_URLS = 16

/** What a contract wants to know. */
interface Lookup {
  readonly sender: Hex
  readonly urls: readonly string[]
  readonly data: Uint8Array
  readonly callback: Hex
  readonly extra: Uint8Array
}

/** What it came to. */
export interface Looked {
  readonly output: Uint8Array
  /** Origins of the gateways whose answers the contract accepted. */
  readonly gateways: readonly string[]
}

/** What an action of this kind needs beside the call. */
export interface LookupTerms {
  readonly run: RunParameters
  /** Undefined: none may be asked. */
  readonly gateways: Gateways | undefined
}

/**
 * Runs a call, and asks gateways where the contract wants that.
 *
 * @returns success; reverted if no gateway had a part in it; `unavailable` if one had, since
 *   another answer may go another way.
 * @throws InputError, PlatformError, or the reason of an aborted signal.
 */
export async function callThrough(
  client: Client,
  request: { readonly to: Hex; readonly data: Hex },
  terms: LookupTerms,
): Promise<CallResult<Looked>> {
  return follow(client, request, terms, [])
}

async function follow(
  client: Client,
  request: { readonly to: Hex; readonly data: Hex },
  terms: LookupTerms,
  before: readonly (readonly string[])[],
): Promise<CallResult<Looked>> {
  const result = await call(client, { ...terms.run, ...request })
  if (result.status === 'success') {
    const output = fromHex(result.value.output) ?? new Uint8Array(0)
    return { ...result, value: { output, gateways: [...new Set(before.flat())] } }
  }
  if (result.status !== 'reverted') return result
  const lookup = parseLookup(result.error)
  if (lookup === undefined) {
    if (before.length === 0) return result
    const problem = `the contract does not accept what ${before.flat().join(', ') || 'no gateway'} sent: ${result.error.message}`
    return unavailable('node', problem)
  }
  if (lookup.sender !== request.to) {
    const words = 'it asks a gateway in the name of another contract'
    return { ...result, error: new CallError('call.reverted', result.error.data, words) }
  }
  return askAll(client, result, lookup, terms, before)
}

async function askAll(
  client: Client,
  { trust }: Grounded<Reverted>,
  { sender, urls, data, callback, extra }: Lookup,
  terms: LookupTerms,
  before: readonly (readonly string[])[],
): Promise<CallResult<Looked>> {
  const { gateways, run } = terms
  if (gateways === undefined) {
    const problem = `${sender} keeps this off the chain: with ccipRead its gateways are asked, and learn what is looked up`
    return unavailable('unsupported', problem)
  }
  if (before.length >= MAX_DEPTH) {
    return unavailable('limit', `${sender} asks gateways more than ${MAX_DEPTH} times in a row`)
  }
  const { number, hash } = trust.block
  if (number === null || hash === null) throw new TypeError('calls run in blocks')
  const failures: string[] = []
  for (const url of urls) {
    let answer: BatchAnswer
    try {
      answer = await ask(gateways, { url, sender, data }, run.signal)
    } catch (error) {
      if (!(error instanceof TransportError || error instanceof ProofError)) throw error
      failures.push(error.message)
      continue
    }
    const request = { to: sender, data: encodeCall(callback, [answer.response, extra]) }
    // The same block: what the contract asked there it takes there.
    const there = { ...terms, run: { ...run, at: { number, hash } } }
    const result = await follow(client, request, there, [...before, answer.origins])
    if (result.status !== 'unavailable') return result
    failures.push(result.error.message)
  }
  const why = failures.length === 0 ? 'it names none' : failures.join('; ')
  return unavailable('unreachable', `no gateway of ${sender} served its records: ${why}`)
}

async function ask(
  gateways: Gateways,
  { url, sender, data }: { readonly url: string; readonly sender: Hex; readonly data: Uint8Array },
  signal: AbortSignal | undefined,
): Promise<BatchAnswer> {
  if (url !== BATCH_GATEWAY) {
    const response = await gateways.ask(url, sender, data, signal)
    return { response, origins: [printable(new URL(url).origin)] }
  }
  const answer = await askBatch(gateways, data, signal)
  if (answer !== undefined) return answer
  throw new TransportError('transport.envelope', url, 'cannot be asked: the query is malformed')
}

/** What the contract asks for with its revert. */
function parseLookup({ data }: CallError): Lookup | undefined {
  if (!data.startsWith(LOOKUP)) return undefined
  const bytes = fromHex(`0x${data.slice(LOOKUP.length)}`) ?? new Uint8Array(0)
  const sender = addressAt(bytes, 0)
  const urls = textsAt(bytes, 32, MAX_URLS)
  const callData = bytesAt(bytes, 64)
  const callback = toHex(bytes.subarray(96, 100))
  const extra = bytesAt(bytes, 128)
  if (sender === undefined || urls === undefined) return undefined
  if (callData === undefined || extra === undefined) return undefined
  return { sender, urls, data: callData, callback, extra }
}

function unavailable(
  code: 'node' | 'limit' | 'unsupported' | 'unreachable',
  problem: string,
): Unavailable {
  return { status: 'unavailable', error: new UnavailableError(code, problem), tried: [] }
}
