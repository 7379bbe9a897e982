import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ProofFile } from 'lightproof'
import { verifyProofFile } from 'lightproof'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildExample, screenshotPath } from '../../test/support/build.js'
import { poorContrast } from '../../test/support/contrast.js'
import { consoleErrors, inEveryEngine, type Lab } from '../../test/support/engines.js'
import { deadUrl, type RunningNode, startNode } from '../../test/support/node.js'
import { ask, failingNode, silentNode } from '../../test/support/rpc.js'

let folder: string
let node: RunningNode
let liar: RunningNode
let dead: string

beforeAll(async () => {
  folder = await buildExample('browser-wallet')
  node = await startNode()
  liar = await startNode({ lie: 'claim-balance' })
  dead = await deadUrl()
})

afterAll(async () => {
  await node.stop()
  await liar.stop()
})

interface Question {
  readonly node?: string
  readonly address?: string
  readonly anchor?: string
  readonly genesis?: string
  readonly chain?: string
}

/** The part of the page's address after `#`: the honest node and its head, unless told otherwise. */
function hash(question: Question = {}): string {
  const complete = {
    chain: 'devnet',
    genesis: node.genesisHash,
    anchor: node.head.hash,
    node: node.url,
  }
  return `#${new URLSearchParams({ ...complete, ...question })}`
}

/** Opens the page afresh. */
async function open(lab: Lab, fragment: string): Promise<readonly string[]> {
  const { url, requests } = await lab.serve(folder)
  await lab.engine().open(`${url}/${fragment}`)
  return requests
}

async function waitForState(lab: Lab, state: string): Promise<void> {
  await lab.engine().waitFor(`document.getElementById('result').dataset.state === '${state}'`)
}

/** What every state shows must fit the screen, be legible and be announced. */
async function expectPresentable(lab: Lab, name: string, scheme: string): Promise<void> {
  const engine = lab.engine()
  for (const width of [320, 390, 1280]) {
    await engine.setViewport(width, 900)
    const overflow = await engine.evaluate('document.documentElement.scrollWidth - innerWidth')
    expect(overflow, `overflow at ${width} px`).toBeLessThanOrEqual(0)
    const height = Number(await engine.evaluate('document.documentElement.scrollHeight'))
    await engine.setViewport(width, Math.min(Math.max(height, 844), 2400))
    await engine.screenshot(
      screenshotPath('browser-wallet', `${name}-${lab.name}-${scheme}-${width}`),
    )
  }
  expect(await engine.evaluate(poorContrast)).toEqual([])
}

async function showEachState(lab: Lab, scheme: string): Promise<void> {
  const eoa = node.sample('eoa').address
  const states: readonly (readonly [name: string, state: string, question: Question])[] = [
    ['empty', 'idle', {}],
    ['proven', 'proven', { address: eoa }],
    ['absent', 'absent', { address: node.sample('absent').address }],
    ['lying', 'lying', { address: eoa, node: liar.url }],
    ['unreachable', 'unavailable', { address: eoa, node: dead }],
  ]
  for (const [name, state, question] of states) {
    await open(lab, hash(question))
    await waitForState(lab, state)
    await expectPresentable(lab, name, scheme)
  }
  await open(lab, hash({ address: eoa, anchor: '0x12' }))
  await lab.engine().waitFor("document.querySelector('[aria-invalid=true]') !== null")
  await expectPresentable(lab, 'bad-input', scheme)
}

inEveryEngine((lab) => {
  test('shows a proven balance and nonce, and on what grounds', async () => {
    const { address } = node.sample('eoa')
    await open(lab, hash({ address }))
    await waitForState(lab, 'proven')
    const engine = lab.engine()
    expect(await engine.text('#result h2')).toBe('Proven')
    expect(await engine.text('#result .exact')).toBe(
      `${BigInt(String(await ask(node.url, 'eth_getBalance', [address, 'latest']))).toLocaleString('en')} wei`,
    )
    expect(await engine.text('#nonce')).toBe(
      BigInt(
        String(await ask(node.url, 'eth_getTransactionCount', [address, 'latest'])),
      ).toString(),
    )
    const report = await engine.text('.report')
    expect(report).toContain('8 of devnet')
    expect(report).toContain(node.head.hash)
    expect(report).toContain(node.url)
    expect(report).toContain('This very block, which you chose')
    expect(report).toContain('All that the account holds in that block, balance and nonce included')
    expect(report).toContain('That the trusted block belongs to the chain: that is your word')
    expect(report).toContain('That nothing has changed since that block')
    expect(report).toMatch(/[1-9][\d,]* bytes, checked in/)
    expect(await engine.evaluate("document.getElementById('result').ariaLive")).toBe('polite')
    expect(await consoleErrors(engine)).toEqual([])
  })

  test('shows that an account is proven absent, with the balance zero', async () => {
    const { address } = node.sample('absent')
    await open(lab, hash({ address }))
    await waitForState(lab, 'absent')
    const engine = lab.engine()
    expect(await engine.text('#result h2')).toBe('Proven absent')
    expect(await engine.text('#result .banner p')).toBe(
      'In block 8 there is no account at this address.',
    )
    expect(await engine.text('#balance')).toBe('0 ETH')
    expect(await engine.text('.report')).toContain('No account is at this address in that block')
    expect(await consoleErrors(engine)).toEqual([])
  })

  const lies: readonly (readonly [lie: string, code: string, checked: RegExp])[] = [
    ['claim-balance', 'verify.claim', /must equal what its own proof shows. It differs/],
    ['forged-leaf', 'verify.merkle', /must hash to what the part above it says/],
    ['forged-root', 'verify.root', /must start at the state root in the trusted header/],
    [
      'absent-truncated',
      'verify.incomplete',
      /must lead to the account, or show that none is there/,
    ],
    ['other-account', 'verify.query', /must be about the address that you asked for/],
    ['header-root', 'verify.header', /must hash to the block hash that you trust/],
    ['malformed-types', 'decode.response', /does not have that form/],
  ]

  test.each(lies)('exposes a node that lies by %s', async (lie, code, checked) => {
    const other = await startNode({ lie })
    try {
      await open(lab, hash({ address: node.sample('eoa').address, node: other.url }))
      await waitForState(lab, 'lying')
      const engine = lab.engine()
      expect(await engine.text('#result h2')).toMatch(
        /^The node’s (answer is false|proof is malformed)$/,
      )
      expect(await engine.text('#code')).toBe(code)
      expect(await engine.text('#checked')).toMatch(checked)
      expect(await engine.text('#result .banner')).toContain(`Do not rely on ${other.url}`)
      expect(await engine.evaluate("document.getElementById('balance')")).toBeFalsy()
      expect(await consoleErrors(engine)).toEqual([])
    } finally {
      await other.stop()
    }
  })

  test('says that a node cannot be reached, and accuses nobody', async () => {
    await open(lab, hash({ address: node.sample('eoa').address, node: dead }))
    await waitForState(lab, 'unavailable')
    const engine = lab.engine()
    expect(await engine.text('#result h2')).toBe('Node unreachable')
    expect(await engine.text('#code')).toBe('unreachable')
    expect(await engine.text('#result .banner p')).toBe(
      'Nothing was proven, and nothing was found to be false.',
    )
    expect(await engine.evaluate("document.getElementById('balance')")).toBeFalsy()
    expect(await consoleErrors(engine, dead)).toEqual([])
  })

  test('says that the node does not know the trusted block', async () => {
    const anchor = `0x${'11'.repeat(32)}`
    await open(lab, hash({ address: node.sample('eoa').address, anchor }))
    await waitForState(lab, 'unavailable')
    expect(await lab.engine().text('#code')).toBe('block')
    expect(await lab.engine().text('#result h2')).toBe('Block unknown to the node')
  })

  const faults: readonly (readonly [field: string, question: Question, problem: RegExp])[] = [
    ['address', { address: '0x1234' }, /^Expected 0x and 40 hex digits, got "0x1234"/],
    ['node', { node: 'ftp://example.com' }, /^Expected an absolute http: or https: URL/],
    ['anchor', { anchor: '0x12' }, /got "0x12"/],
    ['genesis', { genesis: '' }, /got ""/],
    ['chain', { chain: 'moonbase' }, /^No chain is called "moonbase"/],
  ]

  test.each(faults)('error: a bad %s is named at its field', async (field, question, problem) => {
    await open(lab, hash({ address: node.sample('eoa').address, ...question }))
    const engine = lab.engine()
    await engine.waitFor("document.querySelector('[aria-invalid=true]') !== null")
    expect(await engine.evaluate("document.querySelector('[aria-invalid=true]').id")).toBe(field)
    expect(await engine.evaluate('document.activeElement.id')).toBe(field)
    expect(await engine.text(`#${field}-problem`)).toMatch(problem)
    expect(await engine.evaluate("document.getElementById('result').dataset.state")).toBe('idle')
    expect(await consoleErrors(engine)).toEqual([])
  })

  test('paints before it fetches the verifier, and fetches it once', async () => {
    const requests = await open(lab, hash())
    const engine = lab.engine()
    expect(await engine.text('h1')).toBe('A balance you need not take on trust')
    expect([...requests].sort()).toEqual(['/', '/main.js', '/style.css'].concat(extra(lab)).sort())
    for (const kind of ['eoa', 'contract'] as const) {
      const { address } = node.sample(kind)
      await engine.type('#address', address)
      await engine.click('button[type=submit]')
      await engine.waitFor(
        `document.querySelector('#result[data-state=proven]')?.innerText.includes('${address}')`,
      )
    }
    expect(requests.filter((path) => path.endsWith('.wasm'))).toHaveLength(1)
    expect(await consoleErrors(engine)).toEqual([])
  })

  test('says so where the browser may not run the verifier', async () => {
    // Two policies are in force then, the page's and the server's, and the server's lacks wasm-unsafe-eval.
    const { url } = await lab.serve(folder, { csp: "script-src 'self'" })
    await lab.engine().open(`${url}/${hash({ address: node.sample('eoa').address })}`)
    await waitForState(lab, 'platform')
    expect(await lab.engine().text('#result h2')).toBe('No proof can be checked here')
    expect(await lab.engine().text('#code')).toBe('platform.csp')
  })

  test('says so where a part of the page is missing', async () => {
    const copy = await mkdtemp(join(tmpdir(), 'lightproof-wallet-'))
    try {
      for (const name of ['index.html', 'main.js', 'style.css']) {
        await copyFile(join(folder, name), join(copy, name))
      }
      const { url } = await lab.serve(copy)
      await lab.engine().open(`${url}/${hash({ address: node.sample('eoa').address })}`)
      await waitForState(lab, 'platform')
      expect(await lab.engine().text('#code')).toBe('page')
    } finally {
      await rm(copy, { recursive: true, force: true })
    }
  })

  test('drops a question that is still open when a new one is asked', async () => {
    const silent = await silentNode()
    try {
      const { address } = node.sample('eoa')
      await open(lab, hash({ address, node: silent.url }))
      await waitForState(lab, 'working')
      const engine = lab.engine()
      await engine.evaluate(`location.hash = ${JSON.stringify(hash({ address }))}`)
      await waitForState(lab, 'proven')
      expect(await engine.text('.report')).toContain(node.url)
      expect(await consoleErrors(engine)).toEqual([])
    } finally {
      await silent.stop()
    }
  })

  test('shows what a node says as text and never runs it', async () => {
    const markup =
      '<img src=x onerror="document.title=\'owned\'"><script>document.title="owned"</script>'
    const rude = await failingNode(markup)
    try {
      await open(lab, hash({ address: node.sample('eoa').address, node: rude.url }))
      await waitForState(lab, 'unavailable')
      const engine = lab.engine()
      expect(await engine.text('#result')).toContain('<img src=x')
      expect(
        await engine.evaluate('document.querySelectorAll("#result img, #result script").length'),
      ).toBe(0)
      expect(await engine.evaluate('document.title')).toBe('Lightproof: check a balance')
      expect(await consoleErrors(engine)).toEqual([])
    } finally {
      await rude.stop()
    }
  })

  test('saves a proof that stands without the page and without the node', async () => {
    const { address } = node.sample('contract')
    await open(lab, hash({ address }))
    await waitForState(lab, 'proven')
    const engine = lab.engine()
    await engine.evaluate(`(() => {
      URL.createObjectURL = (blob) => { window.saved = blob.text(); return '#' }
      HTMLAnchorElement.prototype.click = () => {}
    })()`)
    await engine.click('#save')
    const file = JSON.parse(String(await engine.evaluate('window.saved'))) as ProofFile
    const result = await verifyProofFile(file, { anchor: { block: node.head.hash } })
    expect(result).toMatchObject({ status: 'present', value: { address } })
  })

  test('every state fits phone and desktop and is legible', () => showEachState(lab, 'light'))
})

inEveryEngine(
  (lab) => {
    test('every state fits phone and desktop and is legible in the dark', () =>
      showEachState(lab, 'dark'))
  },
  { colorScheme: 'dark' },
)

/** In WebKit the console is recorded by a script that the test server adds. */
function extra(lab: Lab): string[] {
  return lab.name === 'webkit' ? ['/__console.js'] : []
}
