/**
 * The glue of wasm-bindgen as it is shipped and tested: without its ways to fetch modules, which
 * this package does itself (`wasm/instance.ts` starts an instance, tests it, and replaces one that
 * trapped), without what nobody calls, and without freeing arguments after an allocation that
 * trapped.
 */

/** Unused: the modules' version, `using` for the verifiers, and what the loader calls itself. */
const UNUSED =
  /export function (?:version|selfTest\w*)\(\) \{[\s\S]*?\n\}\n|if \(Symbol\.dispose\) .*\n/g
/** For engines without `encodeInto`, which are older than any that loads these modules. */
const POLYFILL = /if \(!\('encodeInto' in cachedTextEncoder\)\) \{\n[\s\S]*?\n\}\n/
/**
 * Keeps one decoder and replaces it before it has decoded 2 GiB, the most that one of Safari's
 * decodes. A call returns one text at most, so a decoder for each text costs little, and needs no
 * count.
 */
const DECODER = /let cachedTextDecoder = [\s\S]*?\nfunction decodeText\(bytes\) \{\n[\s\S]*?\n\}\n/
/** The one use of it. */
const DECODED = /\bdecodeText\(/
const DECODE = "new TextDecoder('utf-8', { ignoreBOM: true }).decode("
/** For calls without a way to reallocate; all have one. */
const UNALLOCATED = / {4}if \(realloc === undefined\) \{\n[\s\S]*?\n {4}\}\n\n/
/** Frees arguments where the allocation of one trapped: the instance is replaced then. */
const CLEANUP =
  /try \{\n((?: +\w+ = .*;\n)+) +\} catch \(e\) \{\n(?: +if \(ptr\d\) .*\n)+ +throw e;\n +\}\n/g
/**
 * What a call returns, freed after it is read; where the call trapped, the instance is replaced.
 *
 * @type {readonly (readonly [RegExp, string])[]}
 */
const RETURNS = [
  [
    /let (deferred\d+)_0;\n +let \1_1;\n +try \{\n([\s\S]*?) +\1_0 = (.*);\n +\1_1 = (.*);\n( +return) getStringFromWasm0\(\3, \4\);\n +\} finally \{\n.*\n +\}\n/g,
    '$2$5 take(getStringFromWasm0, $3, $4);\n',
  ],
  [
    /var (ptr\d+) = ret\[0\];\n +var (len\d+) = ret\[1\];\n( +if \(ret\[3\]\) \{\n) +\1 = 0; \2 = 0;\n([\s\S]*?), \1, \2\)/g,
    '$3$4, ret[0], ret[1])',
  ],
  [
    /var (v\d+) = getArrayU8FromWasm0\((.*)\)\.slice\(\);\n +wasm\.__wbindgen_free\(.*\);\n( +return) \1;/g,
    '$3 take((...at) => getArrayU8FromWasm0(...at).slice(), $2);',
  ],
]
/** From here on the glue only loads. */
const LOADING = '\nlet wasmModule, wasmInstance, wasm;\n'
const NAMES = ['__wbg_load', 'initSync', '__wbg_init_once', 'initSync, __wbg_init as default']
/** Views of the memory, which belong to one instance. */
const VIEWS = /^let (cached\w+Memory0) = null;$/gm

/**
 * Replaces the finalizers, which would free a handle's pointer in whatever instance is there by
 * then, with a list of the handles: the pointers of a replaced instance become 0, which the module
 * refuses, and freeing 0 does nothing.
 *
 * @type {readonly (readonly [RegExp, string])[]}
 */
const HANDLES = [
  [/^const \w+Finalization = .*\n.*\n.*\n/gm, ''],
  [/\w+Finalization\.register\(this, .*\);/g, 'handles.add(this);'],
  [/\w+Finalization\.unregister\(this\);/g, 'handles.delete(this);'],
  [/wasm\.__wbg_\w+_free\(ptr, 0\);/g, 'if (ptr) $&'],
]

const loader = (/** @type {readonly string[]} */ views) => `
export const handles = new Set();
let wasm;
function take(read, pointer, length) {
    const taken = read(pointer, length);
    wasm.__wbindgen_free(pointer, length, 1);
    return taken;
}
/** Whose exports are called from here on. */
export function use(exports) {
    ${views.join(' = ')} = null;
    wasm = exports;
}
export { __wbg_get_imports as imports };
`

/**
 * The glue without them.
 *
 * @param {string} glue
 */
export function slimGlue(glue) {
  const [kept = '', loading = '', ...more] = glue.split(LOADING)
  const isKnown = NAMES.every((name) => loading.includes(name) && !kept.includes(name))
  const views = [...kept.matchAll(VIEWS)].map(([, view = '']) => view)
  const replaced = (/** @type {string} */ text, /** @type {typeof RETURNS} */ rules) =>
    rules.reduce((old, [from, to]) => old.replace(from, to), text)
  const slim = replaced(kept, [...HANDLES, ...RETURNS, [DECODER, ''], [DECODED, DECODE]])
  const rest = /Finalization|deferred|var v\d|cachedTextDecoder|decodeText/.test(slim)
  if (!isKnown || more.length > 0 || views.length === 0 || rest) {
    throw new Error('the glue has another shape than that of the wasm-bindgen in Cargo.lock')
  }
  return (
    slim.replace(UNUSED, '').replace(POLYFILL, '').replace(UNALLOCATED, '').replace(CLEANUP, '$1') +
    loader(views)
  )
}

/** A plugin of Vite's: tests run the glue that is shipped. */
export const shippedGlue = {
  name: 'shipped-glue',
  transform: (/** @type {string} */ code, /** @type {string} */ id) =>
    /\/sdk\/src\/generated\/\w+\.js$/.test(id) ? slimGlue(code) : undefined,
}
