/** In place of `lib/glue.mjs`, in a page: the package's modules, from the server of the page. */

/**
 * What a module exports, started from its file.
 *
 * @param {string} name
 */
export async function startModule(name) {
  const glue = await import(new URL(`generated/${name}.js`, location.href).href)
  const file = fetch(`generated/${name}_bg.wasm`)
  const { instance } = await WebAssembly.instantiateStreaming(file, glue.imports())
  glue.use(instance.exports)
  /** @type {any} */ const { __wbindgen_start } = instance.exports
  __wbindgen_start()
  return glue
}
