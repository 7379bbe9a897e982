/**
 * The bridge in each engine: a page of another origin cannot ask through it, whatever it does with
 * its frames.
 */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { consoleErrors, inEveryEngine } from '../support/engines.js'
import type { BridgeReport } from './pages/bridge.js'
import { buildPages } from './pages.js'

/**
 * Asks as the native shell does, itself and by frames that it removes before their messages arrive.
 */
const hostile = `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>Hostile</title><link rel="icon" href="data:,"></head>
  <body>
    <script>
      const heard = []
      const ask = (id) => ({
        lightproof: 1, id, method: 'getBalance', params: { address: '0x' + '00'.repeat(20) },
      })
      const port = () => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = ({ data }) => heard.push(data.id)
        return [port2]
      }
      const fromGone = (message, ports) => {
        const frame = document.createElement('iframe')
        document.body.append(frame)
        const post = new frame.contentWindow.Function('message', 'ports', "top.postMessage(message, '*', ports)")
        post(message, ports)
        frame.remove()
      }
      addEventListener('message', ({ data }) => {
        if (data === 'what did you hear?') parent.postMessage({ frame: 'heard', heard }, '*')
        else heard.push(data.id)
      })
      parent.postMessage(ask('direct'), '*')
      parent.postMessage(ask('by port'), '*', port())
      // The shell's own id: its reply would pass for the shell's answer.
      fromGone(ask('first'), [])
      fromGone(JSON.stringify(ask('gone')), [])
      fromGone(ask('gone, by port'), port())
      parent.postMessage({ frame: 'attacked' }, '*')
    </script>
  </body>
</html>
`

let pages: Awaited<ReturnType<typeof buildPages>>
let folder: string

beforeAll(async () => {
  pages = await buildPages('{}')
  folder = await mkdtemp(join(tmpdir(), 'lightproof-hostile-'))
  await writeFile(join(folder, 'index.html'), hostile)
})

afterAll(async () => {
  await pages.remove()
  await rm(folder, { recursive: true, force: true })
})

inEveryEngine((lab) => {
  test('a hostile frame gets no answer, and puts none before the shell', async () => {
    const page = await lab.serve(pages.folder)
    // Of another site, so that engines give the frame a process of its own.
    const frame = (await lab.serve(folder)).url.replace('127.0.0.1', 'localhost')
    const engine = lab.engine()
    await engine.open(`${page.url}/bridge.html?frame=${encodeURIComponent(`${frame}/`)}`)
    await engine.waitFor('window.report !== undefined')
    const report = (await engine.evaluate('window.report')) as BridgeReport
    // Three messages came from nowhere, or this test would show nothing.
    expect(report.sources.filter((hasSource) => !hasSource)).toHaveLength(3)
    expect(report).toMatchObject({ shell: ['first', 'last'], frame: [] })
    expect(await consoleErrors(engine)).toEqual([])
  })
})
