import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import process from 'node:process'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { buildSync } from 'esbuild'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { send } from './nodeHttp.js'
import type { Reply } from './send.js'

const BODY = '{"jsonrpc":"2.0","id":1,"result":"0x1"}'

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

/** A server that answers as given; its URL, what it was sent, and how many sockets it has seen. */
async function serve(answer: (response: ServerResponse) => void) {
  const seen = { sockets: 0, open: 0, requests: [] as Record<string, unknown>[] }
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      const { method, url, headers } = request
      const names = ['accept', 'content-length', 'content-type', 'host', 'user-agent']
      seen.requests.push({ method, url, body, headers: names.map((name) => headers[name]) })
      answer(response)
    })
  })
  server.on('connection', (socket) => {
    seen.sockets++
    seen.open++
    socket.on('close', () => seen.open--)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/a?b=c`, seen }
}

const never = new AbortController().signal
const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '[1]' }

async function readAll(reply: Reply): Promise<string> {
  const reader = reply.body?.getReader()
  let text = ''
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true }
    if (done || value === undefined) return text
    text += Buffer.from(value).toString('latin1')
  }
}

/** As much of an exchange as a client learns. */
async function told(sent: Promise<Reply>) {
  try {
    const reply = await sent
    const { status } = reply
    const names = ['content-type', 'content-length', 'retry-after', 'eth-consensus-version']
    const headers = names.map((name) => reply.headers.get(name))
    try {
      return { status, headers, body: await readAll(reply) }
    } catch {
      return { status, headers, body: 'cut' }
    }
  } catch {
    return 'refused'
  }
}

describe('an exchange', () => {
  const json = { 'content-type': 'application/json' }
  const gzip = { 'content-encoding': 'gzip' }
  const packed = gzipSync('x'.repeat(100_000))
  test.each<[string, (response: ServerResponse) => unknown]>([
    ['JSON', (response) => response.writeHead(200, json).end(BODY)],
    ['nothing', (response) => response.end()],
    ['no content', (response) => response.writeHead(204).end()],
    ['headers', (response) => response.writeHead(503, { ...json, 'retry-after': '7' }).end('{}')],
    [
      'a header twice',
      (response) =>
        response
          .writeHead(
            200,
            [
              ['retry-after', '1'],
              ['retry-after', '2'],
            ].flat(),
          )
          .end(),
    ],
    [
      'the version',
      (response) => response.writeHead(200, { 'eth-consensus-version': 'fulu' }).end(),
    ],
    ['a redirect', (response) => response.writeHead(302, { location: '/elsewhere' }).end('go')],
    [
      'a hint first',
      (response) => {
        response.writeEarlyHints({ link: '</a>; rel=preload' })
        response.end(BODY)
      },
    ],
    [
      'pieces',
      (response) => {
        response.write('{"a"')
        setImmediate(() => response.end(':1}'))
      },
    ],
    ['gzip', (response) => response.writeHead(200, gzip).end(packed)],
    ['gzip that is none', (response) => response.writeHead(200, gzip).end(BODY)],
    [
      'less than it says',
      (response) => {
        response.writeHead(200, { 'content-length': 100 }).write('x')
        setTimeout(() => response.destroy(), 20)
      },
    ],
    ['no answer', (response) => response.destroy()],
    ['no HTTP', (response) => response.socket?.end('nonsense\r\n\r\n')],
    [
      'another protocol',
      (response) => response.writeHead(101, { upgrade: 'x', connection: 'upgrade' }).end(),
    ],
    ['bytes of every value', (response) => response.end(Buffer.from([...Array(256).keys()]))],
  ])('default: %s, as by fetch', async (_, answer) => {
    const { url, seen } = await serve(answer)
    const init = { ...post, signal: never }
    const expected = await told(fetch(url, { ...init, redirect: 'manual' }))
    expect(await told(send(url, init))).toEqual(expected)
    const [first, second, ...others] = seen.requests
    expect(second).toEqual(first)
    expect(others).toEqual([])
  })

  test('default: sockets are used again, also after a client is done with its answer', async () => {
    const { url, seen } = await serve((response) => response.end(BODY))
    for (let i = 0; i < 3; i++) {
      const abort = new AbortController()
      expect(await readAll(await send(url, { ...post, signal: abort.signal }))).toBe(BODY)
      abort.abort()
    }
    expect(seen).toMatchObject({ sockets: 1, open: 1 })
  })

  test('behavior: gzip that is cut short is an error', async () => {
    const { url } = await serve((response) =>
      response.writeHead(200, gzip).end(packed.subarray(0, 60)),
    )
    expect(await told(send(url, { ...post, signal: never }))).toMatchObject({ body: 'cut' })
  })

  test('behavior: an encoding that was not asked for is an error', async () => {
    const headers = { 'content-encoding': 'br' }
    const { url } = await serve((response) =>
      response.writeHead(200, headers).end(brotliCompressSync(BODY)),
    )
    expect(await told(send(url, { ...post, signal: never }))).toMatchObject({ body: 'cut' })
  })

  test.each([
    ['before it is sent', 'sent', 'refused'],
    ['before the answer', 'asked', 'refused'],
    ['within the body', 'answered', 'cut'],
  ])('behavior: abort %s ends it', async (_, when, outcome) => {
    const abort = new AbortController()
    const stop = () => abort.abort(new Error('enough'))
    const { url, seen } = await serve((response) => {
      if (when === 'answered') response.write('x'.repeat(1000))
      setTimeout(stop, 50)
    })
    if (when === 'sent') stop()
    const found = await told(send(url, { ...post, signal: abort.signal }))
    expect(found === 'refused' ? found : found.body).toBe(outcome)
    await vi.waitFor(() => expect(seen.open).toBe(0))
  })

  test('behavior: a body that nobody reads any more ends with its signal', async () => {
    const random = gzipSync(randomBytes(1 << 20))
    const { url, seen } = await serve((response) => {
      const more = (): void => {
        while (!response.destroyed && response.write(random)) {}
      }
      response.writeHead(200, { 'content-encoding': 'gzip' }).on('drain', more)
      more()
    })
    const abort = new AbortController()
    const reply = await send(url, { ...post, signal: abort.signal })
    await reply.body?.getReader().read()
    abort.abort()
    await vi.waitFor(() => expect(seen.open).toBe(0))
  })

  test.each([{}, { 'content-encoding': 'GZIP' }])(
    'behavior: a body with %o that is never read ends quietly',
    async (headers) => {
      const { url, seen } = await serve((response) => {
        response.writeHead(200, headers).write(gzipSync('x'.repeat(100)))
        setTimeout(() => response.destroy(), 20)
      })
      for (const reads of [0, 1]) {
        const reply = await send(url, { ...post, signal: never })
        // The server cuts it: an error that nobody hears would end the process.
        for (let i = 0; i < reads; i++) await reply.body?.getReader().read()
        await vi.waitFor(() => expect(seen.open).toBe(0))
      }
    },
  )

  test('error: nobody listens, and an address of no host', async () => {
    for (const url of ['http://127.0.0.1:1/', 'https://127.0.0.1:1/', 'http://node.invalid/']) {
      await expect(send(url, { ...post, signal: never })).rejects.toThrow()
    }
  })
})

/** What sends in a fresh process, of which vitest has not used `fetch`. */
function chosen(before: string, after: string): string {
  const contents = `
    import { useNodeHttp } from './nodeHttp.js'
    import { sender } from './send.js'
    ${before}
    useNodeHttp()
    ${after}
    console.log(sender() === globalThis.fetch ? 'fetch' : 'node:http')
  `
  const { outputFiles } = buildSync({
    stdin: { contents, resolveDir: import.meta.dirname },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
  })
  const args = ['--input-type=module', '--eval', outputFiles[0]?.text ?? '']
  return execFileSync(process.execPath, args, { encoding: 'utf8' }).trim()
}

describe('what sends', () => {
  test.each([
    ['node:http', 'a program that asks nobody else', '', ''],
    ['node:http', 'one that has used node:http', '', "await import('node:http')"],
    ['fetch', 'one that has used fetch', "await fetch('data:,')", ''],
    ['fetch', 'one that uses fetch later', '', "await fetch('data:,')"],
    ['fetch', 'one that has made headers, as for fetch', 'new Headers()', ''],
    ['fetch', 'one that has replaced fetch', 'globalThis.fetch = async () => {}', ''],
    ['fetch', 'one that replaces fetch later', '', 'globalThis.fetch = async () => {}'],
    ['fetch', 'one that watches fetch', 'globalThis.fetch = fetch.bind(globalThis)', ''],
    ['fetch', 'one that has none', 'delete globalThis.fetch', ''],
    ['fetch', 'one with a proxy', '', "globalThis[Symbol.for('undici.globalDispatcher.1')] = {}"],
  ])('default: %s in %s', (expected, _, before, after) => {
    expect(chosen(before, after)).toBe(expected)
  })
})
