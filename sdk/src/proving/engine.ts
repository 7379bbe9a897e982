/**
 * All the work that takes the wasm modules a while, as jobs: done here, or in workers that run this
 * same file. Bytes in, the core's JSON text or bytes out; no trust is kept between jobs but in the
 * light clients, which prove all they hold.
 */

import { equalBytes } from '../encoding/hex.js'
import { isRecord } from '../encoding/input.js'
import type { EvmJob } from '../evm/execute.js'
import { PlatformError, ProofError } from '../result/errors.js'
import { type EncodeJob, encode } from '../systems/encode.js'
import type { WasmModule } from '../wasm/instance.js'
import {
  type JoinModule,
  type LightHandle,
  loadHash,
  loadLight,
  loadModule,
  type ModuleName,
  run,
  type SystemVerifier,
  type VerifierClass,
} from '../wasm/module.js'
import { loadPart } from '../wasm/part.js'
import { type Rejected, rejection } from './rejection.js'

/** A verifier: its class in a module, and what it is made of. */
export interface Place {
  /** Of the chain, the class and the configuration: a verifier is made once for each. */
  readonly key: string
  readonly module: ModuleName
  readonly verifier: string
  /** RLP. */
  readonly chain: Uint8Array
  /** RLP. */
  readonly config: Uint8Array
  readonly params: Uint8Array
}

/** What a light client is told. */
export type LightMethod = 'open' | Exclude<keyof LightHandle, 'state'>

/** Claims to check. */
export interface VerifyJob extends Place {
  readonly kind: 'verify'
  readonly claims: Uint8Array
  readonly fresh: Uint8Array
  /** Whether workers share what it settles. */
  readonly isLarge?: boolean
  /** A part of what it settles: its number and how many there are. Empty if it has none. */
  readonly part?: readonly [number, number]
}

/** A piece of work. */
export type Job =
  /** Announces jobs. If they take long and are done in workers, a worker starts. */
  | { readonly kind: 'start'; readonly isLong: boolean }
  | ({ readonly kind: 'prepare' } & Place)
  | VerifyJob
  /** Verdicts by all parts, an RLP list: empty if the claims must be settled whole. */
  | { readonly kind: 'join'; readonly module: ModuleName; readonly parts: Uint8Array }
  | {
      readonly kind: 'headers'
      readonly chain: Uint8Array
      readonly hash: Uint8Array
      readonly rlps: Uint8Array
    }
  | EncodeJob
  | EvmJob
  | {
      readonly kind: 'light'
      readonly id: number
      readonly method: LightMethod
      readonly args: readonly (string | bigint | Uint8Array)[]
    }

/** What came of it: the core's answer, or the JSON of its refusal. */
export type Done = { readonly value: string | Uint8Array } | { readonly refused: string }

/** Does jobs. */
export type Worker = (job: Job, signal?: AbortSignal) => Promise<Done>

/**
 * Does a job here.
 *
 * @throws PlatformError
 */
export async function doJob(job: Job): Promise<Done> {
  try {
    return { value: (await start(job)) ?? '' }
  } catch (error) {
    if (error instanceof ProofError) {
      const { code, message } = error
      return { refused: JSON.stringify({ code, message, span: null }) }
    }
    // Constructors throw their refusal as text.
    if (typeof error !== 'string') throw error
    return { refused: error }
  }
}

let worker: Worker = doJob

/** Has jobs done elsewhere; without an argument, here again. */
export function employ(other: Worker = doJob): void {
  worker = other
}

/** Who does the jobs now. */
export function employed(): Worker {
  return worker
}

/** The core's answer: its JSON, or bytes; the empty text for nothing. */
function read(value: string | Uint8Array): unknown {
  return typeof value === 'string' && value !== '' ? JSON.parse(value) : value
}

/** Is the only verdict, or the first of a list, a refusal? Other refusals are thrown. */
function isRefusal(answer: unknown): boolean {
  const verdict: unknown = Array.isArray(answer) ? answer[0] : answer
  return isRecord(verdict) && verdict['status'] === 'rejected'
}

/**
 * Has a job done. What is refused is looked at twice: a refusal blames a node, and engines have
 * miscompiled. What is proven is proven.
 *
 * @returns what the core answers, of the type that the caller says: verdicts, or bytes.
 * @throws InputError or ProofError for what the core refuses, PlatformError, or the signal's
 *   reason.
 */
export async function perform<A>(job: Job, signal?: AbortSignal): Promise<A> {
  const first = await worker(job, signal)
  if (!('refused' in first)) {
    const answer = read(first.value)
    if (!isRefusal(answer)) return answer as A
  }
  const done = await worker(job, signal)
  if ('refused' in done) throw rejection(JSON.parse(done.refused) as Rejected)
  return read(done.value) as A
}

async function start(job: Job): Promise<string | Uint8Array | undefined> {
  if (job.kind === 'headers') {
    const { headers } = await loadHash()
    return headers(job.chain, job.hash, job.rlps)
  }
  if (job.kind === 'start') return undefined
  if (job.kind === 'light') return startLight(job)
  if (job.kind === 'encode') return encode(job)
  if (job.kind === 'calls' || job.kind === 'recover') {
    const { execute } = await loadPart(() => import('../evm/execute.js'))
    return execute(job)
  }
  const module = await loadModule(job.module)
  if (job.kind === 'join') return run(module, () => (module as JoinModule).join(job.parts))
  const verifier = run(module, () => verifierOf(module, job))
  if (job.kind === 'prepare') return undefined
  const { claims, fresh, part } = job
  return run(module, () =>
    part ? verifier.part?.(claims, fresh, ...part) : verifier.verify(claims, fresh),
  )
}

/** The error of a light client whose worker ended, or whose module was replaced. */
export function gone(cause?: unknown): PlatformError {
  return new PlatformError('platform.worker', 'the worker ended', { cause })
}

const lights = new Map<number, LightHandle>()

async function startLight({
  id,
  method,
  args,
}: Extract<Job, { readonly kind: 'light' }>): Promise<string | Uint8Array | undefined> {
  const module = await loadLight()
  if (method === 'open') {
    lights.set(
      id,
      run(module, () => new module.LightClient(args[0] as Uint8Array)),
    )
    return undefined
  }
  const light = lights.get(id)
  if (!light?.__wbg_ptr) throw gone()
  if (method === 'free') lights.delete(id)
  // Sound: the one caller is typed by the methods themselves.
  const call = light[method] as (...args: unknown[]) => string | Uint8Array | undefined
  return run(module, () => call.apply(light, [...args]))
}

/** One handle per chain and system: it keeps its parameters prepared. */
const verifiers = new Map<
  string,
  { readonly handle: SystemVerifier; readonly params: Uint8Array }
>()
/** Chains come from strangers' files too, and a handle holds wasm memory: the oldest goes. */
const MAX_VERIFIERS = 16

function verifierOf(
  module: WasmModule,
  { key, verifier, chain, config, params }: Place,
): SystemVerifier {
  const known = verifiers.get(key)
  if (known !== undefined && known.handle.__wbg_ptr !== 0 && equalBytes(known.params, params))
    return known.handle
  const Verifier = module[verifier] as VerifierClass | undefined
  if (Verifier === undefined) throw rejection(undefined)
  const made = new Verifier(chain, config, params)
  // Under one digest the core takes one form of the parameters, so nothing is replaced.
  for (const [oldest, { handle }] of verifiers) {
    if (verifiers.size < MAX_VERIFIERS) break
    verifiers.delete(oldest)
    handle.free()
  }
  verifiers.set(key, { handle: made, params })
  return made
}
