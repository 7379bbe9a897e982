import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { ask, nodeAt, nodeOf } from '../../test/support/node.js'
import { resultFor } from '../../test/support/server.js'
import { TransportError } from '../result/errors.js'

describe('credentials', () => {
  const secrets = ['s3cret-user', 'pa$$ word', 'pa%24%24%20word', 'path-api-key', 'query-api-key']
  const withSecrets = (origin: string): string =>
    `${origin.replace('://', '://s3cret-user:pa%24%24%20word@')}/v2/path-api-key?key=query-api-key`

  function expectNoSecrets(error: unknown): void {
    expect(error).toBeInstanceOf(TransportError)
    const shown = inspect(error, { depth: 10, showHidden: true }) + String((error as Error).stack)
    for (const secret of secrets) expect(shown).not.toContain(secret)
  }

  test('behavior: user and password travel as a header', async () => {
    const { server } = await nodeAt((response, body) => response.end(resultFor(body, '0x1')))
    expect(await ask(nodeOf(withSecrets(server.url)))).toBe('0x1')
    const expected = `Basic ${Buffer.from('s3cret-user:pa$$ word').toString('base64')}`
    expect(server.headers[0]?.authorization).toBe(expected)
  })

  test('error: never in an error or its causes', async () => {
    const { server } = await nodeAt((response) => response.writeHead(401).end())
    const url = withSecrets(server.url)
    expectNoSecrets(await ask(nodeOf(url)).catch((reason: unknown) => reason))
    await server.close()
    expectNoSecrets(await ask(nodeOf(url)).catch((reason: unknown) => reason))
  })

  test('error: not even when fetch repeats the URL in its message, causes and fields', async () => {
    const url = withSecrets('http://node.test')
    const fetch = (input: unknown): never => {
      const cause = Object.assign(new Error(`connect ${String(input)}`), { url, code: 'ECONN' })
      throw Object.assign(new TypeError(`failed: ${url}`, { cause }), { config: { url } })
    }
    const error = await ask(nodeOf(url, { fetch })).catch((reason: unknown) => reason)
    expectNoSecrets(error)
    expect(error).toMatchObject({ cause: { cause: { code: 'ECONN' } } })
  })

  test('error: nor when the node repeats it', async () => {
    const message = 'unknown key query-api-key of path-api-key'
    const { server } = await nodeAt((response) =>
      response.end(JSON.stringify({ id: 1, error: { code: -32000, message, data: [message] } })),
    )
    const error = await ask(nodeOf(withSecrets(server.url))).catch((reason: unknown) => reason)
    const shown = inspect(error, { depth: 10, showHidden: true })
    for (const secret of secrets) expect(shown).not.toContain(secret)
    expect(error).toMatchObject({ code: 'rpc.server', node: server.url })
  })

  test('error: a URL that cannot be parsed is not repeated', () => {
    const url = 'https://user:s3cret-user@[bad'
    try {
      nodeOf(url)
      expect.unreachable()
    } catch (error) {
      expect(inspect(error, { depth: 10, showHidden: true })).not.toContain('s3cret-user')
      expect(error).toMatchObject({ code: 'input.node', argument: 'nodes[0]' })
    }
  })
})
