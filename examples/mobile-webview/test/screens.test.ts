/** The page's own screen at phone width, in light and dark. */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { builtExample } from '../../test/support/build.js'
import { inEveryEngine, type Lab, waitForState } from '../../test/support/engines.js'
import { expectFits, poorContrast, takePicture } from '../../test/support/look.js'
import { deadUrl, fragment, type RunningNode, startNode } from '../../test/support/node.js'
import { openPage } from './page.js'

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

async function expectLegible(lab: Lab, name: string, scheme: string): Promise<void> {
  const engine = lab.engine()
  await expectFits(engine)
  expect(await engine.evaluate(poorContrast)).toEqual([])
  await takePicture(engine, 'mobile-webview', `${name}-${lab.name}-${scheme}`)
}

for (const colorScheme of ['light', 'dark'] as const) {
  inEveryEngine(
    (lab) => {
      const ask = async (url: string, address: string) => {
        await openPage(lab, folder, fragment(node, { node: url }))
        await lab.engine().type('#address', address)
        await lab.engine().click('button')
      }

      test.each([
        ['present', 'eoa', () => node.url, 'present', 'Proven'],
        ['absent', 'absent', () => node.url, 'absent', 'Proven absent'],
        ['invalid', 'eoa', () => liar.url, 'invalid', 'The node’s answer is false'],
        ['unreachable', 'eoa', () => dead, 'unavailable', 'No answer that could be checked'],
      ] as const)('%s fits and is legible', async (name, kind, url, state, title) => {
        await ask(url(), node.sample(kind).address)
        await waitForState(lab.engine(), state)
        expect(await lab.engine().text('#result h2')).toContain(title)
        await expectLegible(lab, name, colorScheme)
      })

      test('the proposal of a link fits and is legible', async () => {
        await openPage(lab, folder, fragment(node))
        await lab
          .engine()
          .evaluate(`location.hash = ${JSON.stringify(fragment(node, { node: dead }))}`)
        await waitForState(lab.engine(), 'proposed')
        await expectLegible(lab, 'proposed', colorScheme)
      })

      test('bad input fits and is legible', async () => {
        await ask(node.url, '0x12')
        await lab.engine().waitFor("document.querySelector('[aria-invalid=true]') !== null")
        expect(await lab.engine().text('#problem')).toMatch(/^address: .*"0x12"/)
        await expectLegible(lab, 'bad-input', colorScheme)
      })
    },
    { colorScheme, viewport: { width: 390, height: 844 } },
  )
}
