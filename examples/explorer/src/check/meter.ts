/** Counts what travels: requests, and bytes of answers. */

/** A `fetch` that counts. */
export interface Meter {
  readonly fetch: typeof globalThis.fetch
  /** Up to now. */
  readonly count: () => { readonly requests: number; readonly bytes: number }
}

/** A meter at zero. */
export function meter(): Meter {
  let requests = 0
  let bytes = 0
  return {
    fetch: async (input, init) => {
      requests += 1
      const response = await fetch(input, init)
      const { body, status, headers, type } = response
      if (body === null || type === 'opaqueredirect') return response
      const counted = new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          bytes += chunk.length
          controller.enqueue(chunk)
        },
      })
      return new Response(body.pipeThrough(counted), { status, headers })
    },
    count: () => ({ requests, bytes }),
  }
}
