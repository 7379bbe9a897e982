/**
 * Watches a light client start, in a page or in Node.js: it is ready when its first request leaves,
 * and the WebAssembly that it has begun to load by then runs. Nothing is sent.
 */

/** What every client is told to ask; nobody listens there. */
export const NODE = 'http://node.invalid'
export const BEACON = 'http://beacon.invalid'
export const CHECKPOINT = `0x${'11'.repeat(32)}`
export const ADDRESS = `0x${'22'.repeat(20)}`

/**
 * Milliseconds until it is ready, by `performance.now()`.
 *
 * @param {() => Promise<unknown>} start loads the client and asks it for something; may never end
 * @returns {Promise<number>}
 */
export async function readyAt(start) {
  const { fetch } = globalThis
  /** @type {Promise<unknown>[]} */
  const loading = []
  for (const name of /** @type {const} */ ([
    'compile',
    'compileStreaming',
    'instantiate',
    'instantiateStreaming',
  ])) {
    const own = WebAssembly[name]
    if (own === undefined) continue
    // @ts-expect-error: each takes what it is given.
    WebAssembly[name] = (/** @type {unknown[]} */ ...args) => {
      // @ts-expect-error: as above.
      const begun = own.apply(WebAssembly, args)
      loading.push(begun)
      return begun
    }
  }
  await new Promise((resolve, reject) => {
    globalThis.fetch = (input, init) => {
      const url = input instanceof Request ? input.url : String(input)
      if (!url.includes('.invalid')) return fetch(input, init)
      resolve(undefined)
      return new Promise(() => {})
    }
    start().catch(reject)
  })
  await Promise.allSettled(loading)
  return performance.now()
}
