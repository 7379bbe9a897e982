import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { serve, type TestServer } from '../../test/support/server.js'
import { DIGESTS } from '../generated/digests.inline.js'
import { PlatformError } from '../result/errors.js'
import type * as Wasm from './module.js'
import { openUrl } from './url.js'

const FILE = new URL('../generated/mpt_bg.wasm', import.meta.url)
const bytes = await readFile(FILE)
const light = await readFile(new URL('../generated/light_bg.wasm', import.meta.url))

/** Module state is per test: each gets the loader anew. */
async function fresh(): Promise<typeof Wasm> {
  vi.resetModules()
  return import('./module.js')
}

const worksWith = async (wasm: typeof Wasm): Promise<void> => {
  const { keccak256 } = await wasm.loadHash()
  const empty = Buffer.from(keccak256(new Uint8Array(0))).toString('hex')
  expect(empty).toBe('c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470')
}

describe('sources', () => {
  test('default: the Node entry reads its file', async () => {
    const wasm = await fresh()
    await import('../entry/node.js')
    await worksWith(wasm)
  })

  test('default: the inline entry holds it', async () => {
    const wasm = await fresh()
    await import('../entry/inline.js')
    await worksWith(wasm)
  })

  test.each([
    ['a compiled module', () => WebAssembly.compile(bytes)],
    ['bytes', () => bytes],
    ['an ArrayBuffer', () => Uint8Array.from(bytes).buffer],
    ['a file URL', () => FILE],
    ['a file URL as text', () => FILE.href],
  ])('behavior: setWasm takes %s', async (_, make) => {
    const wasm = await fresh()
    await import('../entry/node.js')
    wasm.setWasm({ mpt: await make() })
    await worksWith(wasm)
  })

  test.each([
    ['the Node entry', () => import('../entry/node.js')],
    [
      'the inline entry with that of the module',
      async () => {
        await import('../entry/inline/light.js')
        await import('../entry/inline.js')
      },
    ],
  ])('behavior: %s reaches module light, and only when it is asked for', async (_, entry) => {
    const wasm = await fresh()
    await entry()
    await worksWith(wasm)
    const { LightClient } = await wasm.loadLight()
    expect(() => new LightClient(new Uint8Array(0))).toThrow()
  })

  test('behavior: setWasm takes each module on its own', async () => {
    const wasm = await fresh()
    wasm.setWasm({ light })
    expect(await wasm.loadLight()).toHaveProperty('LightClient')
    await expect(wasm.loadHash()).rejects.toMatchObject({ code: 'platform.wasm' })
    expect(() => wasm.setWasm({ light })).toThrow('loaded already')
    wasm.setWasm({ mpt: bytes })
    await worksWith(wasm)
  })

  test('behavior: it is loaded once', async () => {
    const wasm = await fresh()
    let reads = 0
    wasm.usePlatform({
      open: openUrl,
      mpt: async () => {
        reads++
        return bytes
      },
      hash: async () => bytes,
      bn254: async () => bytes,
      bls12_381: async () => bytes,
      light: async () => light,
    })
    await Promise.all([worksWith(wasm), worksWith(wasm)])
    expect(reads).toBe(1)
    expect(() => wasm.setWasm({ mpt: bytes })).toThrow('loaded already')
  })

  test('behavior: what the page carries inside is used, whichever entry comes first', async () => {
    for (const insideFirst of [true, false]) {
      const wasm = await fresh()
      const fetched = { mpt: async () => Promise.reject(new Error('fetched')) }
      if (insideFirst) wasm.embed({ mpt: async () => bytes })
      wasm.usePlatform(fetched)
      if (!insideFirst) wasm.embed({ mpt: async () => bytes })
      await worksWith(wasm)
    }
  })

  test('behavior: a failed load is tried again', async () => {
    const wasm = await fresh()
    const others = { hash: async () => bytes, bn254: async () => bytes, light: async () => light }
    wasm.usePlatform({ open: openUrl, mpt: async () => new Uint8Array(4), ...others })
    await expect(wasm.loadHash()).rejects.toMatchObject({ code: 'platform.wasm' })
    wasm.usePlatform({ open: openUrl, mpt: async () => bytes, ...others })
    await worksWith(wasm)
  })

  test('error: a file that is not there', async () => {
    const wasm = await fresh()
    await import('../entry/node.js')
    wasm.setWasm({ mpt: new URL('./nowhere.wasm', import.meta.url) })
    const error = await wasm.loadHash().catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'platform.wasm', cause: { code: 'ENOENT' } })
  })

  test('error: no source at all', async () => {
    const wasm = await fresh()
    await expect(wasm.loadHash()).rejects.toMatchObject({ code: 'platform.wasm' })
  })

  test.each(['hash', 'bls12_381', 'bn254', 'light'] as const)(
    'error: the inline entry alone does not hold %s, and says what does',
    async (name) => {
      const wasm = await fresh()
      await import('../entry/inline.js')
      const entry = `lightproof/inline/${name}`
      await expect(wasm.loadModule(name)).rejects.toThrow(entry)
      await import(`../entry/inline/${name}.ts`)
      expect(await wasm.loadModule(name)).toHaveProperty('use')
    },
  )

  test('error: a part of the package that cannot be fetched', async () => {
    const { loadPart } = await import('./part.js')
    const gone = loadPart(() => Promise.reject(new TypeError('Failed to fetch')))
    await expect(gone).rejects.toMatchObject({ name: 'PlatformError', code: 'platform.wasm' })
  })

  test('error: a source of another kind', async () => {
    const wasm = await fresh()
    for (const mpt of [undefined, null, 1, {}, []]) {
      const set = (): void => wasm.setWasm({ mpt: mpt as never })
      expect(set).toThrow(expect.objectContaining({ code: 'input.wasm' }))
    }
  })

  test('error: a URL that is none', async () => {
    const wasm = await fresh()
    await import('../entry/node.js')
    wasm.setWasm({ mpt: 'mpt.wasm' })
    await expect(wasm.loadHash()).rejects.toMatchObject({ code: 'input.wasm' })
  })
})

describe('platforms', () => {
  afterEach(() => {
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
  })

  test('error: WebAssembly is missing', async () => {
    const wasm = await fresh()
    vi.stubGlobal('WebAssembly', undefined)
    await expect(wasm.loadHash()).rejects.toMatchObject({
      code: 'platform.webassembly',
      message: expect.stringMatching(/Hermes .*hidden webview/),
    })
  })

  // What Chromium, Firefox and WebKit say.
  test.each([
    'WebAssembly.instantiate(): Compiling or instantiating WebAssembly module violates the following Content Security policy directive because neither',
    'call to WebAssembly.instantiate() blocked by CSP',
    "Refused to create a WebAssembly object because 'unsafe-eval' or 'wasm-unsafe-eval' is not an allowed source of script",
  ])('error: the policy forbids it: %s', async (message) => {
    const { compileError } = await fresh()
    const cause = new WebAssembly.CompileError(message)
    const error = compileError(cause)
    expect(error).toMatchObject({ code: 'platform.csp', cause })
    expect(error.message).toContain("'wasm-unsafe-eval'")
    expect(error.message).toContain('script-src')
  })

  test('error: Cloudflare Workers compile no bytes: what to give', async () => {
    const { compileError } = await fresh()
    const says = 'WebAssembly.instantiate(): Wasm code generation disallowed by embedder'
    const error = compileError(new WebAssembly.CompileError(says))
    expect(error).toMatchObject({ code: 'platform.wasm' })
    expect(error.message).toContain('give setWasm modules')
    expect(error.message).not.toContain('damaged')
  })
})

describe('by URL', () => {
  let server: TestServer
  let type = ''
  let status = 200

  beforeEach(async () => {
    server = await serve((response) => {
      response.writeHead(status, { 'content-type': type }).end(bytes)
    })
  })
  afterEach(() => server.close())

  test.each([
    'application/wasm',
    'application/wasm; charset=utf-8',
    'application/octet-stream',
    'text/html',
  ])('default: MIME type %s', async (mime) => {
    type = mime
    expect(await openUrl(new URL(server.url))).toBeInstanceOf(WebAssembly.Module)
  })

  test('behavior: each module has the digest of its file', async () => {
    for (const name of ['mpt', 'hash', 'bn254', 'bls12_381', 'light', 'evm'] as const) {
      const file = await readFile(new URL(`../generated/${name}_bg.wasm`, import.meta.url))
      expect(DIGESTS[name]).toBe(createHash('sha256').update(file).digest('base64'))
    }
    expect(await openUrl(new URL(server.url), DIGESTS.mpt)).toBeInstanceOf(WebAssembly.Module)
  })

  test('error: another file, by the digest', async () => {
    const wasm = await fresh()
    await import('../entry/node.js')
    wasm.setWasm({ hash: server.url })
    await expect(wasm.loadModule('hash')).rejects.toMatchObject({
      code: 'platform.wasm',
      message: expect.stringContaining("this version's file"),
    })
  })

  test('error: another file, where fetch ignores the digest', async () => {
    const { fetch } = globalThis
    // One that runs as well, with a section more.
    let more = Buffer.of(0, 2, 1, 97)
    vi.stubGlobal('fetch', async (url: URL) => {
      const served = await (await fetch(url)).arrayBuffer()
      return new Response(Buffer.concat([Buffer.from(served), more]))
    })
    try {
      const wasm = await fresh()
      await import('../entry/node.js')
      wasm.setWasm({ mpt: server.url })
      await expect(wasm.loadModule('mpt')).rejects.toMatchObject({
        code: 'platform.wasm',
        message: expect.stringContaining("this version's file"),
      })
      more = Buffer.of()
      expect(await wasm.loadModule('mpt')).toHaveProperty('use')
    } finally {
      vi.unstubAllGlobals()
    }
  })

  test('error: it is not there', async () => {
    status = 404
    const error = await openUrl(new URL(server.url)).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(PlatformError)
    expect(error).toMatchObject({ code: 'platform.wasm' })
  })

  test('error: it cannot be reached, perhaps by policy', async () => {
    await server.close()
    const error = await openUrl(new URL(server.url)).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'platform.wasm' })
    expect(error).toHaveProperty('message', expect.stringContaining('connect-src'))
    expect(error).toHaveProperty('cause')
  })
})
