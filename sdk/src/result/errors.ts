/**
 * Everything that can go wrong, as classes with a closed union of codes each.
 *
 * `get*` actions return {@link ProofError} and {@link UnavailableError} inside a result; they throw
 * {@link InputError} (the caller's mistake), {@link PlatformError} (this page or process cannot run
 * the verifier) and the reason of an aborted signal.
 */

import { escaped, printable } from '../encoding/printable.js'

/**
 * Codes of the verifier core. A test holds this list equal to `test-vectors/codes.json`, which Rust
 * writes.
 */
export const CORE_CODES = [
  'chain.fork',
  'input.request',
  'input.chain',
  'input.config',
  'input.params',
  'input.query',
  'input.checkpoint',
  'decode.rlp',
  'decode.shape',
  'decode.limit',
  'decode.node',
  'decode.header',
  'decode.variant',
  'decode.ssz',
  'decode.point',
  'decode.scalar',
  'verify.header',
  'verify.order',
  'verify.boundary',
  'verify.source',
  'verify.filter',
  'verify.chain',
  'verify.commitment',
  'verify.root',
  'verify.merkle',
  'verify.absence',
  'verify.opening',
  'verify.incomplete',
  'verify.surplus',
  'verify.path',
  'verify.query',
  'verify.claim',
  'verify.code',
  'verify.value',
  'verify.checkpoint',
  'verify.participation',
  'verify.time',
  'verify.unsupported',
  'verify.period',
  'verify.relevance',
  'verify.execution',
  'verify.finality',
  'verify.committee',
  'verify.signature',
] as const

/** One code of the verifier core. */
export type CoreCode = (typeof CORE_CODES)[number]

/** Which of the caller's arguments is wrong. */
export type InputErrorCode =
  | Extract<CoreCode, `input.${string}`>
  | 'input.address'
  | 'input.checksum'
  | 'input.slot'
  | 'input.key'
  | 'input.block'
  | 'input.anchor'
  | 'input.node'
  | 'input.option'
  | 'input.file'
  | 'input.wasm'

/**
 * Why a proof was refused: malformed (`decode`), false (`verify`), a file that is of use no longer
 * (`verify.expired`), or a block of a chain that follows another and contradicts it
 * (`verify.contradiction`).
 */
export type ProofErrorCode =
  | Extract<CoreCode, `decode.${string}` | `verify.${string}`>
  | 'decode.response'
  | 'verify.contradiction'
  | 'verify.expired'

/**
 * Why nothing could be proven, without anybody having been caught lying.
 *
 * - `untrusted`: the block is newer than the trust anchor, or is not one of its ancestors.
 * - `walk`: the block is further behind the anchor than `maxWalk` allows.
 * - `block`, `window`: the node does not know the block, or keeps no proofs for it.
 * - `shard`: the node proves another part of the state.
 * - `chain`: the node serves another chain.
 * - `unsupported`: the node lacks a method, or the block has header fields of a fork unknown to
 *   this version.
 * - `limit`: the node refused the size or the rate of the request.
 * - `node`: the node answered with another error.
 * - `unreachable`: the node did not answer, or not in JSON-RPC, or with more bytes than allowed.
 * - `checkpoint`: no source of headers knows the checkpoint.
 * - `expired`: what was proved since the checkpoint is older than `anchor.maxAgeSeconds`.
 * - `stale`: the newest final block is older than `maxFinalLagSeconds`, or the newest signed one
 *   than `maxHeadLagSeconds`.
 * - `clock`: a signed header is from the future, so the local clock is wrong.
 * - `chain.fork`: the chain has forked beyond what this version and the chain's configuration know;
 *   nobody lied.
 * - `deadline`: the question took longer than the client's `deadlineMs`.
 */
export type UnavailableErrorCode =
  | 'untrusted'
  | 'walk'
  | 'block'
  | 'window'
  | 'shard'
  | 'chain'
  | 'unsupported'
  | 'limit'
  | 'node'
  | 'unreachable'
  | 'checkpoint'
  | 'expired'
  | 'stale'
  | 'clock'
  | 'chain.fork'
  | 'deadline'

/** Why the HTTP exchange with a node failed. */
export type TransportErrorCode =
  | 'transport.timeout'
  | 'transport.network'
  | 'transport.status'
  | 'transport.redirect'
  | 'transport.size'
  | 'transport.json'
  | 'transport.envelope'

/**
 * A JSON-RPC error by meaning: `rpc.block` is an unknown block, `rpc.window` one without proofs.
 */
export type RpcErrorCode =
  | 'rpc.method'
  | 'rpc.params'
  | 'rpc.limit'
  | 'rpc.block'
  | 'rpc.window'
  | 'rpc.shard'
  | 'rpc.system'
  | 'rpc.variant'
  | 'rpc.server'

/**
 * What the platform lacks or forbids.
 *
 * - `platform.trap`: the verifier stopped without a verdict, for lack of memory perhaps; it was
 *   started again. Where a node sent the bytes, it is that node's failure.
 */
export type PlatformErrorCode =
  | 'platform.webassembly'
  | 'platform.csp'
  | 'platform.wasm'
  | 'platform.fetch'
  | 'platform.random'
  | 'platform.storage'
  | 'platform.worker'
  | 'platform.trap'

/** Any code of any error of this package. */
export type ErrorCode =
  | InputErrorCode
  | ProofErrorCode
  | UnavailableErrorCode
  | TransportErrorCode
  | RpcErrorCode
  | PlatformErrorCode

/**
 * An error with a code. What strangers wrote is cut where a message is made, piece by piece; the
 * whole is bounded here, in case that it is made of very many.
 */
class CodedError<Code extends string> extends Error {
  readonly code: Code

  constructor(code: Code, message: string, options?: ErrorOptions) {
    super(escaped(message.slice(0, 2000)), options)
    this.code = code
  }
}

/** A mistake of the caller: names the argument, and is thrown, never returned. */
export class InputError extends CodedError<InputErrorCode> {
  override readonly name = 'InputError'
  /** The argument, as a path: `anchor.block`, `nodes[1]`. */
  readonly argument: string

  constructor(code: InputErrorCode, argument: string, problem: string, options?: ErrorOptions) {
    const name = printable(argument)
    super(code, `${name}: ${problem}`, options)
    this.argument = name
  }
}

/** Details of a {@link ProofError}. */
export interface ProofErrorDetails extends ErrorOptions {
  /** Byte range `[from, to)` in the proof or header bytes. */
  readonly span?: readonly [number, number] | undefined
  /** The node that served the bytes. */
  readonly node?: string | undefined
}

/** Bytes of a node that are malformed or false. */
export class ProofError extends CodedError<ProofErrorCode> {
  override readonly name = 'ProofError'
  /** `decode`: not a proof at all. `verify`: a proof of something else than claimed. */
  readonly kind: 'decode' | 'verify'
  readonly span: readonly [number, number] | undefined
  /** The node that served the bytes, without its path, query and credentials. */
  readonly node: string | undefined

  constructor(code: ProofErrorCode, message: string, details: ProofErrorDetails = {}) {
    super(code, message, details)
    this.kind = code.startsWith('decode.') ? 'decode' : 'verify'
    this.span = details.span
    this.node = details.node
  }
}

/**
 * Nobody proved anything, and nobody was caught lying. `cause` is the error of the node that says
 * most.
 */
export class UnavailableError extends CodedError<UnavailableErrorCode> {
  override readonly name = 'UnavailableError'
}

/** The HTTP exchange with a node failed. */
export class TransportError extends CodedError<TransportErrorCode> {
  override readonly name = 'TransportError'
  /** The node's origin, without path, query and credentials. */
  readonly node: string
  /** HTTP status, where there was one. */
  readonly status: number | undefined

  constructor(
    code: TransportErrorCode,
    node: string,
    problem: string,
    details: ErrorOptions & { readonly status?: number } = {},
  ) {
    super(code, `${node}: ${problem}`, details)
    this.node = node
    this.status = details.status
  }
}

/** The node answered with a JSON-RPC error. Its message is the node's own text, shortened. */
export class RpcError extends CodedError<RpcErrorCode> {
  override readonly name = 'RpcError'
  readonly node: string
  /** The JSON-RPC method that was called. */
  readonly method: string
  /** The number of the JSON-RPC error, e.g. -32601. */
  readonly rpcCode: number
  /**
   * The `data` of the JSON-RPC error, unescaped: to show it, pass it through
   * {@link printable}.
   */
  readonly data: unknown

  constructor(
    code: RpcErrorCode,
    details: { node: string; method: string; rpcCode: number; message: string; data?: unknown },
  ) {
    const { node, method, rpcCode, message, data } = details
    super(code, `${node}: ${method} failed: ${printable(message)} (${rpcCode})`)
    this.node = node
    this.method = method
    this.rpcCode = rpcCode
    this.data = data
  }
}

/** This page or process cannot run the verifier: says what is missing and what to change. */
export class PlatformError extends CodedError<PlatformErrorCode> {
  override readonly name = 'PlatformError'
}
