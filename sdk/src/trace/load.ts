/** The modules that tell their steps, each loaded once. */

import type { ByteSource } from '../encoding/platform.js'
import { PlatformError } from '../result/errors.js'
import { start, type WasmModule } from '../wasm/instance.js'
import { compileError, type ModuleName } from '../wasm/module.js'
import { loadPart } from '../wasm/part.js'

/** A module that reports its steps: one for hash-only systems, one for the systems of each curve. */
export type TraceModule = 'trace_hash' | 'trace_bn254' | 'trace_bls12_381'

/** A compiled module or its bytes. */
export type TraceSource = WebAssembly.Module | ByteSource

/** Reads a module. */
export type OpenTrace = (module: TraceModule) => Promise<TraceSource>

/** The module that tells the steps of the verifiers of another. */
export const TRACERS: Readonly<Record<ModuleName, TraceModule>> = {
  mpt: 'trace_hash',
  hash: 'trace_hash',
  bn254: 'trace_bn254',
  bls12_381: 'trace_bls12_381',
  light: 'trace_bls12_381',
  // No system is verified there.
  evm: 'trace_hash',
}

const GLUE: Readonly<Record<TraceModule, () => Promise<object>>> = {
  trace_hash: () => import('../generated/trace_hash.js'),
  trace_bn254: () => import('../generated/trace_bn254.js'),
  trace_bls12_381: () => import('../generated/trace_bls12_381.js'),
}

let open: OpenTrace
const loading = new Map<TraceModule, Promise<WasmModule>>()

/** Called by the entries: how their platform reads a module's file. */
export function useFiles(read: OpenTrace): void {
  open = read
}

/**
 * A module, loaded by the first call and shared by all; a failed load is tried again by the next
 * call.
 *
 * @param given - the module, or how to read it. Default: from its file.
 * @throws PlatformError if WebAssembly is missing or forbidden, or the file cannot be read.
 */
export function loadTracer(
  module: TraceModule,
  given: TraceSource | OpenTrace | undefined,
): Promise<WasmModule> {
  const known = loading.get(module)
  if (known !== undefined) return known
  const glue = loadGlue(module, given).catch((error: unknown) => {
    loading.delete(module)
    throw error
  })
  loading.set(module, glue)
  return glue
}

async function loadGlue(
  module: TraceModule,
  given: TraceSource | OpenTrace | undefined,
): Promise<WasmModule> {
  if (typeof WebAssembly !== 'object') {
    throw new PlatformError('platform.webassembly', 'WebAssembly is missing')
  }
  const source = await (typeof given === 'function' ? given(module) : (given ?? open(module)))
  // Sound: what sdk/scripts/glue.mjs makes of the generated file.
  const glue = (await loadPart(GLUE[module])) as WasmModule
  try {
    await start(glue, source)
  } catch (cause) {
    throw compileError(cause)
  }
  return glue
}
