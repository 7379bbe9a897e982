/**
 * Everything that can go wrong, as classes with a closed union of codes each.
 *
 * `get*` actions return {@link ProofError} and {@link UnavailableError} inside a result; they throw {@link InputError}
 * (the caller's mistake), {@link PlatformError} (this page or process cannot run the verifier) and the reason of an
 * aborted signal.
 */

/** Codes of the verifier core. A test holds this list equal to `test-vectors/codes.json`, which Rust writes. */
export const CORE_CODES = [
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

/** Why a proof was refused: malformed (`decode`), false (`verify`), or a file that is of use no longer (`verify.expired`). */
export type ProofErrorCode =
  | Extract<CoreCode, `decode.${string}` | `verify.${string}`>
  | 'decode.response'
  | 'verify.expired'

/**
 * Why nothing could be proven, without anybody having been caught lying.
 *
 * - `untrusted`: the block is newer than the trust anchor, or is not one of its ancestors.
 * - `walk`: the block is further behind the anchor than `maxWalk` allows.
 * - `block`, `window`: the node does not know the block, or keeps no proofs for it.
 * - `shard`: the node proves another part of the state.
 * - `chain`: the node serves another chain.
 * - `unsupported`: the node lacks a method, or the block has header fields of a fork unknown to this version.
 * - `limit`: the node refused the size or the rate of the request.
 * - `node`: the node answered with another error.
 * - `unreachable`: the node did not answer, or not in JSON-RPC, or with more bytes than allowed.
 * - `checkpoint`: no source of headers knows the checkpoint.
 * - `expired`: what was proved since the checkpoint is older than `anchor.maxAgeSeconds`.
 * - `stale`: the newest signed header is older than `maxHeadLagSeconds`.
 * - `clock`: a signed header is from the future, so the local clock is wrong.
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

/** Why the HTTP exchange with a node failed. */
export type TransportErrorCode =
  | 'transport.timeout'
  | 'transport.network'
  | 'transport.status'
  | 'transport.redirect'
  | 'transport.size'
  | 'transport.json'
  | 'transport.envelope'

/** A JSON-RPC error by meaning: `rpc.block` is an unknown block, `rpc.window` one without proofs. */
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

/** What the platform lacks or forbids. */
export type PlatformErrorCode =
  | 'platform.webassembly'
  | 'platform.csp'
  | 'platform.wasm'
  | 'platform.fetch'
  | 'platform.random'
  | 'platform.storage'
  | 'platform.worker'

/** Any code of any error of this package. */
export type ErrorCode =
  | InputErrorCode
  | ProofErrorCode
  | UnavailableErrorCode
  | TransportErrorCode
  | RpcErrorCode
  | PlatformErrorCode

/** A mistake of the caller: names the argument, and is thrown, never returned. */
export class InputError extends Error {
  override readonly name = 'InputError'
  readonly code: InputErrorCode
  /** The argument, as a path: `anchor.block`, `nodes[1]`. */
  readonly argument: string

  constructor(code: InputErrorCode, argument: string, problem: string, options?: ErrorOptions) {
    super(`${argument}: ${problem}`, options)
    this.code = code
    this.argument = argument
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
export class ProofError extends Error {
  override readonly name = 'ProofError'
  readonly code: ProofErrorCode
  /** `decode`: not a proof at all. `verify`: a proof of something else than claimed. */
  readonly kind: 'decode' | 'verify'
  readonly span: readonly [number, number] | undefined
  /** The node that served the bytes, without its path, query and credentials. */
  readonly node: string | undefined

  constructor(code: ProofErrorCode, message: string, details: ProofErrorDetails = {}) {
    super(message, 'cause' in details ? { cause: details.cause } : undefined)
    this.code = code
    this.kind = code.startsWith('decode.') ? 'decode' : 'verify'
    this.span = details.span
    this.node = details.node
  }
}

/** Nobody proved anything, and nobody was caught lying. `cause` is the error of the node that says most. */
export class UnavailableError extends Error {
  override readonly name = 'UnavailableError'
  readonly code: UnavailableErrorCode

  constructor(code: UnavailableErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** The HTTP exchange with a node failed. */
export class TransportError extends Error {
  override readonly name = 'TransportError'
  readonly code: TransportErrorCode
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
    super(`${node}: ${problem}`, 'cause' in details ? { cause: details.cause } : undefined)
    this.code = code
    this.node = node
    this.status = details.status
  }
}

/** The node answered with a JSON-RPC error. Its message is the node's own text, shortened. */
export class RpcError extends Error {
  override readonly name = 'RpcError'
  readonly code: RpcErrorCode
  readonly node: string
  /** The JSON-RPC method that was called. */
  readonly method: string
  /** The number of the JSON-RPC error, e.g. -32601. */
  readonly rpcCode: number
  /** The `data` of the JSON-RPC error, as it came. */
  readonly data: unknown

  constructor(
    code: RpcErrorCode,
    details: { node: string; method: string; rpcCode: number; message: string; data?: unknown },
  ) {
    super(`${details.node}: ${details.method} failed: ${details.message} (${details.rpcCode})`)
    this.code = code
    this.node = details.node
    this.method = details.method
    this.rpcCode = details.rpcCode
    this.data = details.data
  }
}

/** This page or process cannot run the verifier: says what is missing and what to change. */
export class PlatformError extends Error {
  override readonly name = 'PlatformError'
  readonly code: PlatformErrorCode

  constructor(code: PlatformErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
