/** Instances of modules: each is tested before it is used, and replaced after a trap. */

import type { ByteSource } from '../encoding/platform.js'

/** What a module exports: verifiers, found by name, and functions. */
export interface WasmModule extends Readonly<Record<string, unknown>> {
  /** What an instance imports: functions by name, by the name of a module. */
  imports(): Readonly<Record<string, object>>
  /** Whose exports the functions call from here on; undefined: nobody's. */
  use(exports: Exports | undefined): void
  /** The verifiers that were made and not freed. */
  readonly handles: ReadonlySet<{ __destroy_into_raw(): unknown }>
}

type Exports = Readonly<Record<string, (...args: number[]) => number>>

/** What a self-test returns where a module answers as it should: `PASSED` of `wasm/bindings`. */
const PASSED = 0x3c6ef372
/** Bytes that a proof may need whatever its size. */
const WORKING_MEMORY = 1_048_576

const compiled = new WeakMap<WasmModule, WebAssembly.Module>()

/**
 * Starts a module, once; a start that failed may be tried again. Not to be called while it starts.
 *
 * @throws of the engine, or because the module answers known questions wrongly
 */
export async function start(
  glue: WasmModule,
  source: WebAssembly.Module | ByteSource,
): Promise<void> {
  const made = await WebAssembly.instantiate(source as ByteSource, importsOf(glue))
  // Of a module that was compiled before, it gives the instance alone.
  const { instance, module } =
    made instanceof WebAssembly.Instance ? { instance: made, module: source } : made
  begin(glue, instance)
  compiled.set(glue, module as WebAssembly.Module)
}

/**
 * Replaces the instance. Handles of the old one are dead, and it is used no more, even if this
 * fails: also where the new one gets no memory to work with.
 *
 * @throws as {@link start}
 */
export function renew(glue: WasmModule): void {
  glue.use(undefined)
  // Their pointers become 0, which the module refuses.
  for (const handle of glue.handles) handle.__destroy_into_raw()
  const module = compiled.get(glue) as WebAssembly.Module
  const { __wbindgen_malloc, __wbindgen_free } = begin(
    glue,
    new WebAssembly.Instance(module, importsOf(glue)),
  )
  __wbindgen_free?.(__wbindgen_malloc?.(WORKING_MEMORY, 1) ?? 0, WORKING_MEMORY, 1)
}

/** The published types know no more of WebAssembly than Node.js says. */
function importsOf(glue: WasmModule): WebAssembly.Imports {
  return glue.imports() as WebAssembly.Imports
}

/** No call reaches an instance that fails its test. */
function begin(glue: WasmModule, instance: WebAssembly.Instance): Exports {
  // Sound: the functions of `wasm/bindings`; its memory and its table are not called.
  const exports = instance.exports as unknown as Exports
  const tests = Object.keys(exports).filter((name) => name.startsWith('selfTest'))
  if (!tests[0] || tests.some((name) => exports[name]?.() !== PASSED)) throw Error('self-test')
  glue.use(exports)
  exports['__wbindgen_start']?.()
  return exports
}
