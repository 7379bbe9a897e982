/** Exports of `lightproof/trace` on every platform. */

export type { Chain } from '../client/chains.js'
export type { HeaderProof } from '../light/events.js'
export { traceHeaders } from '../trace/headers.js'
export type { OpenTrace, TraceModule, TraceSource } from '../trace/load.js'
export { traceProofFile } from '../trace/tracer.js'
export type {
  Counts,
  HeadersTrace,
  Step,
  StepKind,
  Trace,
  TraceOptions,
  Verdict,
} from '../trace/types.js'
