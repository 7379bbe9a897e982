/**
 * Entry for pages that show how a proof is checked: the steps of the verifier, traced by wasm modules
 * that no other entry loads.
 *
 * @packageDocumentation
 */

import { type TraceModule, useFiles } from '../trace/load.js'
import { openUrl } from '../wasm/url.js'

/** Literal URLs, so that bundlers find the files. */
const FILES: Readonly<Record<TraceModule, () => URL>> = {
  trace_hash: () => new URL('../generated/trace_hash_bg.wasm', import.meta.url),
  trace_bn254: () => new URL('../generated/trace_bn254_bg.wasm', import.meta.url),
  trace_bls12_381: () => new URL('../generated/trace_bls12_381_bg.wasm', import.meta.url),
}

useFiles((module) => openUrl(FILES[module]()))

export * from './trace.js'
