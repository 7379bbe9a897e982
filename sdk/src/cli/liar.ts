/** A proxy before an honest node, which tells one lie at a time. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { isRecord } from '../encoding/input.js'
import type { Delivery, Lie, PassingCall } from './lies.js'

/** A running proxy. */
export interface Liar {
  readonly url: string
  /** Tells this lie from now on; none if left out. */
  tell(lie?: Lie): void
  /** Was the lie told since it was set? */
  readonly told: boolean
  /** Was anything asked at all? */
  readonly asked: boolean
  close(): Promise<void>
}

/** Starts a proxy, honest at first. */
export async function startLiar(target: string): Promise<Liar> {
  let lie: Lie | undefined
  let told = false
  let wasAsked = false
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const current = lie
    wasAsked = true
    const body = await read(request)
    if (current?.deliver !== undefined) {
      told = true
      return deliver(response, current.deliver)
    }
    const calls = parse(body)
    const { status, text } = await forward(
      target,
      current?.ask === undefined ? body : asked(calls, current),
    )
    const changed = current === undefined ? text : retold(calls, text, current)
    if (changed !== text || (current?.ask !== undefined && differs(calls, current))) told = true
    response.writeHead(status, HEADERS).end(changed)
  }
  const server = createServer((request, response) => {
    if (request.method === 'OPTIONS') {
      response.writeHead(204, HEADERS).end()
      return
    }
    answer(request, response).catch(() => response.destroy())
  })
  return {
    url: await listen(server),
    tell: (next) => {
      lie = next
      told = false
    },
    get told() {
      return told
    },
    get asked() {
      return wasAsked
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Pages may ask it too. */
const HEADERS = {
  'content-type': 'application/json',
  'access-control-allow-origin': '*',
  'access-control-allow-headers': '*',
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : address}`
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString()
}

interface Numbered extends PassingCall {
  readonly id: unknown
}

interface Calls {
  readonly isBatch: boolean
  readonly list: readonly Numbered[]
}

function parse(body: string): Calls {
  let json: unknown
  try {
    json = JSON.parse(body)
  } catch {
    json = []
  }
  const list = (Array.isArray(json) ? json : [json]).filter(isRecord)
  return {
    isBatch: Array.isArray(json),
    list: list.map(({ id, method, params }) => {
      return { id, method: String(method), params: Array.isArray(params) ? params : [] }
    }),
  }
}

function asked({ isBatch, list }: Calls, { ask = (call) => call }: Lie): string {
  const bodies = list.map(({ id, method, params }) => {
    return { jsonrpc: '2.0', id, ...ask({ method, params }) }
  })
  return JSON.stringify(isBatch ? bodies : bodies[0])
}

function differs({ list }: Calls, { ask = (call) => call }: Lie): boolean {
  return list.some(({ method, params }) => {
    return JSON.stringify(ask({ method, params })) !== JSON.stringify({ method, params })
  })
}

async function forward(target: string, body: string): Promise<{ status: number; text: string }> {
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch(target, { method: 'POST', headers, body })
  return { status: reply.status, text: await reply.text() }
}

/** The reply with changed results; the same text if the lie is about none of the calls. */
function retold({ list }: Calls, text: string, { tell }: Lie): string {
  if (tell === undefined) return text
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return text
  }
  let isChanged = false
  const change = (reply: unknown): unknown => {
    const call = list.find(({ id }) => isRecord(reply) && reply['id'] === id)
    if (!isRecord(reply) || call === undefined || !('result' in reply)) return reply
    const result = tell(call, reply['result'])
    if (JSON.stringify(result) !== JSON.stringify(reply['result'])) isChanged = true
    return { ...reply, result }
  }
  const changed = Array.isArray(json) ? json.map(change) : change(json)
  return isChanged ? JSON.stringify(changed) : text
}

const GIGABYTE = 2 ** 30
const CHUNK = Buffer.alloc(2 ** 20, ' ')

/** Sends a body, or less, as no node should. */
export function deliver(response: ServerResponse, how: Delivery): void {
  switch (how) {
    case 'drop':
      response.destroy()
      return
    case 'error-500':
      response.writeHead(500, HEADERS).end('{}')
      return
    case 'redirect':
      response.writeHead(307, { ...HEADERS, location: '/' }).end()
      return
    case 'garbage':
      response.writeHead(200, HEADERS).end('<html>Bad gateway</html>')
      return
    case 'deep':
      response.writeHead(200, HEADERS).end('['.repeat(200_000))
      return
    case 'cut':
      response.writeHead(200, { ...HEADERS, 'content-length': '4000' })
      response.write('{"jsonrpc":"2.0","id":1,', () => response.destroy())
      return
    case 'drip':
      drip(response)
      return
    case 'flood':
      flood(response)
  }
}

function drip(response: ServerResponse): void {
  response.writeHead(200, HEADERS)
  response.write('{')
  const timer = setInterval(() => response.write(' '), 1000)
  response.once('close', () => clearInterval(timer))
}

/** As fast as the client takes it, and no faster: a flood must not fill this process. */
function flood(response: ServerResponse): void {
  response.writeHead(200, HEADERS)
  let sent = 0
  const more = (): void => {
    while (sent < GIGABYTE && !response.destroyed) {
      sent += CHUNK.length
      if (!response.write(CHUNK)) {
        response.once('drain', more)
        return
      }
    }
    response.end()
  }
  more()
}
