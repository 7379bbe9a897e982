/**
 * The engine library itself: a check that finds no console errors means nothing if it cannot find
 * one.
 */

import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aptPackages, findEngine, findEngines } from '../../../scripts/engines/find.mjs'
import { serveStatic } from '../../../scripts/engines/serve.mjs'
import { inEveryEngine } from '../support/engines.js'

const html = `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>Page</title><link rel="icon" href="data:,"></head>
  <body>
    <input id="field" value="old">
    <button id="button" style="margin-top: 3000px">Go</button>
    <p id="output"></p>
    <script src="page.js"></script>
    <script src="missing.js"></script>
  </body>
</html>
`

const script = `
console.log('said', 1)
console.error('complained')
setTimeout(() => { throw new Error('thrown') })
Promise.reject(new Error('rejected'))
button.addEventListener('click', () => { output.textContent = 'got ' + field.value })
`

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lightproof-library-'))
  await writeFile(join(folder, 'index.html'), html)
  await writeFile(join(folder, 'page.js'), script)
})

afterAll(() => rm(folder, { recursive: true, force: true }))

test('an engine that is not installed is named with its Debian packages', () => {
  const found = findEngines()
  expect(Object.keys(found)).toEqual(['chromium', 'firefox', 'webkit'])
  expect(aptPackages).toEqual(['chromium', 'firefox-esr', 'webkit2gtk-driver', 'xvfb'])
  const nowhere = findEngine('webkit', () => false)
  expect(nowhere).toEqual({
    status: 'missing',
    engine: 'webkit',
    packages: ['webkit2gtk-driver', 'xvfb'],
    message: 'webkit is not installed here; on Debian: apt-get install webkit2gtk-driver xvfb',
  })
})

test('the file server stays inside its folder', async () => {
  const server = await serveStatic(folder)
  try {
    for (const path of [
      '/%2e%2e/etc/passwd',
      '/..%2f..%2fetc/passwd',
      '/%00',
      '/%zz',
      '/missing',
    ]) {
      expect((await fetch(server.url + path)).status, path).toBe(404)
    }
    expect((await fetch(server.url, { method: 'POST' })).status).toBe(405)
    const page = await fetch(server.url)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(await page.text()).toBe(html)
  } finally {
    await server.close()
  }
})

inEveryEngine((lab) => {
  test('types, clicks, reads and resizes', async () => {
    const { url } = await lab.serve(folder)
    const engine = lab.engine()
    await engine.open(`${url}/`)
    await engine.type('#field', 'new')
    await engine.click('#button')
    await engine.waitFor("output.textContent !== ''")
    expect(await engine.text('#output')).toBe('got new')
    for (const [width, height] of [
      [320, 600],
      [390, 844],
      [1280, 900],
    ] as const) {
      await engine.setViewport(width, height)
      expect(await engine.evaluate('[innerWidth, innerHeight]')).toEqual([width, height])
    }
    await expect(engine.evaluate("Promise.reject(new Error('no'))")).rejects.toThrow('no')
    await expect(engine.text('#nothing')).rejects.toThrow('#nothing')
  })

  test('reports console messages, uncaught errors and rejections', async () => {
    const { url } = await lab.serve(folder)
    const engine = lab.engine()
    await engine.open(`${url}/`)
    const entries = await engine.console()
    const texts = (wanted: string) =>
      entries.filter(({ level }) => level === wanted).map(({ text }) => text)
    expect(texts('log')).toEqual([expect.stringContaining('said 1')])
    for (const problem of ['complained', 'thrown', 'rejected']) {
      expect(texts('error')).toContainEqual(expect.stringContaining(problem))
    }
    await engine.open('about:blank')
    expect(await engine.console()).toEqual([])
  })

  test('takes a screenshot', async () => {
    const { url } = await lab.serve(folder)
    await lab.engine().open(`${url}/`)
    const path = join(folder, 'shots', `${lab.name}.png`)
    await lab.engine().screenshot(path)
    expect(existsSync(path)).toBe(true)
    expect((await readFile(path)).subarray(1, 4).toString()).toBe('PNG')
  })
})
