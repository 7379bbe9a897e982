/** nginx between a node and its clients: what never changes is asked for at the node once. */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { createClient, devnet, getStorage, getValue } from '../../src/entry/node.js'
import { lvmt } from '../../src/systems/all.js'
import { type LiveNode, startNode } from '../support/liveNode.js'

const NGINX = '/usr/sbin/nginx'
const isThere = ((): boolean => {
  try {
    execFileSync(NGINX, ['-v'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

const closing: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

interface Cache {
  readonly url: string
  /** Requests that reached the node since the last call, as `METHOD PATH`. */
  reached(): Promise<string[]>
}

/** nginx before a node, as `guides/node-operator.md` configures it. */
async function cacheBefore(node: LiveNode): Promise<Cache> {
  const dir = mkdtempSync(path.join(tmpdir(), 'lightproof-nginx-'))
  closing.push(() => rmSync(dir, { recursive: true, force: true }))
  const port = await freePort()
  const logFile = path.join(dir, 'reached.log')
  const guide = readFileSync(new URL('../../guides/node-operator.md', import.meta.url), 'utf8')
  const [, server = ''] = /```nginx\n([\s\S]*?)```/.exec(guide) ?? []
  const config = server
    .replace('/var/cache/lightproof', path.join(dir, 'cache'))
    .replace('listen 443 ssl', `listen 127.0.0.1:${port}`)
    .replace(/ *ssl_certificate.*\n/g, '')
    .replace('127.0.0.1:8545', new URL(node.url).host)
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const temporary = places.map((name) => `${name}_temp_path ${path.join(dir, name)};`)
  mkdirSync(path.join(dir, 'logs'))
  writeFileSync(
    path.join(dir, 'nginx.conf'),
    `pid ${dir}/nginx.pid; daemon off; master_process off; error_log ${dir}/error.log;
events {}
http {
  log_format reached '$upstream_status $request_method $uri';
  access_log ${logFile} reached;
  ${temporary.join('\n  ')}
${config}}
`,
  )
  const nginx = spawn(NGINX, ['-p', dir, '-c', path.join(dir, 'nginx.conf')], { stdio: 'inherit' })
  closing.push(() => stopped(nginx))
  const url = `http://127.0.0.1:${port}`
  for (let tries = 0; !(await fetch(url).catch(() => undefined))?.ok; tries++) {
    if (tries > 200 || nginx.exitCode !== null) throw new Error('nginx does not start')
    await sleep(50)
  }
  let read = 0
  let marks = 0
  const reached = async (): Promise<string[]> => {
    // nginx logs a request after it has answered it, and in order: all that was asked stands before
    // the line of a later request.
    const mark = `/mark-${++marks}`
    await fetch(url + mark)
    let log = ''
    while (!log.includes(`${mark}\n`)) {
      await sleep(10)
      log = readFileSync(logFile, 'utf8').slice(read)
    }
    read += log.length
    // Of an answer from the cache there is no status of the node.
    const asked = log.split('\n').filter((line) => /^\d/.test(line) && !line.includes('/mark-'))
    return asked.map((line) => line.replace(/^\d+ /, ''))
  }
  // The requests that waited for the start are not counted.
  await reached()
  return { url, reached }
}

async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const exited = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await exited
}

/** A client that keeps nothing. */
function clientAt(url: string, { genesisHash, head, consensus }: LiveNode) {
  const chain = devnet(genesisHash, consensus)
  return createClient({ chain, anchor: { block: head.hash }, nodes: [url], cacheBytes: 0 })
}

test.skipIf(!isThere)('default: of many wallets with one question, one asks the node', async () => {
  const node = await startNode(6, ['--offer-get'])
  closing.push(node.stop)
  const cache = await cacheBefore(node)
  const { address, slots } = node.samples.find(({ kind }) => kind === 'contract') ?? {}
  const [slot = '0x0'] = slots ?? []
  const ask = async (): Promise<unknown[]> => {
    const client = clientAt(cache.url, node)
    const of = { address: address ?? '0x', slot }
    const [one, other] = [
      await getStorage(client, of),
      await getValue(client, { system: lvmt, key: of }),
    ]
    return [one.status, other.status]
  }
  expect(await ask()).toEqual(['present', 'present'])
  const first = await cache.reached()
  expect(first.filter((line) => line.startsWith('GET')).sort()).toEqual(
    expect.arrayContaining(['GET /eth_getProof', 'GET /lp_getHeader', 'GET /lp_getProof']),
  )
  expect(await ask()).toEqual(['present', 'present'])
  // What the node serves now is asked of the node itself.
  expect(new Set(await cache.reached())).toEqual(new Set(['POST /']))
})

test.skipIf(!isThere)('behavior: pages of all origins share what is kept', async () => {
  const node = await startNode(3, ['--offer-get'])
  closing.push(node.stop)
  const cache = await cacheBefore(node)
  const params = encodeURIComponent(JSON.stringify([node.head.hash]))
  for (const origin of ['https://one.example', 'https://two.example']) {
    const reply = await fetch(`${cache.url}/lp_getHeader?params=${params}`, { headers: { origin } })
    expect(reply.headers.get('access-control-allow-origin')).toBe('*')
    expect(await reply.json()).toMatchObject({ id: null, result: expect.stringMatching(/^0x/) })
  }
  expect(await cache.reached()).toEqual(['GET /lp_getHeader'])
})

test.skipIf(!isThere)(
  'behavior: a cache keeps no answer that another block would change',
  async () => {
    const node = await startNode(6, ['--offer-get'])
    closing.push(node.stop)
    const cache = await cacheBefore(node)
    const params = encodeURIComponent(JSON.stringify([`0x${'77'.repeat(32)}`]))
    for (let n = 0; n < 2; n++) {
      const reply = await fetch(`${cache.url}/lp_getHeader?params=${params}`)
      expect(await reply.json()).toEqual({ jsonrpc: '2.0', id: null, result: null })
    }
    expect(await cache.reached()).toEqual(['GET /lp_getHeader', 'GET /lp_getHeader'])
  },
)

test.skipIf(!isThere)(
  'invalid: what a liar put into the cache is refused, and another node answers',
  async () => {
    const node = await startNode(6, ['--offer-get', '--lie', 'claim-balance'])
    closing.push(node.stop)
    const honest = await startNode(6)
    closing.push(honest.stop)
    const cache = await cacheBefore(node)
    const { address = '0x' } = node.samples.find(({ kind }) => kind === 'contract') ?? {}
    const slot = '0x0'
    const alone = clientAt(cache.url, node)
    expect(await getStorage(alone, { address, slot })).toMatchObject({ status: 'invalid' })
    expect(await getStorage(alone, { address, slot })).toMatchObject({ status: 'invalid' })
    const chain = devnet(node.genesisHash, node.consensus)
    const nodes = [cache.url, honest.url]
    const both = createClient({ chain, anchor: { block: node.head.hash }, nodes, cacheBytes: 0 })
    expect(await getStorage(both, { address, slot })).not.toMatchObject({ status: 'invalid' })
  },
)
