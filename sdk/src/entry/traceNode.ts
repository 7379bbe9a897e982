/**
 * Entry for pages that show how a proof is checked, in Node.js: the verifier's own steps, from modules that nothing else loads. Beside `lightproof`.
 *
 * @packageDocumentation
 */

import { readFile } from 'node:fs/promises'
import type { Chain } from '../chains.js'
import type { HeaderProof } from '../light/light.js'
import { headersTracerOf } from '../trace/headers.js'
import { loaderOf } from '../trace/load.js'
import { tracerOf } from '../trace/tracer.js'
import type { HeadersTrace, Trace, TraceOptions } from '../trace/types.js'

export type { Chain } from '../chains.js'
export type { HeaderProof } from '../light/light.js'
export type {
  Counts,
  HeadersTrace,
  Step,
  StepKind,
  Trace,
  TraceOptions,
  Verdict,
} from '../trace/types.js'

const load = loaderOf((module) =>
  readFile(new URL(`../generated/${module}_bg.wasm`, import.meta.url)),
)

const trace = tracerOf(load)
const headers = headersTracerOf(load)

/**
 * Checks a proof file under its own root and tells the steps. It shows how; trust comes from `verifyProofFile` alone, which
 * takes the root from its caller.
 *
 * @param file - a `ProofFile`, honest or not, from `JSON.parse` or `fetchProof`.
 * @returns the verdict, with all steps up to it; a false proof is a verdict too.
 * @throws ProofError `decode.response` if it is no such file; InputError if the core refuses its chain, configuration or
 * parameters; PlatformError.
 */
export function traceProofFile(file: unknown, options: TraceOptions = {}): Promise<Trace> {
  return trace(file, options)
}

/**
 * Checks signed headers once more, from a checkpoint or from what was kept, and tells the steps; with the options' `wasm` the
 * module `trace_bls12_381`.
 *
 * @param proofs - in their order, as the events `proof` of `sync` brought them.
 * @returns all steps, up to the first proof that does not hold.
 * @throws InputError if the core refuses the chain; PlatformError.
 */
export function traceHeaders(
  chain: Chain,
  proofs: readonly HeaderProof[],
  options: TraceOptions = {},
): Promise<HeadersTrace> {
  return headers(chain, proofs, options)
}
