/**
 * The glue of wasm-bindgen as it is shipped: without its ways to fetch modules, which this package does itself (`wasm/module.ts`
 * hands over a compiled module or its bytes), and without what nobody calls. That is a quarter of the glue, in each of the modules.
 */

/** What nobody here calls: the modules' version, and `using` for the verifiers. */
const UNUSED = /export function version\(\) \{[\s\S]*?\n\}\n|if \(Symbol\.dispose\) .*\n/g
/** From here on the glue only loads. */
const LOADING = '\nlet wasmModule, wasmInstance, wasm;\n'
const NAMES = ['__wbg_load', 'initSync', '__wbg_init_once', 'initSync, __wbg_init as default']

const LOADER = `
let wasm;
/** Starts the module, once; a start that failed may be tried again. Not to be called while it starts. */
export default async function start({ module_or_path }) {
    if (wasm) return;
    const made = await WebAssembly.instantiate(module_or_path, __wbg_get_imports());
    wasm = (made.instance ?? made).exports;
    wasm.__wbindgen_start();
}
`

/**
 * The glue without them.
 *
 * @param {string} glue
 */
export function slimGlue(glue) {
  const [kept = '', loading = '', ...more] = glue.split(LOADING)
  const isKnown = NAMES.every((name) => loading.includes(name) && !kept.includes(name))
  if (isKnown && more.length === 0) return kept.replace(UNUSED, '') + LOADER
  throw new Error('the glue has another shape than that of the wasm-bindgen in Cargo.lock')
}
