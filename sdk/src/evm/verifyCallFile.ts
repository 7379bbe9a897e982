import { type Chain, parseChain } from '../client/chains.js'
import { encodeChain } from '../encoding/chain.js'
import type { Hex } from '../encoding/hex.js'
import {
  type Hash,
  parseHash,
  parseOptions,
  parseSeconds,
  parseTime,
  shown,
} from '../encoding/input.js'
import { linkFile } from '../proving/checkLeap.js'
import { perform } from '../proving/engine.js'
import type { Header } from '../proving/header.js'
import { type Rejected, rejection } from '../proving/rejection.js'
import { blockOf, secondsSince } from '../proving/trust.js'
import { InputError, ProofError, UnavailableError } from '../result/errors.js'
import type { Trust } from '../result/result.js'
import { type CallJson, callToJson, type ParsedCallFile, parseCallFile } from './callFile.js'
import { encodeForks } from './forks.js'
import { Beyond, finish, firstOf } from './machine.js'
import { outcomeOf } from './outcome.js'
import { type Answers, encodeRequest } from './request.js'
import type { CallResult } from './types.js'

/** What the reader of a call's file trusts. */
export interface CallFileParameters {
  /**
   * A block hash from a source that you trust: the block of the call, or a later one that the file
   * links to it.
   */
  readonly anchor: { readonly block: string }
  /** The chain: its forks say which rules the call follows. */
  readonly chain: Chain
  /**
   * The time at which the file is read; a Date, or text as it prints in JSON. Default this
   * machine's clock.
   */
  readonly now?: Date | string
  /**
   * Seconds that the call's block may be old, by its own timestamp; an older one is refused as
   * `verify.expired`. Default any.
   */
  readonly maxAgeSeconds?: number
}

/**
 * The proven outcome and its call. Compare the call: another call has another outcome.
 */
export type CallFileResult = CallResult & { readonly call?: CallJson }

/** State and block are as they are proven. */
const NO_OVERRIDES = [[], Array.from({ length: 7 }, () => [])]

/**
 * Runs the call of a file again, offline. Nothing in the file makes trust: its headers are checked
 * against the anchor, its witness against the headers. What its maker says of the outcome is not
 * looked at.
 *
 * @param file - a {@link CallFile}, from `JSON.parse` or `fetchCallProof`; anything else is a
 *   decode error.
 * @returns success or reverted, with the call; invalid if the file is malformed, of another block,
 *   or lacks something; unavailable if the call is beyond what this version runs.
 * @throws InputError if the anchor or the chain is missing or malformed, PlatformError.
 */
export async function verifyCallFile(
  file: unknown,
  parameters: CallFileParameters,
): Promise<CallFileResult> {
  const known = ['anchor', 'chain', 'now', 'maxAgeSeconds'] as const
  const given = parseOptions(parameters, 'parameters', known)
  const { block } = parseOptions(given.anchor, 'anchor', ['block'])
  const anchor = parseHash(block, 'anchor.block', 'input.anchor')
  const chain = parseChain(given.chain, 'chain')
  const forks = encodeForks(chain)
  const now = given.now === undefined ? Date.now() : parseTime(given.now, 'now')
  const { maxAgeSeconds = Number.POSITIVE_INFINITY } = given
  const age = parseSeconds(maxAgeSeconds, 'maxAgeSeconds')
  try {
    const parsed = parseCallFile(file)
    compareChains(parsed, chain)
    const { first, headers } = await linkFile(chain, anchor, parsed)
    const last = headers.at(-1)
    if (first === undefined || last === undefined) {
      throw new ProofError('verify.header', 'the file has no header')
    }
    checkAge(last, now, age)
    const outcome = outcomeOf(await run(chain, forks, last, parsed))
    const trust = trustOf(chain, anchor, first, last, now)
    return { ...outcome, trust, call: callToJson(parsed.call) }
  } catch (error) {
    if (error instanceof ProofError) return { status: 'invalid', error, evidence: [] }
    if (error instanceof Beyond) return { status: 'unavailable', error: error.error, tried: [] }
    if (error instanceof UnavailableError) return { status: 'unavailable', error, tried: [] }
    // All that the caller gave is parsed by then: what the core refuses is the file's.
    if (!(error instanceof InputError) || error.code !== 'input.request') throw error
    const problem = `the file is malformed: ${error.message}`
    const cause = new ProofError('decode.response', problem, { cause: error })
    return { status: 'invalid', error: cause, evidence: [] }
  }
}

async function run(
  chain: Chain,
  forks: Uint8Array,
  header: Header,
  { call, witness }: ParsedCallFile,
): Promise<ReturnType<typeof finish>> {
  const manner = { overrides: NO_OVERRIDES, inSequence: false }
  const request = encodeRequest(header, witness, [call], manner)
  const job = { kind: 'calls', chain: encodeChain(chain), forks, request } as const
  const result = await perform<Answers | Rejected>(job)
  if ('status' in result) throw rejection(result)
  const [answer] = result.answers
  if (answer === undefined) throw rejection(undefined)
  if (answer.status !== 'missing') return finish(answer)
  const { kind, ...item } = firstOf(answer.items)
  const what = Object.values(item).join(' ')
  throw new ProofError(
    'verify.incomplete',
    `the file proves nothing of what is read: ${kind} ${what}`,
  )
}

function compareChains({ chain: file }: ParsedCallFile, wanted: Chain): void {
  for (const key of ['kind', 'chainId', 'genesisHash'] as const) {
    if (file[key] === wanted[key]) continue
    const problem = `the file is of a chain with ${key} ${shown(file[key])}, not ${wanted[key]} (${wanted.name})`
    throw new ProofError('verify.chain', problem)
  }
}

function checkAge({ number, timestamp }: Header, now: number, most: number): void {
  const age = secondsSince(timestamp, now)
  if (age <= most) return
  const fix = 'ask for a newer file, or raise maxAgeSeconds'
  const problem = `block ${number} of the file is ${age} s old, more than maxAgeSeconds (${most}): ${fix}`
  throw new ProofError('verify.expired', problem)
}

function trustOf(chain: Chain, hash: Hash, first: Header, last: Header, now: number): Trust {
  const ageSeconds = secondsSince(first.timestamp, now)
  return {
    chain: { name: chain.name, chainId: chain.chainId },
    block: blockOf(last, now),
    finality: last.hash === hash ? 'pinned' : 'ancestor',
    anchor: { kind: 'block', hash: hash as Hex, ageSeconds },
    headLagSeconds: ageSeconds,
    system: 'mpt',
    variant: 'plain',
    servedBy: 'file',
    headersFrom: [],
    tried: [],
    proved: ['header', 'call'],
    notProved: ['anchor', 'recency'],
  }
}
