/** Runs a check once more, by the module that reports its steps. Loaded with the first drawing. */

import type { ProofFile } from 'lightproof'
import {
  type HeadersTrace,
  type Trace,
  type TraceModule,
  traceHeaders,
  traceProofFile,
} from 'lightproof/trace'
import trace_bls12_381 from 'lightproof/trace_bls12_381.wasm'
import trace_bn254 from 'lightproof/trace_bn254.wasm'
import trace_hash from 'lightproof/trace_hash.wasm'
import type { Trail } from '../check/check.js'

/** The files, as the bundler names them. */
const FILES: Readonly<Record<TraceModule, string>> = { trace_hash, trace_bn254, trace_bls12_381 }

/** The steps of a file's check. @throws ProofError for a file of another form. */
export async function traceOf(file: ProofFile): Promise<Trace> {
  return traceProofFile(file, { wasm: load })
}

/** The steps of signed headers, as a light client checks them. */
export async function traceOfHeaders({ chain, proofs }: Trail): Promise<HeadersTrace> {
  return traceHeaders(chain, proofs, { wasm: load })
}

async function load(module: TraceModule): Promise<ArrayBuffer> {
  const response = await fetch(new URL(FILES[module], import.meta.url))
  if (!response.ok) throw new Error(`${FILES[module]}: ${response.status}`)
  return response.arrayBuffer()
}
