/** What the actions about a block's body have in common. */

import {
  parseInquiry,
  parseParameters,
  parseSignal,
  type SendersParameters,
} from '../../actions/parameters.js'
import type { Client } from '../../client/client.js'
import { type Hash, parseHash } from '../../encoding/input.js'
import { asHash, asInteger, asRecord, malformed } from '../../encoding/untrusted.js'
import { ask } from '../../proving/nodes.js'
import { type Found, type Proving, prove, proveFound } from '../../proving/prove.js'
import type { Session } from '../../proving/session.js'
import { trustOf } from '../../proving/trust.js'
import { ProofError, UnavailableError } from '../../result/errors.js'
import type { Present, Result } from '../../result/result.js'
import { readBody } from '../../systems/body/read.js'
import type { BodyFactJson, BodyValue } from '../../systems/body/types.js'
import { type BodyTypes, body } from '../../systems/body.js'
import type { Given } from '../../systems/system.js'
import { loadHash } from '../../wasm/module.js'

/** A transaction that is looked for. */
export interface TransactionParameters extends SendersParameters {
  /** The transaction's hash, 32 bytes. */
  readonly hash: string
  /** Aborts the action, which then throws the signal's reason. */
  readonly signal?: AbortSignal
}

/** The block that holds a transaction. */
export interface Mined {
  readonly blockNumber: bigint
  readonly blockHash: Hash
}

/** The block's kind of value that a question asks for. */
export type ValueWith<K extends string> = Extract<BodyValue, { readonly [key in K]: unknown }>

/**
 * Proves what the question asks of a block's body; never absent.
 *
 * @param kind - the member that the value has.
 * @throws InputError, PlatformError, or the reason of an aborted signal.
 */
export async function proveBody<K extends string>(
  client: Client,
  given: Given,
  kind: K,
): Promise<Exclude<Result<ValueWith<K>, never>, { readonly status: 'absent' }>> {
  const inquiry = await parseInquiry(client, given, (hash) => body.parse(given, hash))
  return readProving(client, await prove(client, body, inquiry), kind)
}

function readProving<K extends string>(
  client: Client,
  outcome: Proving<BodyTypes>,
  kind: K,
): Exclude<Result<ValueWith<K>, never>, { readonly status: 'absent' }> {
  if (outcome.status !== 'proven') return outcome
  const { finding, proved } = body.read(outcome.value.fact, outcome.value.query)
  if (!(kind in finding.value)) throw new TypeError('the core answered another question')
  // Sound: the value has the member, and no two kinds share one.
  const value = finding.value as ValueWith<K>
  const trust = trustOf(client, outcome.value, outcome, proved)
  const present: Present<ValueWith<K>> = { status: 'present', value, trust }
  return present
}

/**
 * Proves the transaction of that hash, or its receipt: a node says in which block and where, and
 * proves that it is there.
 *
 * @param hashOf - the transaction's hash of an item of the list.
 * @throws InputError, PlatformError, or the reason of an aborted signal.
 */
export async function proveByHash<K extends 'transactions' | 'receipts'>(
  client: Client,
  parameters: TransactionParameters,
  list: K,
  hashOf: (item: Item<K>) => Hash,
): Promise<Result<Item<K> & Mined, never>> {
  const given = parseParameters(client, parameters, ['hash', 'senders', 'signal'])
  const wanted = parseHash(given.hash, 'hash', 'input.option')
  const signal = parseSignal(given.signal)
  signal?.throwIfAborted()
  const module = await loadHash()
  const itemOf = (value: BodyValue): Item<K> | undefined =>
    // Sound: it was asked for one item of this list.
    (value as Record<K, readonly Item<K>[]>)[list][0]
  const find = async (session: Session): Promise<Found<BodyFactJson>> => {
    const { node } = session
    const place = await placeOf(session, wanted)
    const { index, ...block } = place
    return {
      at: { by: 'hash', ...block },
      ask: body.parse({ list, indices: [index] }, module),
      accept: (fact) => {
        const item = itemOf(readBody(fact))
        if (item !== undefined && hashOf(item) === wanted) return
        const problem = `the transaction is not at index ${index} of block ${block.number}`
        throw new ProofError('verify.claim', problem, { node: node.name })
      },
    }
  }
  const outcome = await proveFound(client, body, find, signal)
  if (outcome.status !== 'proven') return outcome
  const result = readProving(client, outcome, list)
  if (result.status !== 'present') return result
  const item = itemOf(result.value)
  if (item === undefined) throw new TypeError('it was accepted')
  const { number, hash } = outcome.value.header
  return { ...result, value: { ...item, blockNumber: number, blockHash: hash } }
}

/** An item of a list. */
type Item<K extends 'transactions' | 'receipts'> =
  ValueWith<K> extends Readonly<Record<K, readonly (infer I)[]>> ? I : never

const MAX_PLACE = 1n << 53n

/** Where a node says that a transaction is. */
async function placeOf(
  session: Session,
  wanted: Hash,
): Promise<{ readonly hash: Hash; readonly number: bigint; readonly index: number }> {
  const method = 'eth_getTransactionByHash'
  const answer = await ask(session, { method, params: [wanted] })
  const found = answer === null ? {} : asRecord(answer, method)
  // A transaction that waits for its block has none.
  if (found['blockHash'] == null) {
    const problem = `${session.node.name} knows of no block with transaction ${wanted}`
    throw new UnavailableError('block', problem)
  }
  const integer = (name: string): bigint => {
    const value = asInteger(found[name], `${method}.${name}`)
    if (value < MAX_PLACE) return value
    throw malformed(`${method}.${name}`, 'a number below 2^53')
  }
  return {
    hash: asHash(found['blockHash'], `${method}.blockHash`),
    number: integer('blockNumber'),
    index: Number(integer('transactionIndex')),
  }
}
