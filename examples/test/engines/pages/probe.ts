/** Counts how a page reaches and compiles wasm. Import it before the SDK. */

/** Numbers of calls so far. */
export interface Calls {
  fetch: number
  compile: number
  compileStreaming: number
}

export const calls: Calls = { fetch: 0, compile: 0, compileStreaming: 0 }

const { fetch } = globalThis
globalThis.fetch = (...args) => {
  calls.fetch += 1
  return fetch(...args)
}

const { compile, compileStreaming } = WebAssembly
WebAssembly.compile = (bytes) => {
  calls.compile += 1
  return compile(bytes)
}
WebAssembly.compileStreaming = (source) => {
  calls.compileStreaming += 1
  return compileStreaming(source)
}
