/** Checks signed headers by a module that tells its steps, as a light client checks them. */

import { type Chain, parseChain } from '../client/chains.js'
import { encodeChain } from '../encoding/chain.js'
import { bytesOf } from '../encoding/hex.js'
import { CLOCK_DRIFT_SECONDS, nowSeconds } from '../light/clock.js'
import type { HeaderProof } from '../light/events.js'
import { type Rejected, rejection } from '../proving/rejection.js'
import type { WasmModule } from '../wasm/instance.js'
import { run } from '../wasm/module.js'
import { countsOf } from './counts.js'
import { loadTracer, TRACERS } from './load.js'
import { parseTraceOptions } from './tracer.js'
import type { HeadersTrace, Step, TraceOptions } from './types.js'

/** The light client, in a module that tells its steps. */
interface LightTracer {
  trace(form: string, bytes: Uint8Array, pinned: Uint8Array, now: bigint): string
  free(): void
}

interface Told {
  readonly verdicts: { readonly status: 'trusted' } | Rejected
  readonly omitted: number
  readonly steps: readonly Step[]
}

/**
 * Checks signed headers once more, from a checkpoint or from what was kept, and tells the steps;
 * with the options' `wasm` the module `trace_bls12_381`.
 *
 * @param proofs - in their order, as the events `proof` of `sync` brought them.
 * @returns all steps, up to the first proof that does not hold.
 * @throws InputError if the core refuses the chain; PlatformError.
 */
export async function traceHeaders(
  chain: Chain,
  proofs: readonly HeaderProof[],
  options: TraceOptions = {},
): Promise<HeadersTrace> {
  const parsed = parseChain(chain, 'chain')
  const { wasm } = parseTraceOptions(options)
  const glue = await loadTracer(TRACERS.light, wasm)
  const client = open(glue, encodeChain(parsed))
  try {
    return await follow(glue, client, proofs)
  } finally {
    client.free()
  }
}

function open(glue: WasmModule, chain: Uint8Array): LightTracer {
  // Sound: the generated module exports a class of this name.
  const Made = glue['LightClient'] as new (chain: Uint8Array) => LightTracer
  try {
    return run(glue, () => new Made(chain))
  } catch (error) {
    // Constructors throw their refusal as text.
    if (typeof error !== 'string') throw error
    throw rejection(JSON.parse(error) as Rejected)
  }
}

/** One proof after the other; the page may breathe in between. */
async function follow(
  glue: WasmModule,
  client: LightTracer,
  proofs: readonly HeaderProof[],
): Promise<HeadersTrace> {
  const steps: Step[] = []
  let spent = 0
  let missing = 0
  for (const [claim, { form, bytes, pinned }] of proofs.entries()) {
    await new Promise((resolve) => setTimeout(resolve))
    const now = BigInt(nowSeconds() + CLOCK_DRIFT_SECONDS)
    const pin = pinned === undefined ? new Uint8Array(0) : bytesOf(pinned)
    const text = run(glue, () => client.trace(form, bytes, pin, now))
    const { verdicts: verdict, omitted, steps: told } = JSON.parse(text) as Told
    const { code } = { code: undefined, ...verdict }
    // What is older than what is known moves nothing, and is no lie.
    if (code === 'verify.relevance') continue
    missing += omitted
    for (const step of told) steps.push({ ...step, claim, at: spent + step.at })
    spent = steps.at(-1)?.at ?? 0
    if (verdict.status === 'rejected') {
      const { message, span } = verdict
      const rejected = { code: verdict.code, message, span, proof: claim }
      return { proofs, rejected, steps, counts: countsOf(steps, missing) }
    }
  }
  return { proofs, rejected: undefined, steps, counts: countsOf(steps, missing) }
}
