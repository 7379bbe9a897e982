import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { builtExample } from '../../test/support/build.js'
import { consoleErrors, inEveryEngine, type Lab } from '../../test/support/engines.js'
import { deadUrl, fragment, type RunningNode, startNode } from '../../test/support/node.js'
import { ask } from '../../test/support/rpc.js'
import { openPage, page } from './page.js'

let folder: string
let node: RunningNode
let liar: RunningNode
let dead: string

beforeAll(async () => {
  folder = builtExample('mobile-webview')
  node = await startNode()
  liar = await startNode({ lie: 'forged-leaf' })
  dead = await deadUrl()
})

afterAll(async () => {
  await node.stop()
  await liar.stop()
})

/** What a native shell puts after `#`. */
function configuration(url: string, extra: Readonly<Record<string, string>> = {}): string {
  return fragment(node, { node: url, ...extra })
}

const openFile = (lab: Lab, settings: string) => openPage(lab, folder, settings)

/** How a shell's message object is named on each platform, as an expression for the page. */
const shells = {
  'React Native': 'window.ReactNativeWebView = { postMessage: receive }',
  WKWebView:
    "Object.defineProperty(window, 'webkit', { configurable: true, value: { messageHandlers: { lightproof: { postMessage: receive } } } })",
  Android: 'window.lightproofAndroid = { postMessage: receive }',
} as const

/**
 * Calls the bridge as a shell does: a message to the window, the reply through the shell's object.
 */
async function call(
  lab: Lab,
  shell: keyof typeof shells,
  message: { readonly id: number; readonly method: string; readonly params?: unknown },
): Promise<unknown> {
  const reply = await lab.engine().evaluate(`new Promise((receive) => {
    ${shells[shell]}
    window.postMessage(${JSON.stringify(JSON.stringify({ lightproof: 1, ...message }))}, '*')
  })`)
  return JSON.parse(String(reply))
}

/**
 * What a script imports, by statement or by `import()`, as the parser finds it: the words of its
 * texts do not count.
 */
function imports(script: string): string[] {
  const found: string[] = []
  const look = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) found.push(node.getText())
    if (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined)
      found.push(node.getText())
    if (node.kind === ts.SyntaxKind.ImportKeyword) found.push(node.parent.getText())
    ts.forEachChild(node, look)
  }
  look(ts.createSourceFile('page.js', script, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS))
  return found
}

describe('the file', () => {
  test('holds everything and names no other resource', async () => {
    const html = await readFile(join(folder, page), 'utf8')
    const [head = '', script = ''] = html.split('<script type="module">')
    expect(head).not.toMatch(/\b(src|srcset|action)=|url\(|@import/i)
    expect(head.match(/\bhref="[^"]*"/g)).toEqual(['href="data:,"'])
    expect(script.split('</script').length).toBe(2)
    expect(imports(script)).toEqual([])
  })
})

inEveryEngine((lab) => {
  describe.each(Object.keys(shells) as (keyof typeof shells)[])('the bridge to %s', (shell) => {
    test('proves balances, absence and storage from file://', async () => {
      await openFile(lab, configuration(node.url))
      const eoa = node.sample('eoa').address
      expect(
        await call(lab, shell, { id: 1, method: 'getBalance', params: { address: eoa } }),
      ).toMatchObject({
        id: 1,
        result: {
          status: 'present',
          value: await ask(node.url, 'eth_getBalance', [eoa, 'latest']),
          trust: { block: { number: '0x8', hash: node.head.hash }, servedBy: node.url },
        },
      })
      const absent = { address: node.sample('absent').address }
      expect(await call(lab, shell, { id: 2, method: 'getAccount', params: absent })).toMatchObject(
        {
          id: 2,
          result: { status: 'absent', value: null },
        },
      )
      const { address, slots } = node.sample('contract')
      const slot = { address, slot: slots[0] }
      expect(await call(lab, shell, { id: 3, method: 'getStorage', params: slot })).toMatchObject({
        id: 3,
        result: { status: 'present' },
      })
      expect(await lab.engine().text('#calls')).toBe('3 calls from the app, the last: getStorage')
      expect(await consoleErrors(lab.engine())).toEqual([])
    })
  })

  test('follows signed headers from a checkpoint', async () => {
    const anchor = node.checkpoint.hash
    await openFile(lab, configuration(node.url, { trust: 'checkpoint', anchor }))
    const eoa = node.sample('eoa').address
    expect(
      await call(lab, 'Android', { id: 1, method: 'getBalance', params: { address: eoa } }),
    ).toMatchObject({
      result: {
        status: 'present',
        trust: {
          anchor: { kind: 'checkpoint', hash: anchor },
          block: { number: '0x8' },
          finality: 'finalized',
          participation: { of: 32 },
        },
      },
    })
    expect(await lab.engine().text('#where')).toContain('trusts checkpoint')
    await lab.engine().type('#address', eoa)
    await lab.engine().click('button')
    await lab.engine().waitFor("document.querySelector('#result[data-state=present]') !== null")
    expect(await lab.engine().text('#result')).toMatch(/Signed by\s+\d\d of 32 of its committee/)
    expect(await consoleErrors(lab.engine())).toEqual([])
  })

  test('the bridge exposes a lie about signatures', async () => {
    const forger = await startNode({ lie: 'signature-own-keys' })
    try {
      const trusted = { trust: 'checkpoint', anchor: node.checkpoint.hash }
      await openFile(lab, configuration(forger.url, trusted))
      expect(await call(lab, 'Android', { id: 1, method: 'sync', params: {} })).toMatchObject({
        result: { status: 'invalid', error: { code: 'verify.signature', node: forger.url } },
      })
      // What the checkpoint vouches for stays proven, and the report names the liar.
      const params = { address: node.sample('eoa').address }
      expect(await call(lab, 'Android', { id: 2, method: 'getBalance', params })).toMatchObject({
        result: {
          status: 'present',
          trust: {
            block: { hash: node.checkpoint.hash },
            tried: [{ node: forger.url, code: 'verify.signature' }],
          },
        },
      })
    } finally {
      await forger.stop()
    }
  })

  test('the bridge exposes a lying node', async () => {
    await openFile(lab, configuration(liar.url))
    const params = { address: node.sample('eoa').address }
    expect(await call(lab, 'Android', { id: 1, method: 'getBalance', params })).toMatchObject({
      id: 1,
      result: {
        status: 'invalid',
        error: { name: 'ProofError', code: 'verify.merkle', node: liar.url },
      },
    })
    expect(await consoleErrors(lab.engine())).toEqual([])
  })

  test('the bridge says that a node cannot be reached', async () => {
    await openFile(lab, configuration(dead))
    const params = { address: node.sample('eoa').address }
    expect(await call(lab, 'Android', { id: 1, method: 'getBalance', params })).toMatchObject({
      id: 1,
      result: { status: 'unavailable', error: { code: 'unreachable' } },
    })
    expect(await consoleErrors(lab.engine(), dead)).toEqual([])
  })

  test('error: the bridge names a bad argument and an unknown method', async () => {
    await openFile(lab, configuration(node.url))
    const params = { address: '0x12' }
    expect(await call(lab, 'Android', { id: 1, method: 'getBalance', params })).toMatchObject({
      id: 1,
      error: { name: 'InputError', code: 'input.address', argument: 'address' },
    })
    expect(await call(lab, 'Android', { id: 'two', method: 'sign' } as never)).toMatchObject({
      id: 'two',
      error: { name: 'InputError', argument: 'method' },
    })
  })

  test('carries a proof from one app to another', async () => {
    await openFile(lab, configuration(node.url))
    const { address } = node.sample('eoa')
    const fetched = await call(lab, 'Android', { id: 1, method: 'fetchProof', params: { address } })
    const { result: file } = fetched as { result: unknown }
    await openFile(lab, configuration(dead))
    expect(
      await call(lab, 'Android', { id: 2, method: 'verifyProofFile', params: { file } }),
    ).toMatchObject({ id: 2, result: { status: 'present', value: { address } } })
  })

  test('the app may trust another block later', async () => {
    await openFile(lab, '')
    const engine = lab.engine()
    expect(await engine.text('#where')).toBe('Waiting for the app')
    const configure = (url: string) =>
      engine.evaluate(`window.lightproofConfigure(${JSON.stringify(configuration(url))})`)
    await configure(liar.url)
    expect(await engine.text('#where')).toMatch(/^devnet · trusts block .* · The app chose it$/)
    await configure(node.url)
    const params = { address: node.sample('eoa').address }
    expect(await call(lab, 'Android', { id: 1, method: 'getNonce', params })).toMatchObject({
      id: 1,
      result: { status: 'present', trust: { servedBy: node.url } },
    })
    expect(await consoleErrors(engine)).toEqual([])
  })

  test('a changed address is a proposal: the bridge never takes it, the screen once the user confirms it', async () => {
    await openFile(lab, configuration(node.url))
    const engine = lab.engine()
    const { address } = node.sample('eoa')
    const where = await engine.text('#where')
    const hostile = configuration(liar.url, { anchor: node.checkpoint.hash })
    const change = (to: string) => engine.evaluate(`location.hash = ${JSON.stringify(to)}`)
    const proposed = "document.querySelector('#result[data-state=proposed]') !== null"
    const servedBy = async (id: number) => {
      const reply = await call(lab, 'Android', { id, method: 'getNonce', params: { address } })
      const { result } = reply as { result: { trust?: { servedBy: string } } }
      return result.trust?.servedBy
    }

    await change(hostile)
    await engine.waitFor(proposed)
    expect(await engine.text('#result')).toContain(node.checkpoint.hash)
    expect(await engine.text('#result')).not.toMatch(/Proven|ETH/)
    expect(await engine.text('#where')).toBe(where)
    expect(await servedBy(1)).toBe(node.url)

    await engine.click('#drop-link')
    expect(await engine.text('#where')).toBe(where)

    await change(configuration(node.url, { anchor: node.checkpoint.hash }))
    await engine.waitFor(proposed)
    await engine.click('#use-link')
    expect(await engine.text('#where')).toContain('A link proposed it, and you confirmed it')
    await engine.type('#address', address)
    await engine.click('#form button')
    await engine.waitFor("document.querySelector('#result[data-state=present]') !== null")
    expect(await engine.text('#result')).toContain('A link proposed it, and you confirmed it')
    // The app still hears what is proven from its own block.
    const params = { address }
    expect(await call(lab, 'Android', { id: 2, method: 'getNonce', params })).toMatchObject({
      result: { status: 'present', trust: { anchor: { hash: node.head.hash } } },
    })
    expect(await consoleErrors(engine)).toEqual([])
  })

  test('a link to the page without a shell is a proposal, and serves no bridge', async () => {
    const engine = lab.engine()
    const { url } = await lab.serve(folder)
    await engine.open('about:blank')
    await engine.open(`${url}/${page}${configuration(node.url, { chain: 'devnet', host: url })}`)
    await engine.waitFor("document.querySelector('#result[data-state=proposed]') !== null")
    expect(await engine.text('#where')).toBe('Waiting for the app')
    await engine.type('#address', node.sample('eoa').address)
    await engine.click('#form button')
    expect(await engine.text('#result')).not.toMatch(/Proven|ETH/)
    await engine.click('#use-link')
    await engine.click('#form button')
    await engine.waitFor("document.querySelector('#result[data-state=present]') !== null")
    expect(await engine.text('#result')).toContain('A link proposed it, and you confirmed it')
    const answered = await engine.evaluate(`new Promise((resolve) => {
      window.lightproofAndroid = { postMessage: () => resolve('answered') }
      window.postMessage(JSON.stringify({ lightproof: 1, id: 1, method: 'getBlock' }), '*')
      setTimeout(() => resolve('silent'), 1500)
    })`)
    expect(answered).toBe('silent')
    expect(await consoleErrors(engine)).toEqual([])
  })

  test('text of an app or a link neither hides nor reorders', async () => {
    await openFile(lab, configuration(node.url))
    const engine = lab.engine()
    const method = 'sign\u202e\u001b'
    await call(lab, 'Android', { id: 1, method })
    expect(await engine.text('#calls')).toBe('1 call from the app, the last: sign\\u{202e}\\u{1b}')
    await engine.evaluate(`location.hash = 'chain=\u202e${'x'.repeat(9)}'`)
    await engine.waitFor("document.querySelector('#result[data-state=unavailable]') !== null")
    const text = String(await engine.evaluate("document.getElementById('result').textContent"))
    expect(text).toContain('A link proposes what cannot be used')
    expect(text).toContain('\\u{202e}xxx')
    expect(text).not.toContain('\u202e')
  })

  test('of a long text of a link, 200 characters are shown', async () => {
    await openFile(lab, configuration(node.url))
    const engine = lab.engine()
    const long = 'x'.repeat(5000)
    const shown = async (state: string): Promise<string> => {
      await engine.waitFor(`document.querySelector('#result[data-state=${state}]') !== null`)
      return String(await engine.evaluate('document.body.textContent'))
    }
    const proposal = configuration(`${node.url}/${long}`)
    await engine.evaluate(`location.hash = ${JSON.stringify(proposal)}`)
    expect(await shown('proposed')).toMatch(/x{100,199}…/)
    expect(await shown('proposed')).not.toMatch(/x{200}/)
    await engine.evaluate(`location.hash = 'chain=${long}'`)
    expect(await shown('unavailable')).not.toMatch(/x{200}/)
    expect(await consoleErrors(engine)).toEqual([])
  })

  const faults: readonly (readonly [string, Readonly<Record<string, string>>, RegExp])[] = [
    ['anchor', { anchor: '0x12' }, /^anchor\.block: .*"0x12"/],
    ['node', { node: 'ftp://x' }, /^nodes\[0\]: /],
    ['chain', { chain: 'moonbase' }, /^chain: .*"moonbase"/],
    ['genesis', { genesis: '' }, /genesisHash: /],
    ['trust', { trust: 'me' }, /^trust: .*"me"/],
    ['committee', { committee: '' }, /^chain\.consensus: .*32\/64/],
    ['checkpoint', { trust: 'checkpoint', anchor: '0x12' }, /^anchor\.checkpoint: .*"0x12"/],
  ]

  test.each(faults)(
    'error: a bad %s in the configuration is named',
    async (_field, extra, reason) => {
      await openFile(lab, configuration(node.url, extra))
      expect(await lab.engine().text('#result h2')).toContain(
        'The app configured this page wrongly',
      )
      expect(await lab.engine().text('#result dd')).toMatch(reason)
      expect(await consoleErrors(lab.engine())).toEqual([])
    },
  )

  test('answers a page that embeds it only if the configuration names its origin', async () => {
    const hostFolder = await mkdtemp(join(tmpdir(), 'lightproof-host-'))
    try {
      await writeFile(join(hostFolder, 'index.html'), host)
      const shop = await lab.serve(hostFolder)
      const webview = await lab.serve(folder)
      const engine = lab.engine()
      await engine.open(`${shop.url}/`)
      const { address } = node.sample('eoa')
      const ask = async (frame: number, id: number) => {
        const message = JSON.stringify({
          lightproof: 1,
          id,
          method: 'getNonce',
          params: { address },
        })
        await engine.evaluate(`ask(${frame}, ${message}, ${JSON.stringify(webview.url)})`)
      }
      const fragments = [
        configuration(node.url),
        configuration(node.url, { host: 'https://example.com' }),
        configuration(node.url, { host: shop.url }),
      ]
      for (const [i, fragment] of fragments.entries()) {
        await engine.evaluate(`embed(${JSON.stringify(`${webview.url}/${page}${fragment}`)})`)
        await ask(i, i)
      }
      // Each answer to the last frame is one more chance for the first two to answer wrongly.
      for (const id of [3, 4, 5]) {
        await engine.waitFor(`replies.some(({ data }) => data.id === ${id - 1})`)
        await ask(2, id)
      }
      await engine.waitFor('replies.some(({ data }) => data.id === 5)')
      expect(await engine.evaluate('replies')).toMatchObject(
        [2, 3, 4, 5].map((id) => ({
          origin: webview.url,
          data: { id, result: { status: 'present' } },
        })),
      )
      expect(webview.requests.filter((path) => !path.startsWith('/__'))).toEqual(
        Array(3).fill(`/${page}`),
      )
      expect(await consoleErrors(engine)).toEqual([])
    } finally {
      await rm(hostFolder, { recursive: true, force: true })
    }
  })
})

/** A page of another origin that embeds the webview's page. */
const host = `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>Host</title><link rel="icon" href="data:,"></head>
  <body>
    <script>
      const replies = []
      addEventListener('message', ({ origin, data }) => replies.push({ origin, data }))
      const frames = []
      function embed(url) {
        const frame = document.createElement('iframe')
        frame.src = url
        frames.push(frame)
        const loaded = new Promise((resolve) => frame.addEventListener('load', () => resolve(0)))
        document.body.append(frame)
        return loaded
      }
      function ask(frame, message, origin) {
        frames[frame].contentWindow.postMessage(message, origin)
      }
    </script>
  </body>
</html>
`
