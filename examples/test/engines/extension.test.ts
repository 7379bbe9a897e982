/** An MV3 extension in Chromium: its service worker verifies, and goes on from what it proved after it was ended. */

import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import puppeteer from 'puppeteer-core'
import { expect, test } from 'vitest'
import { findEngine } from '../../../scripts/engines/find.mjs'
import { startNode } from '../support/node.js'
import type { Asked, Told } from './pages/extension.js'

const manifest = {
  manifest_version: 3,
  name: 'Lightproof in an extension',
  version: '1',
  background: { service_worker: 'scripts/background.js', type: 'module' },
  content_security_policy: {
    extension_pages: "script-src 'self' 'wasm-unsafe-eval'; object-src 'self'",
  },
  host_permissions: ['http://127.0.0.1/*'],
}

/** Service workers may not import while they run: all in one file, the wasm beside its folder, as in the package. */
async function buildExtension(folder: string): Promise<void> {
  await build({
    absWorkingDir: fileURLToPath(new URL('.', import.meta.url)),
    entryPoints: [{ in: 'pages/extension.ts', out: 'scripts/background' }],
    outdir: folder,
    bundle: true,
    format: 'esm',
    target: 'es2022',
    logLevel: 'warning',
  })
  await mkdir(join(folder, 'generated'))
  for (const name of ['hash', 'light']) {
    const from = fileURLToPath(import.meta.resolve(`lightproof/${name}.wasm`))
    await copyFile(from, join(folder, 'generated', `${name}_bg.wasm`))
  }
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest))
  await writeFile(join(folder, 'page.html'), '<!doctype html><title>Page</title>')
}

const found = findEngine('chromium')
const isRequired = process.env['CI'] === 'true'
if (found.status === 'missing' && !isRequired) console.log(`SKIPPED: ${found.message}`)

test.skipIf(found.status === 'missing' && !isRequired)(
  'a service worker verifies; ended and started again, it goes on from its store',
  async () => {
    if (found.status === 'missing') throw new Error(found.message)
    const folder = await mkdtemp(join(tmpdir(), 'lightproof-extension-'))
    await buildExtension(folder)
    const node = await startNode()
    const browser = await puppeteer.launch({
      executablePath: found.binaries['browser'] ?? '',
      headless: true,
      pipe: true,
      enableExtensions: [folder],
      args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run'],
    })
    try {
      const worker = await browser.waitForTarget((target) => target.type() === 'service_worker')
      const page = await browser.newPage()
      await page.goto(new URL('/page.html', worker.url()).href)
      const { genesisHash, consensus, url } = node
      const { address } = node.sample('eoa')
      const asked: Asked = { genesisHash, consensus, node: url, address }
      const ask = async (): Promise<Told> =>
        (await page.evaluate(`chrome.runtime.sendMessage(${JSON.stringify(asked)})`)) as Told
      const first = await ask()
      expect(first).toMatchObject({ status: 'present', headersFrom: [node.url] })
      expect(await ask()).toMatchObject({ life: first.life })
      await (await worker.worker())?.close()
      const second = await ask()
      expect(second.life).not.toBe(first.life)
      expect(second).toMatchObject({ status: 'present', balance: first.balance })
      expect(second.headersFrom[0]).toBe('store')
    } finally {
      await browser.close()
      await node.stop()
      await rm(folder, { recursive: true, force: true })
    }
  },
)
