/** The proof explorer in one file, at phone width, as an app opens it. */

import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { builtExample } from '../../test/support/build.js'
import { consoleErrors, inEveryEngine, openLink, waitForState } from '../../test/support/engines.js'
import { expectFits, poorContrast, takePicture } from '../../test/support/look.js'
import { fragment, type RunningNode, startNode } from '../../test/support/node.js'

let folder: string
let node: RunningNode

beforeAll(async () => {
  folder = builtExample('mobile-webview')
  node = await startNode()
})

afterAll(async () => {
  await node.stop()
})

inEveryEngine(
  (lab) => {
    test.each(['mpt', 'lvmt', 'verkle'])(
      '%s is proven, drawn, and broken by a byte',
      async (system) => {
        const { address, slots } = node.sample('contract')
        const settings = fragment(node, { system, address, slot: slots[0] ?? '' })
        const engine = lab.engine()
        await engine.open('about:blank')
        await openLink(
          engine,
          pathToFileURL(join(folder, 'lightproof-explorer.html')).href + settings,
        )
        await waitForState(engine, 'present')
        await engine.waitFor("document.getElementById('flip') !== null")
        expect(await engine.text('#why h3')).toBe('How it follows')
        await expectFits(engine)
        expect(await engine.evaluate(poorContrast)).toEqual([])
        await takePicture(engine, 'mobile-webview', `explorer-${system}-${lab.name}`)
        await engine.click('#flip')
        await waitForState(engine, 'invalid')
        await engine.waitFor("document.querySelector('#why .broken') !== null")
        expect(await consoleErrors(engine)).toEqual([])
      },
    )
  },
  { viewport: { width: 390, height: 844 } },
)
