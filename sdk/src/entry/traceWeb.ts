/**
 * Entry for pages that show how a proof is checked: the verifier's own steps, from modules that nothing else loads. Beside `lightproof`.
 *
 * @packageDocumentation
 */

import { tracerOf } from '../trace/tracer.js'
import type { Trace, TraceModule, TraceOptions } from '../trace/types.js'
import { openUrl } from '../wasm/url.js'

/** Spelled out, so that bundlers see the files. */
const FILES: Readonly<Record<TraceModule, () => URL>> = {
  trace_hash: () => new URL('../generated/trace_hash_bg.wasm', import.meta.url),
  trace_bn254: () => new URL('../generated/trace_bn254_bg.wasm', import.meta.url),
  trace_bls12_381: () => new URL('../generated/trace_bls12_381_bg.wasm', import.meta.url),
}

export type { Counts, Step, StepKind, Trace, TraceOptions, Verdict } from '../trace/types.js'

const trace = tracerOf((module) => openUrl(FILES[module]()))

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
