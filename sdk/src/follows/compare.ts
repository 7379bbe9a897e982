/**
 * Blocks of a chain that follows another, compared with that other chain: the origin must be the
 * block of the same number that the caller trusts there, the commitment to the state must be that
 * block's state root, and values may be proven a second time under it.
 */

import { findConfig } from '../client/chains.js'
import type { Client } from '../client/types.js'
import type { Address } from '../encoding/input.js'
import { failover } from '../proving/failover.js'
import type { Header } from '../proving/header.js'
import type { Located } from '../proving/line.js'
import { prove } from '../proving/prove.js'
import type { Proof } from '../proving/proveBlock.js'
import { locate } from '../proving/walk.js'
import { ProofError, UnavailableError } from '../result/errors.js'
import type { ContradictionFile } from '../result/file.js'
import type { FollowedGrounds, Invalid, Unavailable } from '../result/result.js'
import { askAccount, mpt } from '../systems/mpt.js'
import type { StateItem } from '../systems/system.js'
import { abortable } from '../transport/abortable.js'
import { loadHash } from '../wasm/module.js'
import { contradictionFile } from './contradiction.js'
import { differenceOf, valueIn, wordsFor } from './difference.js'
import { checksummed } from './parseAccounts.js'

/** The followed chain, and how much is compared with it. */
export interface Terms {
  readonly client: Client
  /** By position; checksums are not looked at yet. */
  readonly accounts: readonly string[]
  /** Keys of an answer that are proven twice. */
  readonly count: number
  /**
   * Headers of the followed chain by the hashes of our blocks, whose origins and states they are.
   */
  readonly proven: Map<string, Header>
}

/** What was compared. */
interface Compared {
  readonly status: 'compared'
  readonly grounds: FollowedGrounds
}

/** Headers that are remembered. */
const MOST_PROVEN = 1024
/**
 * Accounts that are asked for at once. Each listens to one signal, and Node warns of more than ten
 * listeners.
 */
const AT_ONCE = 8

type Failed = Invalid | Unavailable

/**
 * Compares what a client proved with the chain that its chain follows.
 *
 * @returns invalid, `verify.contradiction`, if they differ; why the followed chain's client cannot
 *   tell, else.
 * @throws InputError for a wrong checksum in `accounts`, PlatformError, the signal's reason.
 */
export async function compare(
  own: Client,
  terms: Terms,
  found: Located,
  signal: AbortSignal | undefined,
): Promise<Compared | Failed> {
  const abort = new AbortController()
  const problem = `block ${found.header.number} was not compared within ${own.deadlineMs} ms: raise deadlineMs`
  const late = new UnavailableError('deadline', problem)
  const onAbort = (): void => abort.abort(signal?.reason)
  signal?.throwIfAborted()
  signal?.addEventListener('abort', onAbort, { once: true })
  const timer = Number.isFinite(own.deadlineMs)
    ? setTimeout(() => abort.abort(late), own.deadlineMs)
    : undefined
  try {
    return await abortable(compareNow(own, terms, found, abort.signal), abort.signal)
  } catch (error) {
    if (error !== late) throw error
    return { status: 'unavailable', error: late, tried: [] }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
    abort.abort(late)
  }
}

async function compareNow(
  own: Client,
  terms: Terms,
  found: Located,
  signal: AbortSignal,
): Promise<Compared | Failed> {
  const origin = await proveOrigin(own, terms, found, signal)
  if ('status' in origin) return origin
  const proof = answerIn(found)
  const accounts = checksummed(terms.accounts, await loadHash())
  const context = { number: found.header.number, accounts }
  const items = proof?.setup.system.inState?.(proof.fact, proof.query, context) ?? []
  const chosen = choose(items, terms.count)
  const groups = [...byAddress(chosen)]
  while (proof !== undefined && groups.length > 0) {
    const some = groups.splice(0, AT_ONCE)
    const each = some.map((group) => proveTwice(own, terms, proof, origin, group, signal))
    const failed = (await Promise.all(each)).find((one) => one !== undefined)
    if (failed !== undefined) return failed
  }
  const originState = found.header.commitments[mpt.name] === undefined ? 'not committed' : 'equal'
  const grounds = { origin: 'proven', originState, crossChecked: chosen.length } as const
  return { status: 'compared', grounds }
}

/** The followed chain's header that a block of ours was made from; or why it is not known to be. */
async function proveOrigin(
  own: Client,
  { client: other, proven }: Terms,
  found: Located,
  signal: AbortSignal,
): Promise<Header | Failed> {
  const { header } = found
  const known = proven.get(header.hash)
  if (known !== undefined) return known
  const { number } = header
  if (header.origin === undefined) {
    return unavailable('unsupported', `block ${number} names no block that it follows`)
  }
  if (header.commitments[mpt.name] === undefined && findConfig(own.chain, mpt) !== undefined) {
    const problem = `block ${number} commits to no mpt, so its state cannot be compared with the followed chain's`
    return unavailable('unsupported', problem)
  }
  const at = { by: 'number', number } as const
  const theirs = await failover(other, at, signal, (session) => locate(session, at))
  if (theirs.status !== 'proven') return ofFollowed(other, theirs)
  const { header: origin, line } = theirs.value
  if (line.finality === 'head') {
    // A fork may still replace it: it neither grounds an answer nor convicts anybody.
    return unavailable('untrusted', `block ${number} of the followed chain is not final yet`)
  }
  const difference = differenceOf(header, origin)
  if (difference !== undefined) {
    return contradicted(difference, await contradictionFile(own, other.chain, found, origin))
  }
  for (const [oldest] of proven) {
    if (proven.size < MOST_PROVEN) break
    proven.delete(oldest)
  }
  proven.set(header.hash, origin)
  return origin
}

/** Proves what is said of one account a second time; undefined if both proofs agree. */
async function proveTwice(
  own: Client,
  { client: other }: Terms,
  proof: Proof<unknown>,
  origin: Header,
  [address, items]: readonly [Address, readonly StateItem[]],
  signal: AbortSignal,
): Promise<Failed | undefined> {
  const slots = items.flatMap(({ slot }) => slot ?? [])
  const { hash, number } = origin
  const at = { by: 'hash', hash, number } as const
  const second = await prove(other, mpt, { ask: askAccount(address, slots, false), at, signal })
  if (second.status !== 'proven') return ofFollowed(other, second)
  const { fact } = second.value
  const wrong = items.find((item) => item.value !== valueIn(fact, item))
  if (wrong === undefined) return undefined
  const proofs = [await proof.file(), await second.value.file()] as const
  return contradicted(
    wordsFor(wrong, valueIn(fact, wrong), number),
    await contradictionFile(own, other.chain, proof, origin, proofs),
  )
}

/** A block alone says nothing of values. */
function answerIn(found: Located): Proof<unknown> | undefined {
  return 'fact' in found && 'setup' in found ? (found as Proof<unknown>) : undefined
}

/**
 * What the followed chain's client came to, under its chain's name: our own nodes proved what they
 * were asked.
 */
function ofFollowed({ chain }: Client, failed: Failed): Failed {
  const { error } = failed
  const message = `the followed chain (${chain.name}): ${error.message}`
  if (failed.status === 'unavailable') {
    return { ...failed, error: new UnavailableError(failed.error.code, message, { cause: error }) }
  }
  const { code, span, node } = failed.error
  return { ...failed, error: new ProofError(code, message, { span, node, cause: error }) }
}

function unavailable(code: 'unsupported' | 'untrusted', problem: string): Unavailable {
  return { status: 'unavailable', error: new UnavailableError(code, problem), tried: [] }
}

function contradicted(problem: string, file: ContradictionFile): Invalid {
  const error = new ProofError('verify.contradiction', problem)
  return { status: 'invalid', error, evidence: [file] }
}

/** A uniform random sample of the items: the node that made the answer cannot predict it. */
function choose<V>(items: readonly V[], count: number): readonly V[] {
  const left = [...items]
  const chosen: V[] = []
  while (chosen.length < count && left.length > 0) {
    const [draw = 0] = crypto.getRandomValues(new Uint32Array(1))
    for (const one of left.splice(draw % left.length, 1)) chosen.push(one)
  }
  return chosen
}

/**
 * The core's own hex is lower-case, and so are the caller's accounts by now: such an address has no
 * checksum to be wrong.
 */
function byAddress(items: readonly StateItem[]): Map<Address, StateItem[]> {
  const found = new Map<Address, StateItem[]>()
  for (const item of items) {
    const address = item.address as Address
    found.set(address, [...(found.get(address) ?? []), item])
  }
  return found
}
