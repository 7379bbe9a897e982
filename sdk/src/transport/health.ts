/**
 * Statistics of an endpoint. They rank the endpoints of a list and are shown in reports; no proof
 * depends on them.
 */

import { tell } from '../proving/tell.js'
import {
  type ErrorCode,
  type PlatformError,
  ProofError,
  type RpcError,
  TransportError,
  type UnavailableError,
} from '../result/errors.js'
import type { Evidence } from '../result/file.js'
import type { BadProof } from '../result/result.js'
import type { Reply } from './send.js'

/** Statistics of an endpoint. */
export interface Health {
  /** HTTP requests sent to it. */
  requests: number
  /** Bytes of the request bodies. */
  sentBytes: number
  /** Bytes of the response bodies, after decompression. */
  receivedBytes: number
  /** Moving average of the latency in milliseconds; undefined before the first response. */
  latencyMs: number | undefined
  /** Queries that it answered with a valid response. */
  served: number
  /** Queries that failed. */
  failed: number
  /** Code of the last failure. */
  lastCode: ErrorCode | undefined
  /** Failures since the last valid response. */
  faults: number
  /** Time in milliseconds since 1970 until which other endpoints come first, after failures. */
  restUntil: number
  /** Time in milliseconds since 1970 before which it is not asked (HTTP's Retry-After). */
  notBefore: number
  /** The first bad proof that it sent; from then on other endpoints come first. */
  badProof: BadProof | undefined
}

/** An endpoint with its health. */
export interface Ranked {
  readonly name: string
  readonly health: Health
}

/** Called for every bad proof. */
export type BadProofListener = (bad: BadProof) => void

/** The health of an endpoint before its first request. */
export function newHealth(): Health {
  return {
    requests: 0,
    sentBytes: 0,
    receivedBytes: 0,
    latencyMs: undefined,
    served: 0,
    failed: 0,
    lastCode: undefined,
    faults: 0,
    restUntil: 0,
    notBefore: 0,
    badProof: undefined,
  }
}

/**
 * The caller's order; but those at rest come after the others, and those that sent a bad proof
 * last: what they say is checked as well as what anybody says, and they may be all there is.
 */
export function ranked<T extends Ranked>(all: readonly T[]): T[] {
  const now = Date.now()
  const penalty = ({ health }: T): number =>
    health.badProof !== undefined ? 2 : now < health.restUntil ? 1 : 0
  return [...all].sort((a, b) => penalty(a) - penalty(b))
}

/** Notes a good answer. */
export function noteServed({ health }: Ranked): void {
  health.served++
  health.faults = 0
  health.restUntil = 0
}

const FIRST_REST_MS = 2_000
const MAX_REST_MS = 60_000

/** Notes for how long a busy server asks to be left alone: seconds, or a date; a minute at most. */
export function notePause(health: Health, headers: Reply['headers']): void {
  const text = headers.get('retry-after') ?? ''
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  if (ms > 0) health.notBefore = Date.now() + Math.min(ms, MAX_REST_MS)
}

/** Milliseconds for which it is still to be left alone. The clock may be set back. */
export function pauseOf({ notBefore }: Health): number {
  const ms = notBefore - Date.now()
  return ms > MAX_REST_MS ? 0 : ms
}

/** Notes a failure, and tells of a bad proof. */
export function noteFailure(
  { name, health }: Ranked,
  error: ProofError | TransportError | RpcError | UnavailableError | PlatformError,
  evidence: Evidence | undefined,
  listener: BadProofListener | undefined,
): void {
  health.failed++
  health.lastCode = error.code
  if (error instanceof ProofError) {
    const bad: BadProof = { node: name, at: Date.now(), error, evidence }
    health.badProof ??= bad
    tell(listener, bad)
  } else if (isFault(error)) {
    const rest = Math.min(FIRST_REST_MS * 2 ** health.faults++, MAX_REST_MS)
    health.restUntil = Math.max(Date.now() + rest, health.notBefore)
  }
}

/**
 * Would it fail at any question, for a while? A block that it does not know says nothing of others.
 */
function isFault(error: TransportError | RpcError | UnavailableError | PlatformError): boolean {
  if (error instanceof TransportError) return true
  return ['rpc.limit', 'rpc.server', 'chain', 'platform.trap'].includes(error.code)
}
