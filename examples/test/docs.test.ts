/** The documentation's site, as it is built: its pages open, and find each other. */

import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { PAGES } from '../../docs/pages.mjs'
import { CommandError } from '../../scripts/lib/run.mjs'
import { buildSite, SITE } from '../../scripts/lib/site.mjs'
import { consoleErrors, inEveryEngine } from './support/engines.ts'
import { takePicture } from './support/look.ts'

beforeAll(async () => {
  try {
    await buildSite()
  } catch (error) {
    // It says which link leads nowhere.
    if (error instanceof CommandError) throw new Error(error.output, { cause: error })
    throw error
  }
})

test('default: every document is a page', () => {
  const missing = PAGES.map(({ page }) => path.join(SITE, page.replace(/md$/, 'html')))
  expect(missing.filter((file) => !existsSync(file))).toEqual([])
})

test('default: links to headings find them', () => {
  const html = readFileSync(path.join(SITE, 'spec/architecture.html'), 'utf8')
  const own = [...html.matchAll(/href="#([^"]+)"/g)].map(([, id]) => decodeURI(id ?? ''))
  expect(own).toContain('6-settling-equations')
  expect(own.filter((id) => id !== 'VPContent' && !html.includes(`id="${id}"`))).toEqual([])
})

inEveryEngine((lab) => {
  test.each([
    ['home', 'index.html', 'Check what a node says'],
    ['guide', 'guides/wallet.html', 'Lightproof in a wallet'],
    ['spec', 'spec/systems/mpt.html', 'Ethereum accounts and storage slots'],
    ['api', 'api/index.html', 'blocks'],
    ['explorer', 'explorer/index.html', 'proof'],
  ])('default: %s opens', async (name, file, heading) => {
    const { url } = await lab.serve(SITE)
    const engine = lab.engine()
    await engine.open(`${url}/${file}`)
    expect(await engine.text('body')).toContain(heading)
    await takePicture(engine, 'test', `docs-${name}-${lab.name}`)
    expect(await consoleErrors(engine)).toEqual([])
  })

  test('default: links lead to pages, and words to what has them', async () => {
    const { url } = await lab.serve(SITE)
    const engine = lab.engine()
    await engine.open(`${url}/guides/development.html`)
    await engine.waitFor(`document.querySelector('.VPNavBarSearch button')`)
    await engine.click('.vp-doc a[href*="wallet.html"]')
    await engine.waitFor(`document.querySelector('h1')?.innerText.includes('in a wallet')`)
    await engine.click('.VPNavBarSearch button')
    await engine.waitFor(`document.querySelector('#localsearch-input')`)
    await engine.type('#localsearch-input', 'tombstone')
    await engine.waitFor(`document.querySelector('.results a[href*="/spec/"]')`)
    await engine.click('.VPLocalSearchBox .results a[href*="/spec/"]')
    await engine.waitFor(`location.pathname.startsWith('/spec/')`)
    expect(await consoleErrors(engine)).toEqual([])
  })
})
