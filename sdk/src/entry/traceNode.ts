/**
 * Entry for pages that show how a proof is checked, in Node.js: the verifier's own steps, from modules that nothing else loads. Beside `lightproof`.
 *
 * @packageDocumentation
 */

import { readFile } from 'node:fs/promises'
import { tracerOf } from '../trace/tracer.js'
import type { Trace, TraceOptions } from '../trace/types.js'

export type { Counts, Step, StepKind, Trace, TraceOptions, Verdict } from '../trace/types.js'

const trace = tracerOf((module) =>
  readFile(new URL(`../generated/${module}_bg.wasm`, import.meta.url)),
)

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
