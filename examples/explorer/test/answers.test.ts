import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { ProofFile } from 'lightproof'
import { verifyProofFile } from 'lightproof'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { builtExample } from '../../test/support/build.js'
import {
  confirmLink,
  consoleErrors,
  inEveryEngine,
  type Lab,
  openLink,
  waitForState,
} from '../../test/support/engines.js'
import { deadUrl, fragment, type RunningNode, startNode } from '../../test/support/node.js'
import { ask, failingNode, silentNode } from '../../test/support/rpc.js'

let folder: string
let node: RunningNode
let dead: string

beforeAll(async () => {
  folder = builtExample('explorer')
  node = await startNode()
  dead = await deadUrl()
})

afterAll(async () => {
  await node.stop()
})

type Question = Readonly<Record<string, string>>

const hash = (question: Question = {}) => fragment(node, question)

const fromCheckpoint = (question: Question) =>
  hash({ trust: 'checkpoint', anchor: node.checkpoint.hash, ...question })

/** Opens the page afresh, and confirms what the link proposes. */
async function open(lab: Lab, settings: string): Promise<readonly string[]> {
  const { url, requests } = await lab.serve(folder)
  await openLink(lab.engine(), `${url}/${settings}`)
  return requests
}

inEveryEngine((lab) => {
  test('shows a proven balance and nonce, and on what grounds', async () => {
    const { address } = node.sample('eoa')
    await open(lab, hash({ address }))
    await waitForState(lab.engine(), 'present')
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
    expect(report).toContain('This very block, which a link proposed, and you confirmed')
    expect(report).toContain('All that the account holds in that block, balance and nonce included')
    expect(report).toContain('That what you trust belongs to the chain: that is your word')
    expect(report).toContain('That nothing has changed since that block')
    expect(report).toMatch(/[1-9][\d,]* bytes, checked in/)
    expect(await engine.evaluate("document.getElementById('result').ariaLive")).toBe('polite')
    expect(await consoleErrors(engine)).toEqual([])
  })

  test('shows that an account is proven absent, with the balance zero', async () => {
    const { address } = node.sample('absent')
    await open(lab, hash({ address }))
    await waitForState(lab.engine(), 'absent')
    const engine = lab.engine()
    expect(await engine.text('#result h2')).toBe('Proven absent')
    expect(await engine.text('#result .banner p')).toBe(
      'In block 8 there is no account at this address.',
    )
    expect(await engine.text('#balance')).toBe('0 ETH')
    expect(await engine.text('.report')).toContain('No account is at this address in that block')
    expect(await consoleErrors(engine)).toEqual([])
  })

  test('follows signed headers from a checkpoint to the newest block, then to a newer one', async () => {
    const alive = await startNode({ more: 100 })
    try {
      const { address } = node.sample('eoa')
      const requests = await open(lab, fromCheckpoint({ address, node: alive.url }))
      await waitForState(lab.engine(), 'present')
      const engine = lab.engine()
      const report = await engine.text('.report')
      expect(report).toContain('A checkpoint, which a link proposed, and you confirmed')
      expect(report).toContain(node.checkpoint.hash)
      expect(report).toContain('The block’s header is one that the committee signed')
      expect(await engine.text('#signed')).toMatch(
        /^(2[2-9]|3[0-2]) of 32 members of its committee$/,
      )
      expect(await engine.text('#lag')).toMatch(/^\d+ (second|minute)s? behind this clock$/)
      // One of them may be read by the page and by its worker, the second time from the cache where
      // the server allows it.
      expect(verifiers(requests).size).toBe(2)
      const first = await blockShown(lab)
      expect(first).toBeGreaterThanOrEqual(node.head.number)

      // Nobody tells the page of the next block: it is signed, and that is enough.
      await expect
        .poll(
          async () => {
            await engine.click('button[type=submit]')
            await waitForState(engine, 'present')
            return blockShown(lab)
          },
          { timeout: 30_000 },
        )
        .toBeGreaterThan(first)
      expect(await consoleErrors(engine)).toEqual([])
    } finally {
      await alive.stop()
    }
  })

  const forgeries: readonly (readonly [lie: string, code: string, checked: RegExp])[] = [
    ['signature-own-keys', 'verify.signature', /must have signed exactly this header/],
    ['signers-few', 'verify.participation', /Enough members of the committee must have signed/],
    ['committee-other', 'verify.committee', /must be named by a header that you trust/],
    ['bootstrap-other-block', 'verify.checkpoint', /must be the one that you pinned/],
  ]

  test.each(forgeries)('exposes a node whose signatures lie: %s', async (lie, code, checked) => {
    const liar = `${node.url}/lie/${lie}`
    await open(lab, fromCheckpoint({ address: node.sample('eoa').address, node: liar }))
    await waitForState(lab.engine(), 'invalid')
    const engine = lab.engine()
    expect(await engine.text('#code')).toBe(code)
    expect(await engine.text('#checked')).toMatch(checked)
    expect(await engine.evaluate("document.getElementById('balance')")).toBeFalsy()
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
    const liar = `${node.url}/lie/${lie}`
    await open(lab, hash({ address: node.sample('eoa').address, node: liar }))
    await waitForState(lab.engine(), 'invalid')
    const engine = lab.engine()
    expect(await engine.text('#result h2')).toMatch(
      /^The node’s (answer is false|proof is malformed)$/,
    )
    expect(await engine.text('#code')).toBe(code)
    expect(await engine.text('#checked')).toMatch(checked)
    expect(await engine.text('#result .banner')).toContain(`Do not rely on ${node.url}`)
    expect(await engine.evaluate("document.getElementById('balance')")).toBeFalsy()
    expect(await consoleErrors(engine)).toEqual([])
  })

  test('says that a node cannot be reached, and accuses nobody', async () => {
    await open(lab, hash({ address: node.sample('eoa').address, node: dead }))
    await waitForState(lab.engine(), 'unavailable')
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
    await waitForState(lab.engine(), 'unavailable')
    expect(await lab.engine().text('#code')).toBe('block')
    expect(await lab.engine().text('#result h2')).toBe('Block unknown to the node')
  })

  const faults: readonly (readonly [field: string, question: Question, problem: RegExp])[] = [
    ['address', { address: '0x1234' }, /^Expected 0x and 40 hex digits, got "0x1234"/],
    ['node', { node: 'ftp://example.com' }, /^Expected an absolute http: or https: URL/],
    ['anchor', { anchor: '0x12' }, /got "0x12"/],
    ['genesis', { genesis: '' }, /got ""/],
    ['chain', { chain: 'moonbase' }, /^No chain is called "moonbase"/],
    ['trust', { trust: 'me' }, /^Expected checkpoint or block, got "me"/],
    ['committee', { committee: '33' }, /^Expected keys and blocks, such as 32\/64, .*, got "33"/],
    ['committee', { committee: '33/64' }, /33/],
    ['beacon', { chain: 'mainnet', trust: 'checkpoint', beacon: 'x' }, /^Expected an absolute/],
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
    expect(await engine.text('h1')).toBe('See why a value is true')
    expect(requests).toEqual(expect.arrayContaining(['/', '/main.js', '/style.css']))
    expect(requests.filter((path) => /wasm$|\/check/.test(path))).toEqual([])
    for (const kind of ['eoa', 'contract'] as const) {
      const { address } = node.sample(kind)
      await engine.type('#address', address)
      await engine.click('button[type=submit]')
      await engine.waitFor(
        `document.querySelector('#result[data-state=present]')?.innerText.includes('${address}')`,
      )
    }
    expect(verifiers(requests).size).toBe(1)
    expect(await consoleErrors(engine)).toEqual([])
  })

  test('says so where the browser may not run the verifier', async () => {
    // Two policies are in force then, the page's and the server's, and the server's lacks
    // wasm-unsafe-eval.
    const { url } = await lab.serve(folder, { csp: "script-src 'self'" })
    await openLink(lab.engine(), `${url}/${hash({ address: node.sample('eoa').address })}`)
    await waitForState(lab.engine(), 'platform')
    expect(await lab.engine().text('#result h2')).toBe('No proof can be checked here')
    expect(await lab.engine().text('#code')).toBe('platform.csp')
  })

  test('says so where a part of the page is missing', async () => {
    const copy = await mkdtemp(join(tmpdir(), 'lightproof-explorer-'))
    try {
      await cp(folder, copy, {
        recursive: true,
        filter: (file) => !basename(file).startsWith('check'),
      })
      const { url } = await lab.serve(copy)
      await openLink(lab.engine(), `${url}/${hash({ address: node.sample('eoa').address })}`)
      await waitForState(lab.engine(), 'platform')
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
      await waitForState(lab.engine(), 'working')
      const engine = lab.engine()
      await engine.evaluate(`location.hash = ${JSON.stringify(hash({ address }))}`)
      await confirmLink(engine)
      await waitForState(lab.engine(), 'present')
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
      await waitForState(lab.engine(), 'unavailable')
      const engine = lab.engine()
      expect(await engine.text('#result')).toContain('<img src=x')
      expect(
        await engine.evaluate('document.querySelectorAll("#result img, #result script").length'),
      ).toBe(0)
      expect(await engine.evaluate('document.title')).toBe('Lightproof: proof explorer')
      expect(await consoleErrors(engine)).toEqual([])
    } finally {
      await rude.stop()
    }
  })

  test('saves a proof that stands without the page and without the node', async () => {
    const { address } = node.sample('contract')
    await open(lab, hash({ address }))
    await waitForState(lab.engine(), 'present')
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
})

/** The block that the report names. */
async function blockShown(lab: Lab): Promise<number> {
  const [, number = ''] = /([\d,]+) of devnet/.exec(await lab.engine().text('.report')) ?? []
  return Number(number.replaceAll(',', ''))
}

/** The modules that were fetched to verify; the drawing has others. */
function verifiers(requests: readonly string[]): ReadonlySet<string> {
  return new Set(requests.filter((path) => path.endsWith('.wasm') && !path.includes('/trace_')))
}
