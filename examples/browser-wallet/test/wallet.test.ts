/**
 * The wallet against honest, lying and unreachable nodes, too old a checkpoint, and other wallets.
 */

import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { Client } from 'lightproof'
import { reportNodes } from 'lightproof/nodes'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { builtExample } from '../../test/support/build.js'
import { consoleErrors, inEveryEngine, type Lab } from '../../test/support/engines.js'
import { expectPresentable } from '../../test/support/look.js'
import { deadUrl, type RunningNode, startNode } from '../../test/support/node.js'
import { ask, failingNode } from '../../test/support/rpc.js'

let honest: RunningNode
let liar: RunningNode
let forger: RunningNode
let dead: string
const copies: string[] = []

beforeAll(async () => {
  honest = await startNode()
  liar = await startNode({ lie: 'claim-balance' })
  forger = await startNode({ lie: 'signature-own-keys' })
  dead = await deadUrl()
})

afterAll(async () => {
  await Promise.all([honest, liar, forger].map((node) => node.stop()))
  await Promise.all(copies.map((copy) => rm(copy, { recursive: true })))
})

interface Setting {
  readonly nodes: readonly string[]
  /** Whose chain and checkpoint; the honest node's unless told otherwise. */
  readonly of?: RunningNode
  /** Another wallet: an expression for `window.ethereum`. */
  readonly injected?: string
}

/** A copy of the built wallet with the devnet.json that `npm start` writes, open in the engine. */
async function open(lab: Lab, { nodes, of = honest, injected }: Setting) {
  const copy = await mkdtemp(join(tmpdir(), 'lightproof-wallet-'))
  copies.push(copy)
  await cp(builtExample('browser-wallet'), copy, { recursive: true })
  const { genesisHash, consensus, checkpoint } = of
  const devnet = { genesisHash, consensus, checkpoint: checkpoint.hash, nodes }
  await writeFile(join(copy, 'devnet.json'), JSON.stringify(devnet))
  if (injected !== undefined) {
    await writeFile(join(copy, 'injected.js'), `window.ethereum = ${injected}`)
    const html = await readFile(join(copy, 'index.html'), 'utf8')
    const tag = '<script src="injected.js"></script><script type="module"'
    await writeFile(join(copy, 'index.html'), html.replace('<script type="module"', tag))
  }
  const { url, requests } = await lab.serve(copy)
  await lab.engine().open(`${url}/`)
  return requests
}

async function askFor(lab: Lab, address: string, status: string): Promise<void> {
  await lab.engine().type('#address', address)
  await lab.engine().click('button[type=submit]')
  await waitFor(lab, status)
}

async function waitFor(lab: Lab, status: string): Promise<void> {
  await lab.engine().waitFor(`document.body.dataset.status === '${status}'`)
}

const number = async (lab: Lab) =>
  String(
    await lab
      .engine()
      .evaluate(
        "['whole', 'fraction'].map((id) => document.getElementById(id).textContent).join()",
      ),
  )

/** What the picture says of each part: `proven`, `open`, or nothing. */
const picture = (lab: Lab) =>
  lab
    .engine()
    .evaluate(
      "Object.fromEntries([...document.querySelectorAll('[data-part]')].map((e) => [e.dataset.part, e.dataset.state]))",
    )

/** What the honest node says, unchecked: whole ether and the rest, as the wallet writes them. */
async function balance(address: string, block = 'latest'): Promise<string> {
  const wei = BigInt(String(await ask(honest.url, 'eth_getBalance', [address, block])))
  const ether = 10n ** 18n
  const fraction = (wei % ether).toString().padStart(18, '0').replace(/0+$/, '')
  return `${(wei / ether).toLocaleString('en')},${fraction && `.${fraction}`}`
}

const PROVEN = {
  anchor: 'open',
  header: 'proven',
  account: 'proven',
  balance: 'proven',
  recency: 'open',
}
const NOTHING = { anchor: '', header: '', account: '', balance: '', recency: '' }

inEveryEngine((lab) => {
  test('at rest it knows its checkpoint, and calls nothing proven', async () => {
    await open(lab, { nodes: [honest.url] })
    await lab.engine().waitFor("document.getElementById('age').textContent !== ''")
    expect(await lab.engine().text('#checkpoint')).toBe(honest.checkpoint.hash)
    expect(await lab.engine().text('ol')).not.toContain('proven')
    expect(await lab.engine().text('#nodes')).toContain(honest.url)
    expect(await number(lab)).toBe(',')
  })

  test('shows a proven balance, checked in a worker, and what is not proven', async () => {
    const { address } = honest.sample('eoa')
    const requests = await open(lab, { nodes: [honest.url] })
    await askFor(lab, address, 'present')
    const engine = lab.engine()
    expect(await engine.text('#status')).toBe('present')
    expect(await number(lab)).toBe(await balance(address))
    expect(await picture(lab)).toEqual(PROVEN)
    expect(await engine.text('#checkpoint')).toBe(honest.checkpoint.hash)
    expect(await engine.text('#age')).toMatch(/^pinned, \d+ (second|minute)s? old$/)
    expect(await engine.text('#block')).toMatch(/^Block 8, finalized, \d+ (second|minute)s? old$/)
    expect(await engine.text('#signed')).toMatch(/^signed by (2[2-9]|3[0-2]) of 32$/)
    expect(await engine.text('#server')).toBe(`proof from ${honest.url}`)
    expect(await engine.text('#nodes')).toBe(`${honest.url}: healthy`)
    expect(await engine.text('.answer')).not.toContain('Set aside')
    expect(await engine.evaluate("document.querySelector('.answer').ariaLive")).toBe('polite')
    expect(requests).toContain('/workers/web.js')
    expect(await consoleErrors(engine)).toEqual([])
  })

  test('shows that an account is proven absent', async () => {
    await open(lab, { nodes: [honest.url] })
    await askFor(lab, honest.sample('absent').address, 'absent')
    expect(await number(lab)).toBe('0,')
    expect(await lab.engine().text('.answer')).toContain('there is no such account')
    expect(await picture(lab)).toEqual(PROVEN)
  })

  test('of a lying node alone: refused, and no number', async () => {
    await open(lab, { nodes: [liar.url] })
    await askFor(lab, honest.sample('eoa').address, 'invalid')
    const engine = lab.engine()
    expect(await number(lab)).toBe(',')
    expect(await engine.text('.amount')).not.toMatch(/\d|ETH/)
    expect(await engine.text('#status')).toBe('invalid: verify.claim')
    expect(await engine.text('#lied')).toBe(`Set aside: ${liar.url} lied (verify.claim)`)
    expect(await picture(lab)).toEqual(NOTHING)
    expect(await consoleErrors(engine)).toEqual([])
  })

  test('of a lying node beside an honest one: the honest number, and who lied', async () => {
    const { address } = honest.sample('eoa')
    await open(lab, { nodes: [liar.url, honest.url] })
    await askFor(lab, address, 'present')
    const engine = lab.engine()
    expect(await number(lab)).toBe(await balance(address))
    expect(await engine.text('#server')).toBe(`proof from ${honest.url}`)
    expect(await engine.text('#lied')).toBe(`Set aside: ${liar.url} lied (verify.claim)`)
    expect(await engine.text('#nodes')).toContain(`${honest.url}: healthy`)
    await askFor(lab, honest.sample('contract').address, 'present')
    expect(await engine.text('#lied')).toBe(`Set aside: ${liar.url} lied (verify.claim)`)
  })

  test('of forged signatures: refused; what is proven then is of the checkpoint, and says so', async () => {
    await open(lab, { nodes: [forger.url] })
    await waitFor(lab, 'invalid')
    const engine = lab.engine()
    expect(await engine.text('#status')).toBe('invalid: verify.signature')
    expect(await number(lab)).toBe(',')
    const { address } = honest.sample('eoa')
    await askFor(lab, address, 'present')
    expect(await number(lab)).toBe(await balance(address, '0x4'))
    expect(await engine.text('#block')).toMatch(/^Block 4, pinned, /)
    expect(await engine.text('#lied')).toBe(`Set aside: ${forger.url} lied (verify.signature)`)
  })

  test('offline: unavailable, nobody is accused, and the number before is gone', async () => {
    const leaving = await startNode()
    const { address } = honest.sample('eoa')
    try {
      await open(lab, { nodes: [leaving.url] })
      await askFor(lab, address, 'present')
    } finally {
      await leaving.stop()
    }
    await askFor(lab, honest.sample('contract').address, 'unavailable')
    const engine = lab.engine()
    expect(await number(lab)).toBe(',')
    expect(await engine.text('#status')).toBe('unavailable: unreachable')
    expect(await engine.text('.answer')).not.toContain('Set aside')
    expect(await picture(lab)).toEqual(NOTHING)
    expect(await consoleErrors(engine, leaving.url)).toEqual([])
  })

  test('of a checkpoint that is too old: a warning, and no number', async () => {
    const old = await startNode({ daysAgo: 15 })
    try {
      await open(lab, { nodes: [old.url], of: old })
      await waitFor(lab, 'unavailable')
      const engine = lab.engine()
      expect(await engine.text('#status')).toBe('unavailable: expired')
      expect(await engine.text('#warning')).toContain('too old to start from')
      expect(await engine.text('#why')).toContain('take a newer checkpoint')
      await askFor(lab, old.sample('eoa').address, 'unavailable')
      expect(await number(lab)).toBe(',')
    } finally {
      await old.stop()
    }
  })

  test('a mistake in the address is named at its field, and nobody is asked', async () => {
    await open(lab, { nodes: [honest.url] })
    await lab.engine().type('#address', '0x1234')
    await lab.engine().click('button[type=submit]')
    await lab.engine().waitFor("document.activeElement.ariaInvalid === 'true'")
    expect(await lab.engine().text('#problem')).toMatch(/^address: .*"0x1234"/)
    await askFor(lab, honest.sample('eoa').address, 'present')
    expect(await lab.engine().evaluate("document.getElementById('address').ariaInvalid")).toBe(
      'false',
    )
    expect(await lab.engine().evaluate("document.getElementById('problem').textContent")).toBe('')
  })

  test('asks for the account of another wallet', async () => {
    const { address } = honest.sample('eoa')
    const injected = `{ request: async ({ method }) => method === 'eth_requestAccounts' ? ['${address}'] : [] }`
    await open(lab, { nodes: [honest.url], injected })
    await lab.engine().click('#connect')
    await waitFor(lab, 'present')
    expect(await number(lab)).toBe(await balance(address))
  })

  test.each([
    [
      'refuses',
      "async () => { throw new Error('no\\u202e<img src=x>') }",
      'no\\u{202e}<img src=x>',
    ],
    ['gives no address', "async () => ['\\u202e<img src=x>']", '<img src=x>'],
    ['has no account', 'async () => []', '"undefined"'],
  ])('another wallet %s: said as plain text', async (_, request, said) => {
    await open(lab, { nodes: [honest.url], injected: `{ request: ${request} }` })
    await lab.engine().click('#connect')
    await lab.engine().waitFor("document.getElementById('problem').textContent !== ''")
    const engine = lab.engine()
    expect(await engine.text('#problem')).toContain(said)
    expect(await engine.text('#problem')).not.toContain('\u202e')
    expect(await engine.evaluate('document.images.length')).toBe(0)
  })

  test('what a node says is shown as text', async () => {
    const rude = await failingNode('\u202e<img src=x onerror="document.title=1">')
    try {
      await open(lab, { nodes: [rude.url] })
      await waitFor(lab, 'unavailable')
      expect(await lab.engine().text('.answer')).not.toContain('\u202e')
      expect(await lab.engine().evaluate('document.images.length')).toBe(0)
    } finally {
      await rude.stop()
    }
  })

  test('without a configuration nothing is shown', async () => {
    const { url } = await lab.serve(builtExample('browser-wallet'), { missing: ['/devnet.json'] })
    await lab.engine().open(`${url}/`)
    await waitFor(lab, 'error')
    expect(await lab.engine().text('#why')).toContain('devnet.json is missing')
  })
})

test('the four lines of the README make a client of mainnet', async () => {
  const folder = fileURLToPath(new URL('..', import.meta.url))
  const [, config = ''] =
    /```ts\n([^`]*)```/.exec(await readFile(join(folder, 'README.md'), 'utf8')) ?? []
  const checkpoint = `0x${'12'.repeat(32)}`
  const client =
    "import { createClient } from 'lightproof'\nexport const client = createClient(await options())"
  const { outputFiles } = await build({
    stdin: {
      contents: `${config.replace('0x…', checkpoint)}\n${client}`,
      resolveDir: folder,
      loader: 'ts',
    },
    bundle: true,
    format: 'esm',
    write: false,
  })
  const script = Buffer.from(outputFiles[0]?.contents ?? []).toString('base64')
  const made = (await import(/* @vite-ignore */ `data:text/javascript;base64,${script}`)) as {
    readonly client: Client
  }
  expect(made.client.chain.name).toBe('mainnet')
  expect(made.client.anchor).toEqual({ kind: 'checkpoint', hash: checkpoint })
  expect(reportNodes(made.client).map(({ kind }) => kind)).toEqual(['node', 'node', 'beacon'])
})

async function expectLegible(lab: Lab, name: string, scheme: string): Promise<void> {
  const file = `${name}-${lab.name}-${scheme}`
  await expectPresentable(lab.engine(), [360, 1200], 'browser-wallet', file)
}

for (const colorScheme of ['light', 'dark'] as const) {
  inEveryEngine(
    (lab) => {
      test.each([
        ['invalid', () => [liar.url]],
        ['unavailable', () => [dead]],
        ['beside', () => [liar.url, honest.url]],
      ] as const)('%s fits and is legible', async (name, nodes) => {
        await open(lab, { nodes: nodes(), injected: '{}' })
        const status = name === 'beside' ? 'present' : name
        await askFor(lab, honest.sample('eoa').address, status)
        await expectLegible(lab, name, colorScheme)
      })

      test('a wallet at rest fits and is legible', async () => {
        await open(lab, { nodes: [honest.url] })
        await lab.engine().waitFor("document.getElementById('age').textContent !== ''")
        await expectLegible(lab, 'idle', colorScheme)
      })
    },
    { colorScheme },
  )
}
