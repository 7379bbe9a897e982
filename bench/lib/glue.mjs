/**
 * Modules of the package. They lie below its published entry, so they are reached by path: what is
 * measured here is not what a user imports.
 */
import { readFile } from 'node:fs/promises'

/** @type {Map<string, Promise<any>>} */
const started = new Map()

/**
 * What a module exports, started once from its file.
 *
 * @param {string} name
 */
export function startModule(name) {
  const module = started.get(name) ?? start(name)
  started.set(name, module)
  return module
}

/**
 * With a query, Node.js loads the file as another module than the SDK's: a handle of one instance
 * must not reach the memory of the other.
 *
 * @param {string} name
 */
async function start(name) {
  const entry = import.meta.resolve('lightproof')
  const glue = await import(new URL(`../generated/${name}.js?bench`, entry).href)
  const wasm = await readFile(new URL(`../generated/${name}_bg.wasm`, entry))
  const { instance } = await WebAssembly.instantiate(wasm, glue.imports())
  glue.use(instance.exports)
  /** @type {any} */ const { __wbindgen_start } = instance.exports
  __wbindgen_start()
  return glue
}
