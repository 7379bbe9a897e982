/**
 * Small JSON-RPC helpers: a plain question to a node, and nodes that misbehave in ways
 * lightproof-node does not.
 */

import { createServer, type Server } from 'node:http'
import type { Socket } from 'node:net'

/** Asks a node without any check, to compare what the light client proves. */
export async function ask(
  url: string,
  method: string,
  params: readonly unknown[],
): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const { result } = (await response.json()) as { result: unknown }
  return result
}

/** A server that a test controls. */
export interface StubNode {
  readonly url: string
  stop(): Promise<void>
}

interface Call {
  readonly id: unknown
  readonly method: string
  readonly params: readonly never[]
}

/** A node that answers every call with this JSON-RPC error. */
export function failingNode(message: string): Promise<StubNode> {
  return answering(({ id }) => ({ jsonrpc: '2.0', id, error: { code: -32000, message } }))
}

/** A node of which each method is a function. */
export function scriptedNode(
  methods: Readonly<Record<string, (...params: never[]) => unknown>>,
): Promise<StubNode> {
  return answering(({ id, method, params }) => {
    const run = methods[method]
    if (run !== undefined) return { jsonrpc: '2.0', id, result: run(...params) }
    return { jsonrpc: '2.0', id, error: { code: -32601, message: `no method ${method}` } }
  })
}

function answering(answer: (call: Call) => object): Promise<StubNode> {
  const server = createServer((request, response) => {
    response.setHeader('access-control-allow-origin', '*')
    response.setHeader('access-control-allow-headers', '*')
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      if (request.method === 'OPTIONS') {
        response.end()
        return
      }
      const call = JSON.parse(body) as Call | Call[]
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(Array.isArray(call) ? call.map(answer) : answer(call)))
    })
  })
  return listen(server)
}

/** A node that passes every request on to another, and counts them. */
export async function countingNode(
  target: string,
): Promise<StubNode & { readonly count: () => number }> {
  let count = 0
  const server = createServer((request, response) => {
    count += 1
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = 'POST', headers, url = '/' } = request
      const init = method === 'POST' ? { body: Buffer.concat(chunks) } : {}
      const passed = { 'content-type': headers['content-type'] ?? 'application/json' }
      fetch(new URL(url, target), { method, ...init, headers: passed })
        .then(async (answer) => {
          response.setHeader('access-control-allow-origin', '*')
          response.setHeader('access-control-allow-headers', '*')
          response.statusCode = answer.status
          response.end(Buffer.from(await answer.arrayBuffer()))
        })
        .catch(() => response.destroy())
    })
  })
  return { ...(await listen(server)), count: () => count }
}

/** A node that takes every request and never answers. */
export function silentNode(): Promise<StubNode> {
  return listen(createServer(() => undefined))
}

async function listen(server: Server): Promise<StubNode> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => sockets.add(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    async stop() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
