/**
 * What lies around the verifier: what a client shows of itself, whom it tells, and what its files
 * do where they do not belong.
 */

import { inspect } from 'node:util'
import { afterEach, expect, test, vi } from 'vitest'
import { createProvider } from '../../src/entry/eip1193.js'
import { createClient, getBalance, mainnet, proven } from '../../src/entry/node.js'
import { employ } from '../../src/proving/engine.js'
import { tell } from '../../src/proving/tell.js'
import { startPool } from '../../src/workers/pool.js'
import { serveJobs } from '../../src/workers/serve.js'
import { honest, makeChain, OWNER } from '../support/chain.js'
import { clientOf } from '../support/client.js'

const chain = makeChain(4)
const wallet = { address: OWNER }

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20))

/** What a careless listener does. */
const careless: readonly ((heard?: unknown) => unknown)[] = [
  () => {
    throw new Error('thrown')
  },
  () => Promise.reject(new Error('rejected')),
  () =>
    Object.defineProperty({}, 'then', {
      get: () => {
        throw new Error('no promise')
      },
    }),
]

const unhandled: unknown[] = []
const note = (error: unknown): void => void unhandled.push(error)

afterEach(() => {
  employ()
  vi.unstubAllGlobals()
})

test.each(careless)('behavior: a listener that fails disturbs nothing: %s', async (listener) => {
  process.on('unhandledRejection', note)
  process.on('uncaughtException', note)
  try {
    const lied = honest(chain, { eth_getProof: () => ({}) })
    const nodes = [lied, honest(chain)]
    const heard = vi.fn(listener)
    const { client } = clientOf(chain, nodes, { onBadProof: heard as never })
    expect(proven(await getBalance(client, wallet))).toBe(chain.head.balance)
    const provider = createProvider(client, { onAnswer: heard as never })
    const params = [OWNER, 'latest']
    expect(await provider.request({ method: 'eth_getBalance', params })).toBeDefined()
    tell(heard, 1)
    const pool = startPool(
      (onReport) => {
        const serve = serveJobs(onReport)
        return { post: serve, hold: () => undefined, end: () => undefined }
      },
      1,
      heard as never,
    )
    const { client: second } = clientOf(chain, [honest(chain)])
    expect(proven(await getBalance(second, wallet))).toBe(chain.head.balance)
    pool.close()
    await turn()
    expect(heard.mock.calls.length).toBeGreaterThan(3)
    expect(unhandled).toEqual([])
  } finally {
    process.off('unhandledRejection', note)
    process.off('uncaughtException', note)
  }
})

test('error: a client shows no credentials', () => {
  const secrets = ['s3cret-user', 's3cret-word', 'path-api-key', 'query-api-key']
  const url = (host: string): string =>
    `https://s3cret-user:s3cret-word@${host}/v2/path-api-key?key=query-api-key`
  const client = createClient({
    chain: mainnet,
    anchor: { checkpoint: `0x${'11'.repeat(32)}` },
    nodes: [url('node.test')],
    beacons: [url('beacon.test')],
  })
  const copy = { ...client, light: { ...client.light } }
  const shown = [
    JSON.stringify(client),
    JSON.stringify(copy),
    inspect(client, { depth: 20, showHidden: true }),
  ].join()
  expect(shown).toContain('https://beacon.test')
  for (const secret of [...secrets, btoa('s3cret-user:s3cret-word')]) {
    expect(shown).not.toContain(secret)
  }
})

test('error: the script of a worker does nothing in a page', async () => {
  const scripts = [
    () => import('../../src/workers/web.js'),
    () => import('../../src/workers/own.js'),
  ]
  const cases = scripts.flatMap((load) => [
    { load, document: {} },
    { load, document: undefined },
  ])
  for (const { load, document } of cases) {
    vi.resetModules()
    const [listen, post] = [vi.fn(), vi.fn()]
    vi.stubGlobal('addEventListener', listen)
    vi.stubGlobal('postMessage', post)
    vi.stubGlobal('document', document)
    await load()
    const times = document === undefined ? 1 : 0
    expect([listen.mock.calls.length, post.mock.calls.length]).toEqual([times, times])
  }
})
