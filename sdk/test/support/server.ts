/** A local HTTP server that answers as a test says. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Methods, reply } from './rpc.js'

export interface TestServer {
  readonly url: string
  /** Bodies of the requests so far. */
  readonly bodies: string[]
  readonly headers: IncomingMessage['headers'][]
  readonly close: () => Promise<void>
}

/** Listens on a free port of 127.0.0.1. */
export async function serve(
  answer: (response: ServerResponse, body: string, count: number, request: IncomingMessage) => void,
): Promise<TestServer> {
  const bodies: string[] = []
  const headers: IncomingMessage['headers'][] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      bodies.push(body)
      headers.push(request.headers)
      answer(response, body, bodies.length, request)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.closeAllConnections()
      server.close(() => resolve())
    })
  return { url: `http://127.0.0.1:${port}`, bodies, headers, close }
}

/** A JSON-RPC result for the call in the body. */
export function resultFor(body: string, result: unknown): string {
  const { id } = JSON.parse(body) as { id: unknown }
  return JSON.stringify({ jsonrpc: '2.0', id, result })
}

/** A node of Ethereum's that answers these methods. */
export function serveMethods(methods: Methods): Promise<TestServer> {
  return serve((response, body) => {
    const request = JSON.parse(body)
    const answers = Array.isArray(request)
      ? request.map((call) => reply(methods, call))
      : reply(methods, request)
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answers))
  })
}
