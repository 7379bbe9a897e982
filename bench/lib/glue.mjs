/**
 * Modules of the package. They lie below its published entry, so they are reached by path: what is
 * measured here is not what a user imports.
 */
import { readFile } from 'node:fs/promises'

/**
 * What a module exports, started from its file.
 *
 * @param {string} name
 */
export async function startModule(name) {
  const entry = import.meta.resolve('lightproof')
  const glue = await import(new URL(`../generated/${name}.js`, entry).href)
  const wasm = await readFile(new URL(`../generated/${name}_bg.wasm`, entry))
  const { instance } = await WebAssembly.instantiate(wasm, glue.imports())
  glue.use(instance.exports)
  /** @type {any} */ const { __wbindgen_start } = instance.exports
  __wbindgen_start()
  return glue
}
