/**
 * Entry for pages that show how a proof is checked: the verifier's own steps, from modules that
 * nothing else loads. Beside `lightproof`.
 *
 * @packageDocumentation
 */

import { type TraceModule, useFiles } from '../trace/load.js'
import { openUrl } from '../wasm/url.js'

/** Spelled out, so that bundlers see the files. */
const FILES: Readonly<Record<TraceModule, () => URL>> = {
  trace_hash: () => new URL('../generated/trace_hash_bg.wasm', import.meta.url),
  trace_bn254: () => new URL('../generated/trace_bn254_bg.wasm', import.meta.url),
  trace_bls12_381: () => new URL('../generated/trace_bls12_381_bg.wasm', import.meta.url),
}

useFiles((module) => openUrl(FILES[module]()))

export * from './trace.js'
