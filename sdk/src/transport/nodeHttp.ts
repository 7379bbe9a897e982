/**
 * How Node.js asks: by `node:http`, until the program uses `fetch`, whose first use loads it for
 * about as long as all the rest of a first proof takes.
 */

import type { IncomingMessage } from 'node:http'
import process from 'node:process'
import type { Readable } from 'node:stream'
import { type Reply, type Request, sendBy } from './send.js'

/** Has clients of this process ask by `node:http` where they may. */
export function useNodeHttp(): void {
  // The `fetch` of Bun and Deno needs no loading, and may know a proxy or permissions.
  if (process.versions['bun'] ?? process.versions['deno']) return
  sendBy(() => (isUnused() ? send : undefined))
}

/**
 * Is `fetch` that of Node.js, and not loaded? A program that replaced it, or gave it a proxy or a
 * mock, wants every request to go through it.
 */
function isUnused(): boolean {
  if (!String(globalThis.fetch).includes("require('internal/deps/undici/undici')")) return false
  const symbols = Object.getOwnPropertySymbols(globalThis)
  return !symbols.some(({ description }) => description?.startsWith('undici.globalDispatcher'))
}

/** Headers that `fetch` sends too: some servers refuse requests without a user agent. */
const AS_FETCH = { accept: '*/*', 'accept-encoding': 'gzip', 'user-agent': 'node' }

/**
 * Sends a request as `fetch` does that follows no redirects.
 *
 * @throws the error of Node.js, also where the signal is aborted.
 */
export async function send(
  url: string,
  { method, headers, body, signal }: Request,
): Promise<Reply> {
  const { request } = await (url.startsWith('https:') ? import('node:https') : import('node:http'))
  signal.throwIfAborted()
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const options = { method, headers: { ...AS_FETCH, ...headers } }
    const sent = request(url, options, resolve)
    // Errors after the answer's head reach whoever reads the body.
    sent.on('error', reject)
    // Of an answer that changes the protocol there is no other sign.
    sent.on('close', () => reject(new Error('the connection ended without an answer')))
    signal.addEventListener('abort', () => sent.destroy(), { once: true })
    sent.end(body)
  })
  const { statusCode = 0, headersDistinct } = response
  return {
    status: statusCode,
    headers: { get: (name) => headersDistinct[name]?.join(', ') ?? null },
    body: { getReader: () => readerOf(response) },
  }
}

function readerOf(response: IncomingMessage): ReturnType<NonNullable<Reply['body']>['getReader']> {
  let chunks: AsyncIterator<Uint8Array> | undefined
  return {
    read: async () => {
      chunks ??= (await decoded(response))[Symbol.asyncIterator]()
      return chunks.next()
    },
  }
}

async function decoded(response: IncomingMessage): Promise<Readable> {
  const encoding = response.headers['content-encoding']?.toLowerCase() ?? 'identity'
  if (encoding === 'identity') return response
  if (encoding !== 'gzip') throw new Error('the answer is in an encoding that was not asked for')
  const [{ pipeline }, { createGunzip }] = await Promise.all([
    import('node:stream'),
    import('node:zlib'),
  ])
  // Who reads learns of errors.
  return pipeline(response, createGunzip(), () => {})
}
