/** The packed tarball in tests with jsdom: in Jest as the guide configures it, and in Vitest. */

import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { blocksBelow } from '../support/guides.js'
import { fetchTools, install } from '../support/installed.js'
import { type LiveNode, lying, startNode } from '../support/liveNode.js'

const JEST = ['jest@30.5.2', 'jest-environment-jsdom@30.5.2']
const VITEST = ['vitest@4.1.12', 'jsdom@26.1.0']
const ENTRIES = ['', '/blocks', '/eip1193', '/evm', '/inline', '/nodes', '/systems', '/tokens']

/** A user's test: of a balance from a node that is honest, and from one that lies. */
const BALANCE = `
import { createClient, devnet, getBalance } from 'lightproof'

const { genesisHash, consensus, address, honest, liar } = JSON.parse(process.env.ASKED)
const ask = (url) => {
  const anchor = { checkpoint: genesisHash, maxAgeSeconds: Infinity }
  const chain = devnet(genesisHash, consensus)
  return getBalance(createClient({ chain, anchor, nodes: [url] }), { address })
}

test('a balance is proven', async () => {
  expect(document.createElement('p')).toBeInstanceOf(HTMLElement)
  const result = await ask(honest)
  expect(result).toMatchObject({ status: 'present', trust: { finality: 'finalized' } })
})
test('a lie is refused', async () => {
  expect(await ask(liar)).toMatchObject({ status: 'invalid', error: { code: 'verify.merkle' } })
})
`
/** In a DOM as it is: what was not configured is missed by a question alone. */
const BARE = `
${ENTRIES.map((entry, i) => `import * as e${i} from 'lightproof${entry}'`).join('\n')}

test('every entry is imported', () => {
  expect(typeof TextEncoder + typeof fetch + typeof Worker).toBe('undefined'.repeat(3))
  for (const entry of [${ENTRIES.map((_, i) => `e${i}`)}]) {
    expect(Object.keys(entry).length).toBeGreaterThan(0)
  }
})
test('a question says what is missing', async () => {
  const { createClient, devnet, getBalance } = e0
  const block = '0x' + '11'.repeat(32)
  const client = createClient({ chain: devnet(block), anchor: { block }, nodes: ['http://127.0.0.1:9'] })
  const asked = getBalance(client, { address: '0x' + '22'.repeat(20) })
  await expect(asked).rejects.toMatchObject({ code: 'platform.fetch' })
})
`

let node: LiveNode
let app: string
let remove: () => void

beforeAll(async () => {
  node = await startNode(20, ['--committee-size', '8', '--period', '16'])
  const installed = await install()
  app = installed.app
  remove = installed.remove
  fetchTools(app, ...JEST, ...VITEST)
  const [config = '', environment = '', manifest = ''] = blocksBelow(
    'platforms.md',
    'Jest and Vitest',
  )
  write('jest.config.mjs', config)
  write('environment.mjs', environment)
  const own: object = JSON.parse(readFileSync(path.join(app, 'package.json'), 'utf8'))
  write('package.json', JSON.stringify({ ...own, ...JSON.parse(manifest) }))
})
afterAll(async () => {
  remove?.()
  await node?.stop()
})

function write(file: string, text: string): void {
  writeFileSync(path.join(app, file), text)
}

/** Runs a command; what it printed, and its exit code. */
function type(command: string, ...args: readonly string[]): { code: unknown; out: string } {
  const { genesisHash, consensus, samples, url } = node
  const { address } = samples[0] ?? {}
  const liar = lying(node, 'forged-leaf').url
  const ASKED = JSON.stringify({ genesisHash, consensus, address, honest: url, liar })
  const { NODE_OPTIONS: _, VITEST: __, ...env } = process.env
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: app,
    env: { ...env, ASKED, NO_COLOR: '1' },
    encoding: 'utf8',
  })
  return { code: status, out: stdout + stderr }
}

test('default: Jest, as the guide configures it', () => {
  write('balance.test.js', BALANCE)
  const { code, out } = type('npm', 'test', '--', 'balance')
  expect(out).toMatch(/✓ a balance is proven[\s\S]*✓ a lie is refused/)
  expect(out).toContain('2 passed, 2 total')
  expect(code).toBe(0)
})

test('default: Vitest, with jsdom and nothing else configured', () => {
  write('balance.spec.js', `import { expect, test } from 'vitest'\n${BALANCE}`)
  const vitest = ['vitest', 'run', '--environment', 'jsdom', 'balance.spec.js']
  const { code, out } = type('npx', '--no-install', ...vitest)
  expect(out).toMatch(/Tests +2 passed \(2\)/)
  expect(code).toBe(0)
})

test('behavior: nothing is evaluated at import that a DOM lacks', () => {
  write('bare.test.js', BARE)
  const { code, out } = type('npm', 'test', '--', '--config', '{"testEnvironment":"jsdom"}', 'bare')
  expect(out).toContain('2 passed, 2 total')
  expect(code).toBe(0)
})
