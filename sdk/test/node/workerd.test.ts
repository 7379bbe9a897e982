/**
 * The guide's Cloudflare Worker: its own text, with the packed tarball, bundled by wrangler and run
 * in workerd.
 */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { blocksBelow, guide, onDevnet } from '../support/guides.js'
import { fetchTools, install, run } from '../support/installed.js'
import { type LiveNode, lying, startNode } from '../support/liveNode.js'

// The last versions for Node.js 20; miniflare is the one that this wrangler has.
const TOOLS = ['wrangler@4.86.0', 'miniflare@4.20260426.0']

/** Runs the Worker, asks it several times at once and once more, and prints the answers. */
const RUNNER = `
import { readdirSync, readFileSync } from 'node:fs'
import { Miniflare } from 'miniflare'

const { main, compatibility_date: compatibilityDate, kv_namespaces: stores, vars } =
  JSON.parse(readFileSync('wrangler.json', 'utf8'))
const { bindings, address } = JSON.parse(process.argv[2])
const compiled = readdirSync('out').filter((file) => file.endsWith('.wasm'))
const modules = [
  { type: 'ESModule', path: main },
  ...compiled.map((path) => ({ type: 'CompiledWasm', path })),
].map((one) => ({ ...one, contents: readFileSync('out/' + one.path) }))
const worker = new Miniflare({
  modules,
  compatibilityDate,
  cf: false,
  kvNamespaces: stores.map(({ binding }) => binding),
  bindings: { ...vars, ...bindings },
})
try {
  const ask = async () => {
    const response = await worker.dispatchFetch('http://localhost/?address=' + address)
    return response.ok ? response.json() : { status: response.status, text: await response.text() }
  }
  const answers = await Promise.all([ask(), ask(), ask()])
  const { keys } = await (await worker.getKVNamespace(stores[0].binding)).list()
  console.log(JSON.stringify({ answers, again: await ask(), kept: keys.map(({ name }) => name) }))
} finally {
  await worker.dispose()
}
`

let node: LiveNode
let app: string
let remove: () => void

beforeAll(async () => {
  node = await startNode(20, ['--committee-size', '8', '--period', '16'])
  const installed = await install()
  app = installed.app
  remove = installed.remove
  const [worker = '', config = ''] = blocksBelow('platforms.md', 'Cloudflare Workers')
  const devnet = `devnet('${node.genesisHash}', ${JSON.stringify(node.consensus)})`
  const ours = worker.replace('chain: mainnet', `chain: ${devnet}`).replace('mainnet', 'devnet')
  writeFileSync(path.join(app, 'worker.js'), onDevnet(ours, node, []))
  writeFileSync(path.join(app, 'wrangler.json'), config)
  writeFileSync(path.join(app, 'run.mjs'), RUNNER)
  fetchTools(app, ...TOOLS)
  const deploy = ['--no-install', 'wrangler', 'deploy', '--dry-run', '--outdir', 'out']
  run('npx', deploy, app, { WRANGLER_SEND_METRICS: 'false' })
})
afterAll(async () => {
  remove?.()
  await node?.stop()
})

interface Answer {
  readonly value?: string
  readonly trust?: object
}

interface Answers {
  readonly answers: readonly Answer[]
  readonly again: Answer
  readonly kept: readonly string[]
}

function ask({ url }: { readonly url: string }): Answers {
  const bindings = { CHECKPOINT: node.genesisHash, RPC_URL: url }
  const asked = { bindings, address: node.samples[0]?.address }
  return JSON.parse(run(process.execPath, ['run.mjs', JSON.stringify(asked)], app))
}

test('default: a balance is proven from the checkpoint, by the store for the next request', () => {
  const { answers, again, kept } = ask(node)
  const trust = { block: { number: '0x14' }, anchor: { kind: 'checkpoint' } }
  const proven = { status: 'present', value: answers[0]?.value, trust }
  expect(answers).toMatchObject([proven, proven, proven])
  expect(kept.some((key) => key.includes(node.genesisHash))).toBe(true)
  const stored = { headersFrom: ['store', node.url] }
  expect(again).toMatchObject({ ...proven, trust: { ...trust, ...stored } })
})

test('error: a false proof is refused', () => {
  const { answers, again } = ask(lying(node, 'forged-leaf'))
  for (const answer of [...answers, again]) {
    expect(answer).toMatchObject({ status: 'invalid', error: { code: 'verify.merkle' } })
    expect(answer).not.toHaveProperty('value')
  }
})

test('error: a header that strangers signed is refused, and the checkpoint stands', () => {
  const { answers, again } = ask(lying(node, 'signature-own-keys'))
  const tried = [{ node: node.url, code: 'verify.signature' }]
  for (const { trust } of [...answers, again]) {
    expect(trust).toMatchObject({ block: { number: '0x0' }, finality: 'pinned', tried })
  }
})

test('default: the Worker weighs less than the guide says', () => {
  const files = readdirSync(path.join(app, 'out')).filter((file) => /\.(js|wasm)$/.test(file))
  expect(files).toHaveLength(1 + 6)
  const zipped = files.map((file) => gzipSync(readFileSync(path.join(app, 'out', file))).length)
  const total = zipped.reduce((sum, bytes) => sum + bytes, 0)
  const [, said] = /less than (\d+) kB after gzip/.exec(guide('platforms.md')) ?? []
  expect(total / 1000).toBeLessThan(Number(said))
})
