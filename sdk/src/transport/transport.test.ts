import { describe, expect, test } from 'vitest'
import { ask, CALL, nodeAt, nodeOf } from '../../test/support/node.js'
import { resultFor } from '../../test/support/server.js'
import { mainnet } from '../client/chains.js'
import { createClient } from '../client/client.js'
import { RpcError } from '../result/errors.js'

describe('a single call', () => {
  test('default: posts JSON-RPC and returns the result', async () => {
    const { node, server } = await nodeAt((response, body) => response.end(resultFor(body, '0x1')))
    expect(await ask(node)).toBe('0x1')
    expect(JSON.parse(server.bodies[0] ?? '')).toEqual({ jsonrpc: '2.0', id: 1, ...CALL })
    expect(server.headers[0]).toMatchObject({ 'content-type': 'application/json' })
  })

  test('behavior: null is a result', async () => {
    const { node } = await nodeAt((response, body) => response.end(resultFor(body, null)))
    expect(await ask(node)).toBeNull()
  })

  test.each([
    ['a string', '"0x1"', 'transport.envelope'],
    ['a list', '[]', 'transport.envelope'],
    ['no result', '{"jsonrpc":"2.0","id":1}', 'transport.envelope'],
    ['another id', '{"jsonrpc":"2.0","id":7,"result":"0x1"}', 'transport.envelope'],
    ['an error without a code', '{"jsonrpc":"2.0","id":1,"error":{}}', 'transport.envelope'],
    ['an error that is a string', '{"jsonrpc":"2.0","id":1,"error":"no"}', 'transport.envelope'],
    ['no JSON', '<html>', 'transport.json'],
    ['an empty body', '', 'transport.json'],
    ['half of JSON', '{"jsonrpc":"2.0","id":1,"res', 'transport.json'],
  ])('error: %s', async (_, body, code) => {
    const { node } = await nodeAt((response) => response.end(body))
    await expect(ask(node)).rejects.toMatchObject({ name: 'TransportError', code })
  })

  test('error: text that is no UTF-8', async () => {
    const { node } = await nodeAt((response) => response.end(Buffer.from([0x22, 0xff, 0x22])))
    await expect(ask(node)).rejects.toMatchObject({ code: 'transport.json' })
  })

  test.each([
    [-32601, 'no such method', 'rpc.method'],
    [-32602, 'invalid params', 'rpc.params'],
    [-32005, 'too much', 'rpc.limit'],
    [-32011, 'unknown block', 'rpc.block'],
    [-32012, 'pruned', 'rpc.window'],
    [-32013, 'other shard', 'rpc.shard'],
    [-32014, 'no system', 'rpc.system'],
    [-32015, 'no variant', 'rpc.variant'],
    [-32000, 'header not found', 'rpc.block'],
    [-32000, 'missing trie node 12ab', 'rpc.window'],
    [-32000, 'distance to target block exceeds maximum proof window', 'rpc.window'],
    [-32000, 'something else', 'rpc.server'],
  ])('error: JSON-RPC error %i %s', async (rpcCode, message, code) => {
    const error = { code: rpcCode, message, data: { from: '0x1' } }
    const { node } = await nodeAt((response) =>
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, error })),
    )
    const caught = await ask(node).catch((reason: unknown) => reason)
    expect(caught).toBeInstanceOf(RpcError)
    expect(caught).toMatchObject({ code, rpcCode, method: 'eth_chainId', data: { from: '0x1' } })
  })

  test('error: control characters and length of a node message are cut', async () => {
    const error = { code: -32000, message: `\u001b[31mred\n${'x'.repeat(5000)}` }
    const { node } = await nodeAt((response) => response.end(JSON.stringify({ id: 1, error })))
    const caught = await ask(node).catch((reason: unknown) => reason)
    if (!(caught instanceof RpcError)) throw new Error('expected an RpcError')
    expect(caught.message).not.toMatch(/\p{Cc}/u)
    expect(caught.message.length).toBeLessThan(400)
  })
})

describe('HTTP', () => {
  test('error: a status that is no success', async () => {
    const { node } = await nodeAt((response) => response.writeHead(403).end('forbidden'))
    await expect(ask(node)).rejects.toMatchObject({ code: 'transport.status', status: 403 })
  })

  test('behavior: a JSON-RPC error under an HTTP error is read', async () => {
    const { node } = await nodeAt((response) =>
      response.writeHead(400).end('{"id":1,"error":{"code":-32601,"message":"no"}}'),
    )
    await expect(ask(node)).rejects.toMatchObject({ code: 'rpc.method' })
  })

  test('error: a redirect is not followed', async () => {
    const target = await nodeAt((response, body) => response.end(resultFor(body, '0x1')))
    const { node } = await nodeAt((response) =>
      response.writeHead(307, { location: target.server.url }).end(),
    )
    await expect(ask(node)).rejects.toMatchObject({ code: 'transport.redirect' })
    expect(target.server.bodies).toHaveLength(0)
  })

  test('error: a node that does not listen', async () => {
    const { node, server } = await nodeAt(() => {})
    await server.close()
    const caught = await ask(node).catch((reason: unknown) => reason)
    expect(caught).toMatchObject({ code: 'transport.network' })
    expect(caught).toHaveProperty('cause.message')
  })

  test('error: a node that hangs up', async () => {
    const { node } = await nodeAt((response) => response.destroy())
    await expect(ask(node)).rejects.toMatchObject({ code: 'transport.network' })
  })

  test('error: a node that says nothing', async () => {
    const { node } = await nodeAt(() => {}, { timeoutMs: 50 })
    await expect(ask(node)).rejects.toMatchObject({ code: 'transport.timeout' })
  })

  test('error: a body that drips is cut by the same timeout', async () => {
    const { node } = await nodeAt(
      (response) => {
        response.write('"')
        const drip = setInterval(() => response.write('.'), 10)
        response.on('close', () => clearInterval(drip))
      },
      { timeoutMs: 100 },
    )
    await expect(ask(node)).rejects.toMatchObject({ code: 'transport.timeout' })
  })

  test('error: a fetch that ignores its signal is cut as well', async () => {
    const node = nodeOf('http://node.test', { timeoutMs: 20, fetch: () => new Promise(() => {}) })
    await expect(ask(node)).rejects.toMatchObject({ code: 'transport.timeout' })
  })

  test('error: a fetch that cannot stream is no platform for it', async () => {
    const headers = new Headers()
    const response = { status: 200, type: 'default', headers, text: async () => '{}' }
    const node = nodeOf('http://node.test', { fetch: async () => response as never })
    await expect(ask(node)).rejects.toMatchObject({ code: 'platform.fetch' })
  })

  test('error: a body that says it is too long is not read', async () => {
    const { node } = await nodeAt(
      (response) => response.writeHead(200, { 'content-length': 2000 }).write('x'),
      { maxBytes: 1000 },
    )
    await expect(ask(node)).rejects.toMatchObject({ code: 'transport.size' })
  })

  test('error: a body without a length is read up to the cap', async () => {
    let sent = 0
    const chunk = 'x'.repeat(64 * 1024)
    const { node } = await nodeAt(
      (response) => {
        const more = (): void => {
          while (!response.destroyed && response.write(chunk)) sent += chunk.length
          sent += chunk.length
        }
        response.on('drain', more)
        more()
      },
      { maxBytes: 256 * 1024 },
    )
    await expect(ask(node)).rejects.toMatchObject({ code: 'transport.size' })
    expect(sent).toBeLessThan(64 * 1024 * 1024)
  })

  test('behavior: a body of exactly the cap is read', async () => {
    const body = '{"id":1,"result":"0x1"}'
    const { node } = await nodeAt((response) => response.end(body), { maxBytes: body.length })
    expect(await ask(node)).toBe('0x1')
  })

  test('behavior: abort throws the reason and ends the exchange', async () => {
    const abort = new AbortController()
    const reason = new Error('enough')
    let hungUp = (): void => {}
    const closed = new Promise<void>((resolve) => {
      hungUp = resolve
    })
    const { node } = await nodeAt((response) => {
      response.on('close', hungUp)
      abort.abort(reason)
    })
    await expect(ask(node, abort.signal)).rejects.toBe(reason)
    await closed
  })
})

describe('retries', () => {
  test('behavior: a busy server is asked again', async () => {
    const { node, server } = await nodeAt(
      (response, body, count) =>
        count < 3 ? response.writeHead(503).end() : response.end(resultFor(body, '0x1')),
      { retries: 2 },
    )
    expect(await ask(node)).toBe('0x1')
    expect(server.bodies).toHaveLength(3)
    expect(new Set(server.bodies).size).toBe(1)
  })

  test('error: no more often than allowed', async () => {
    const { node, server } = await nodeAt((response) => response.writeHead(429).end(), {
      retries: 1,
    })
    await expect(ask(node)).rejects.toMatchObject({ code: 'transport.status', status: 429 })
    expect(server.bodies).toHaveLength(2)
  })

  test.each([
    ['HTTP 404', 404, ''],
    ['a JSON-RPC error', 200, '{"id":1,"error":{"code":-32000,"message":"no"}}'],
    ['a malformed envelope', 200, '{}'],
  ])('behavior: %s is not asked for again', async (_, status, body) => {
    const answer = (response: { writeHead(status: number): { end(body: string): void } }): void =>
      response.writeHead(status).end(body)
    const { node, server } = await nodeAt(answer, { retries: 5 })
    await expect(ask(node)).rejects.toBeInstanceOf(Error)
    expect(server.bodies).toHaveLength(1)
  })

  test('behavior: abort ends the pause between attempts', async () => {
    const abort = new AbortController()
    const { node } = await nodeAt(
      (response) => {
        response.on('finish', () => abort.abort(new Error('enough')))
        response.writeHead(503).end()
      },
      { retries: 10 },
    )
    await expect(ask(node, abort.signal)).rejects.toThrow('enough')
  })
})

describe('batches', () => {
  const calls = [1, 2, 3].map((n) => ({ method: 'm', params: [n] }))

  test('behavior: answers in any order find their call', async () => {
    const { node } = await nodeAt((response, body) => {
      const asked = JSON.parse(body) as { id: number; params: number[] }[]
      const replies = asked.map(({ id, params }) => ({ id, result: params[0] }))
      response.end(JSON.stringify(replies.reverse()))
    })
    expect(await node.batch(calls, undefined)).toEqual([1, 2, 3])
  })

  test.each([
    ['one missing', (replies: unknown[]) => replies.slice(1)],
    ['one twice', (replies: unknown[]) => [replies[0], replies[0], replies[2]]],
    ['one too many', (replies: unknown[]) => [...replies, { id: 99, result: 1 }]],
    ['a foreign one', (replies: unknown[]) => [{ id: 99, result: 1 }, ...replies.slice(1)]],
    ['no objects', () => [1, 2, 3]],
  ])('error: %s', async (_, change) => {
    const { node } = await nodeAt((response, body) => {
      const asked = JSON.parse(body) as { id: number }[]
      response.end(JSON.stringify(change(asked.map(({ id }) => ({ id, result: 1 })))))
    })
    const promise = node.batch(calls, undefined)
    await expect(promise).rejects.toMatchObject({ code: 'transport.envelope' })
  })

  test('error: an error of one call', async () => {
    const { node } = await nodeAt((response, body) => {
      const asked = JSON.parse(body) as { id: number }[]
      const error = { code: -32011, message: 'unknown block' }
      response.end(JSON.stringify(asked.map(({ id }) => ({ id, error }))))
    })
    await expect(node.batch(calls, undefined)).rejects.toMatchObject({ code: 'rpc.block' })
  })
})

test('behavior: two nodes of one origin have names of their own', () => {
  const anchor = { block: mainnet.genesisHash }
  const nodes = ['https://rpc.test/a-long-key', 'https://rpc.test/b-long-key']
  const client = createClient({ chain: mainnet, anchor, nodes })
  expect(client.nodes.map(({ name }) => name)).toEqual(['https://rpc.test', 'https://rpc.test (2)'])
})

describe('a node with a cache before it', () => {
  const FIXED = { method: 'lp_getHeader', params: [`0x${'5a'.repeat(32)}`] }
  const PATH = `/base/lp_getHeader?key=k&params=${encodeURIComponent(JSON.stringify(FIXED.params))}`

  /** A node that answers a GET with what it was asked for, and a POST with `posted`. */
  async function cached(isCached = true) {
    const { server } = await nodeAt((response, body) => {
      const { method, url = '' } = response.req
      if (method === 'POST') return response.end(resultFor(body, 'posted'))
      return response.end(JSON.stringify({ jsonrpc: '2.0', id: null, result: url }))
    })
    const node = nodeOf(`${server.url}/base/?key=k`)
    node.isCached = isCached
    return { node, server }
  }

  test('default: what never changes is asked for by GET, each by itself', async () => {
    const { node, server } = await cached()
    const other = { ...FIXED, method: 'lp_getParams' }
    const calls = [FIXED, other, CALL].map((call) => node.call(call, undefined))
    const otherPath = PATH.replace(FIXED.method, other.method)
    expect(await Promise.all(calls)).toEqual([PATH, otherPath, 'posted'])
    expect(server.bodies).toHaveLength(3)
    expect(server.headers.find((headers) => !headers['content-type'])).toMatchObject({
      accept: 'application/json',
    })
  })

  test('behavior: of a node that does not say so, nothing', async () => {
    const { node } = await cached(false)
    expect(await node.call(FIXED, undefined)).toBe('posted')
  })

  test('behavior: a question too long for an address is posted', async () => {
    const { node } = await cached()
    const long = { ...FIXED, params: ['0x'.padEnd(4_000, '0')] }
    expect(await node.call(long, undefined)).toBe('posted')
  })

  test('behavior: what is asked for twice at once is one GET', async () => {
    const { node, server } = await cached()
    await Promise.all([node.call(FIXED, undefined), node.call(FIXED, undefined)])
    expect(server.bodies).toHaveLength(1)
  })

  test.each([
    [
      'an answer to a numbered call',
      200,
      { jsonrpc: '2.0', id: 1, result: '0x' },
      'transport.envelope',
    ],
    [
      'an error of JSON-RPC',
      200,
      { id: null, error: { code: -32012, message: 'old' } },
      'rpc.window',
    ],
    ['another status', 404, {}, 'transport.status'],
    ['more than it was asked for', 200, { id: null, result: '0'.repeat(5_000) }, 'transport.size'],
  ])('error: %s', async (_, status, body, code) => {
    const { node } = await nodeAt((response) =>
      response.writeHead(status).end(JSON.stringify(body)),
    )
    node.isCached = true
    await expect(node.call({ ...FIXED, maxBytes: 4_096 }, undefined)).rejects.toMatchObject({
      code,
    })
  })
})
