/** The extension in Chromium: its service worker verifies, also after it was ended. */

import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import puppeteer, { type Page, type WebWorker } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findEngine } from '../../../scripts/engines/find.mjs'
import { builtExample, screenshotPath } from '../../test/support/build.js'
import { poorContrast } from '../../test/support/look.js'
import { type RunningNode, startNode } from '../../test/support/node.js'
import { ask } from '../../test/support/rpc.js'

const found = findEngine('chromium')
const isRequired = process.env['CI'] === 'true'
if (found.status === 'missing' && !isRequired) console.log(`SKIPPED: ${found.message}`)

interface Popup {
  readonly page: Page
  /** Types an address, asks, and waits for the status. */
  askFor(address: string, status: string): Promise<void>
  text(id: string): Promise<string>
  /** Ends the service worker, as the browser does when it has been idle. */
  endWorker(): Promise<void>
}

describe.skipIf(found.status === 'missing' && !isRequired)('extension', () => {
  let honest: RunningNode
  let liar: RunningNode

  beforeAll(async () => {
    honest = await startNode()
    liar = await startNode({ lie: 'claim-balance' })
  })

  afterAll(async () => {
    await honest.stop()
    await liar.stop()
  })

  /**
   * Loads the built extension, with the devnet.json that `npm start` writes, and opens its popup.
   */
  async function withPopup(
    nodes: readonly string[],
    use: (popup: Popup) => Promise<void>,
  ): Promise<void> {
    if (found.status === 'missing') throw new Error(found.message)
    const folder = await mkdtemp(join(tmpdir(), 'lightproof-extension-'))
    await cp(builtExample('extension'), folder, { recursive: true })
    const { genesisHash, consensus, checkpoint } = honest
    const devnet = { genesisHash, consensus, checkpoint: checkpoint.hash, nodes }
    await writeFile(join(folder, 'devnet.json'), JSON.stringify(devnet))
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
      await page.setViewport({ width: 352, height: 420 })
      await page.goto(new URL('/popup.html', worker.url()).href)
      await use(popupOf(page, async () => worker.worker()))
    } finally {
      await browser.close()
      await rm(folder, { recursive: true, force: true })
    }
  }

  test('its service worker verifies; ended and started again, it goes on from its store', async () => {
    const { address } = honest.sample('eoa')
    const wei = BigInt(String(await ask(honest.url, 'eth_getBalance', [address, 'latest'])))
    await withPopup([honest.url], async ({ page, askFor, text, endWorker }) => {
      await askFor(address, 'present')
      const amount = await text('amount')
      const [whole = '', fraction = ''] = amount.replace(' ETH', '').replaceAll(',', '').split('.')
      expect(BigInt(whole) * 10n ** 18n + BigInt(fraction.padEnd(18, '0'))).toBe(wei)
      const detail = new RegExp(
        `^Block 8, \\d+ s old. Proof: ${honest.url}. Headers: ${honest.url}.$`,
      )
      expect(await text('detail')).toMatch(detail)
      await askFor(address, 'present')
      expect(await text('detail')).toContain(`Headers: ${honest.url}.`)

      await endWorker()
      await askFor(address, 'present')
      expect(await text('amount')).toBe(amount)
      expect(await text('detail')).toMatch(/Headers: store/)

      await askFor(honest.sample('absent').address, 'absent')
      expect(await text('amount')).toBe('0 ETH')
      await askFor('0x12', 'error')
      expect(await text('detail')).toContain('"0x12"')
      expect(await text('amount')).toBe('–')

      // A popup that opens anew asks for the account of before.
      await page.reload()
      await page.waitForFunction("document.body.dataset.status === 'absent'")
    })
  })

  test('of a lying node: refused, and no number; beside an honest one: the honest number', async () => {
    const { address } = honest.sample('eoa')
    await withPopup([liar.url], async ({ page, askFor, text }) => {
      await askFor(address, 'invalid')
      expect(await text('amount')).toBe('–')
      expect(await text('detail')).toContain('(verify.claim)')
      for (const value of ['light', 'dark']) {
        await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value }])
        await page.screenshot({ path: await pictureAt(`invalid-${value}`) })
        expect(await page.evaluate(poorContrast)).toEqual([])
      }
    })
    await withPopup([liar.url, honest.url], async ({ page, askFor, text }) => {
      await askFor(address, 'present')
      expect(await text('detail')).toContain(`Proof: ${honest.url}.`)
      await page.screenshot({ path: await pictureAt('present-light') })
    })
  })
})

async function pictureAt(name: string): Promise<`${string}.png`> {
  const { mkdir } = await import('node:fs/promises')
  const path = screenshotPath('extension', name)
  await mkdir(join(path, '..'), { recursive: true })
  return path as `${string}.png`
}

function popupOf(page: Page, worker: () => Promise<WebWorker | null>): Popup {
  return {
    page,
    async askFor(address, status) {
      await page.$eval('#address', (field) => (field as HTMLInputElement).select())
      await page.type('#address', address)
      await page.click('button')
      await page.waitForFunction(`document.body.dataset.status === '${status}'`)
    },
    text: (id) => page.$eval(`#${id}`, (element) => element.textContent ?? ''),
    async endWorker() {
      await (await worker())?.close()
    },
  }
}
