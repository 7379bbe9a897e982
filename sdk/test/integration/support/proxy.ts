/** A lying node: an HTTP proxy that changes the results of a JSON-RPC node. */

import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { isRecord } from './json.js'

/** What the proxy does to a result. */
export type Tamper = (method: string, result: unknown) => unknown

/** A running proxy. */
export interface LyingNode {
  readonly url: string
  /** Changes every result from now on. */
  tamper: Tamper
  /** Answers by itself what it is not undefined for: the node never hears of it. */
  swallow: (method: string, params: readonly unknown[]) => unknown
  close(): Promise<void>
}

/** Pages of any origin may ask it. */
const PAGES = { 'access-control-allow-origin': '*' }

/** Starts a proxy, honest at first. */
export async function startProxy(target: string): Promise<LyingNode> {
  const server = createServer((request, response) => {
    forward(request, response).catch((error: Error) => response.destroy(error))
  })
  const forward = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method === 'OPTIONS') {
      response.writeHead(204, { ...PAGES, 'access-control-allow-headers': 'content-type' }).end()
      return
    }
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(Buffer.from(chunk))
    const body = Buffer.concat(chunks).toString()
    const swallowed = swallowedOf(JSON.parse(body), proxy.swallow)
    if (swallowed !== undefined) {
      response.writeHead(200, { 'content-type': 'application/json', ...PAGES })
      response.end(JSON.stringify(swallowed))
      return
    }
    const headers = { 'content-type': 'application/json' }
    const reply = await fetch(target, { method: 'POST', headers, body })
    const json: unknown = await reply.json()
    response.writeHead(reply.status, { ...headers, ...PAGES })
    response.end(JSON.stringify(changed(JSON.parse(body), json, proxy.tamper)))
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port')
  const proxy: LyingNode = {
    url: `http://127.0.0.1:${address.port}`,
    tamper: (_, result) => result,
    swallow: () => undefined,
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
  return proxy
}

/** The proxy's own answer to a call that travels alone. */
function swallowedOf(request: unknown, swallow: LyingNode['swallow']): object | undefined {
  const [call] = Array.isArray(request) && request.length === 1 ? request : [request]
  if (!isRecord(call)) return undefined
  const { id, method, params } = call
  const result = swallow(String(method), Array.isArray(params) ? params : [])
  if (result === undefined) return undefined
  const reply = { jsonrpc: '2.0', id, result }
  return Array.isArray(request) ? [reply] : reply
}

/** A reply, or a batch of them, with tampered results. */
function changed(request: unknown, reply: unknown, tamper: Tamper): unknown {
  if (Array.isArray(reply)) {
    const calls = Array.isArray(request) ? request.filter(isRecord) : []
    return reply.map((one: unknown) => {
      const call = calls.find(({ id }) => isRecord(one) && one['id'] === id)
      return changed(call, one, tamper)
    })
  }
  if (!isRecord(request) || !isRecord(reply) || !('result' in reply)) return reply
  return { ...reply, result: tamper(String(request['method']), reply['result']) }
}
