/** The modules that tell their steps, each loaded once. */

import { PlatformError } from '../errors.js'
import { compileError } from '../wasm/module.js'
import { loadPart } from '../wasm/part.js'
import type { TraceModule } from './types.js'

type Source = WebAssembly.Module | BufferSource

/** A module's exports. */
type Glue = Readonly<Record<string, unknown>> & {
  // The name that wasm-bindgen gives the loader.
  default(source: { module_or_path: Source }): Promise<unknown>
}

/** Loads a module, from what the caller has of it or from its file. */
export type LoadModule = (module: TraceModule, given: Source | undefined) => Promise<Glue>

const GLUE: Readonly<Record<TraceModule, () => Promise<Glue>>> = {
  trace_hash: () => import('../generated/trace_hash.js'),
  trace_bn254: () => import('../generated/trace_bn254.js'),
  trace_bls12_381: () => import('../generated/trace_bls12_381.js'),
}

/**
 * Makes an entry's loader.
 *
 * @param open - reads a module's file, as the platform does.
 */
export function loaderOf(open: (module: TraceModule) => Promise<Source>): LoadModule {
  const loading = new Map<TraceModule, Promise<Glue>>()
  return (module, given) => {
    const known = loading.get(module)
    if (known !== undefined) return known
    const glue = loadGlue(module, given, open).catch((error: unknown) => {
      loading.delete(module)
      throw error
    })
    loading.set(module, glue)
    return glue
  }
}

async function loadGlue(
  module: TraceModule,
  given: Source | undefined,
  open: (module: TraceModule) => Promise<Source>,
): Promise<Glue> {
  if (typeof WebAssembly !== 'object') {
    throw new PlatformError('platform.webassembly', 'WebAssembly is missing here')
  }
  const source = given ?? (await open(module))
  const glue = await loadPart(GLUE[module])
  try {
    await glue.default({ module_or_path: source })
  } catch (cause) {
    throw compileError(cause)
  }
  return glue
}
