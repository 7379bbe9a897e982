/**
 * All the work that takes the wasm modules a while, as jobs: done here, or in workers that run this same file. Bytes in, the
 * core's JSON text or bytes out; no trust is kept between jobs but in the light clients, which prove all they hold.
 */

import { equalBytes, toHex } from '../encoding/hex.js'
import { PlatformError } from '../errors.js'
import {
  type LightHandle,
  loadHash,
  loadLight,
  loadModule,
  type ModuleName,
  type SystemVerifier,
  type VerifierClass,
  type WasmModule,
} from '../wasm/module.js'
import { type Rejected, rejection, run } from './rejection.js'

/** A verifier: its class in a module, and what it is made of. */
export interface Place {
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

/** A piece of work. */
export type Job =
  | ({ readonly kind: 'prepare' } & Place)
  | ({ readonly kind: 'verify'; readonly claims: Uint8Array; readonly fresh: Uint8Array } & Place)
  | {
      readonly kind: 'headers'
      readonly chain: Uint8Array
      readonly hash: Uint8Array
      readonly rlps: Uint8Array
    }
  | {
      readonly kind: 'light'
      readonly id: number
      readonly method: LightMethod
      readonly args: readonly (string | bigint | Uint8Array)[]
    }

/** What came of it: the core's answer, or the JSON of its refusal. */
export type Done = { readonly value: string | Uint8Array } | { readonly refused: string }

/** Does jobs. */
export type Worker = (job: Job, signal: AbortSignal | undefined) => Promise<Done>

/**
 * Does a job here.
 *
 * @throws PlatformError
 */
export async function doJob(job: Job): Promise<Done> {
  try {
    return { value: (await start(job)) ?? '' }
  } catch (error) {
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

/** As the core refuses: the only verdict, or the first of a list. Other refusals are thrown. */
const REFUSAL = /^\[?{"status":"rej/

/**
 * Has a job done. What is refused is looked at twice: a refusal blames a node, and engines have miscompiled. What is proven is
 * proven.
 *
 * @throws InputError or ProofError for what the core refuses, PlatformError, or the signal's reason.
 */
export async function perform(
  job: Extract<Job, { readonly kind: 'light' }>,
): Promise<string | Uint8Array>
export async function perform(job: Job, signal?: AbortSignal): Promise<string>
export async function perform(job: Job, signal?: AbortSignal): Promise<string | Uint8Array> {
  const first = await worker(job, signal)
  const isRefused = 'refused' in first || REFUSAL.test(`${first.value}`)
  const done = isRefused ? await worker(job, signal) : first
  if ('refused' in done) throw rejection(JSON.parse(done.refused) as Rejected)
  return done.value
}

async function start(job: Job): Promise<string | Uint8Array | undefined> {
  if (job.kind === 'headers') {
    const { headers } = await loadHash()
    return run(() => headers(job.chain, job.hash, job.rlps))
  }
  if (job.kind === 'light') return startLight(job)
  const module = await loadModule(job.module)
  return run(() => {
    const verifier = verifierOf(module, job)
    return job.kind === 'verify' ? verifier.verify(job.claims, job.fresh) : undefined
  })
}

/** The error of a light client whose worker ended. */
export function gone(cause?: unknown): PlatformError {
  const problem = 'the worker with the signed headers ended'
  return new PlatformError('platform.worker', problem, { cause })
}

const lights = new Map<number, LightHandle>()

async function startLight({
  id,
  method,
  args,
}: Extract<Job, { readonly kind: 'light' }>): Promise<string | Uint8Array | undefined> {
  if (method === 'open') {
    const { LightClient } = await loadLight()
    lights.set(
      id,
      run(() => new LightClient(args[0] as Uint8Array)),
    )
    return undefined
  }
  const light = lights.get(id)
  if (light === undefined) throw gone()
  if (method === 'free') lights.delete(id)
  // Sound: the one caller is typed by the methods themselves.
  const call = light[method] as (...args: unknown[]) => string | Uint8Array | undefined
  return run(() => call.apply(light, [...args]))
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
  { verifier, chain, config, params }: Place,
): SystemVerifier {
  const key = [toHex(chain), verifier, toHex(config)].join(' ')
  const known = verifiers.get(key)
  if (known !== undefined && equalBytes(known.params, params)) return known.handle
  const Verifier = module[verifier] as VerifierClass | undefined
  if (Verifier === undefined) throw rejection(undefined)
  const made = new Verifier(chain, config, params)
  // Under one digest the core takes one form of the parameters, so there is none to replace.
  for (const [oldest, { handle }] of verifiers) {
    if (verifiers.size < MAX_VERIFIERS) break
    verifiers.delete(oldest)
    handle.free()
  }
  verifiers.set(key, { handle: made, params })
  return made
}
