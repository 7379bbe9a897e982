/** A server that replays what nodes answered. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { replay } from '../../../sdk/test/support/beacon.js'
import { executionOf, type Recording } from '../../../sdk/test/support/recordings.js'
import { reply } from '../../../sdk/test/support/rpc.js'

/**
 * Replays recordings: a beacon node at `/<index>/eth/v1/…`, an execution node at `/<index>/rpc`.
 */
export async function serveRecordings(
  list: readonly Recording[],
): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer(async (request, response) => {
    response.setHeader('access-control-allow-origin', '*')
    response.setHeader('access-control-allow-headers', '*')
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://nodes')
    const [, index = '', route = ''] = /^\/(\d+)\/(.*)$/.exec(pathname) ?? []
    const recording = list[Number(index)]
    if (recording === undefined) response.writeHead(404).end()
    else if (route === 'rpc') await answerCalls(response, recording, request)
    else {
      const below = route.replace('eth/v1/beacon/light_client/', '')
      answerBeacon(response, replay(recording)(below, searchParams, request))
    }
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  const close = () =>
    new Promise<void>((closed) => {
      server.closeAllConnections()
      server.close(() => closed())
    })
  return { url: `http://127.0.0.1:${port}`, close }
}

function answerBeacon(response: ServerResponse, body: ReturnType<ReturnType<typeof replay>>): void {
  if (body === undefined || typeof body === 'number') {
    response.writeHead(body ?? 404).end()
    return
  }
  const isBytes = body instanceof Uint8Array
  response.setHeader('content-type', isBytes ? 'application/octet-stream' : 'application/json')
  response.end(isBytes ? body : JSON.stringify(body))
}

type Call = Parameters<typeof reply>[1]

async function answerCalls(
  response: ServerResponse,
  recording: Recording,
  request: IncomingMessage,
): Promise<void> {
  let body = ''
  for await (const chunk of request) body += chunk
  const answer = (call: Call) => reply(executionOf(recording), call)
  // A browser asks for leave with an empty body.
  const calls = body === '' ? [] : (JSON.parse(body) as Call | Call[])
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(Array.isArray(calls) ? calls.map(answer) : answer(calls)))
}
