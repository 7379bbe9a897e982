/**
 * What the platform brings, as far as this package's types name it: they need no library of DOM
 * types. Where one is there (DOM, `@types/node`), these declarations add nothing to it.
 */

declare global {
  interface AbortSignal {}
  interface EventTarget {}
  interface Headers {}
  interface URL {}
  namespace WebAssembly {
    interface Module {}
  }
}

/** `fetch`, as far as it is typed here. */
export type Fetch = typeof globalThis extends { readonly fetch: infer F }
  ? F
  : (url: string, init?: object) => Promise<unknown>

/** Bytes in memory, such as those of a module. */
export type ByteSource = ArrayBuffer | ArrayBufferView
