/** Every state of the page as it looks: on phones and desktops, in light and dark. */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { builtExample, screenshotPath } from '../../test/support/build.js'
import { poorContrast } from '../../test/support/contrast.js'
import { inEveryEngine, type Lab, openLink, waitForState } from '../../test/support/engines.js'
import { deadUrl, fragment, type RunningNode, startNode } from '../../test/support/node.js'

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

/** Nothing is wider than the screen, and all text has enough contrast. */
async function expectPresentable(lab: Lab, name: string, scheme: string): Promise<void> {
  const engine = lab.engine()
  for (const width of [320, 390, 1280]) {
    await engine.setViewport(width, 900)
    const overflow = await engine.evaluate('document.documentElement.scrollWidth - innerWidth')
    expect(overflow, `overflow at ${width} px`).toBeLessThanOrEqual(0)
    const height = Number(await engine.evaluate('document.documentElement.scrollHeight'))
    await engine.setViewport(width, Math.min(Math.max(height, 844), 4200))
    const file = `${name}-${lab.name}-${scheme}-${width}`
    await engine.screenshot(screenshotPath('explorer', file))
  }
  expect(await engine.evaluate(poorContrast)).toEqual([])
}

for (const scheme of ['light', 'dark'] as const) {
  inEveryEngine(
    (lab) => {
      const open = async (settings: Readonly<Record<string, string>>) => {
        const { url } = await lab.serve(folder)
        await openLink(lab.engine(), `${url}/${fragment(node, settings)}`)
      }

      test.each([
        ['empty', 'idle', () => ({})],
        ['present', 'present', () => ({ address: node.sample('eoa').address })],
        [
          'checkpoint',
          'present',
          () => ({
            address: node.sample('eoa').address,
            trust: 'checkpoint',
            anchor: node.checkpoint.hash,
          }),
        ],
        ['absent', 'absent', () => ({ address: node.sample('absent').address })],
        [
          'invalid',
          'invalid',
          () => ({ address: node.sample('eoa').address, node: `${node.url}/lie/claim-balance` }),
        ],
        ['unreachable', 'unavailable', () => ({ address: node.sample('eoa').address, node: dead })],
      ] as const)('%s fits and is legible', async (name, state, settings) => {
        await open(settings())
        await waitForState(lab.engine(), state)
        await expectPresentable(lab, name, scheme)
      })

      const drawn = ['mpt', 'lmpt', 'lvmt', 'verkle', 'cole', 'balanceproofs'] as const
      // One engine draws them all; the others show that they draw as it does.
      test.each(drawn.filter((system) => lab.name === 'chromium' || system === 'cole'))(
        '%s, drawn and compared, fits and is legible',
        async (system) => {
          const { address, slots } = node.sample('contract')
          const question = { address, slot: slots[0] ?? '', positions: '0-9, 100-140', from: '0' }
          await open({ system, ...question })
          await lab.engine().waitFor("document.getElementById('compare') !== null")
          await lab.engine().click('#compare')
          await lab.engine().waitFor("document.querySelectorAll('[data-system]').length === 6")
          await expectPresentable(lab, `drawn-${system}`, scheme)
        },
      )

      test('a broken drawing fits and is legible', async () => {
        const { address, slots } = node.sample('contract')
        await open({ address, slot: slots[0] ?? '' })
        await lab.engine().waitFor("document.getElementById('flip') !== null")
        await lab.engine().click('#flip')
        await waitForState(lab.engine(), 'invalid')
        await lab.engine().waitFor("document.getElementById('honest') !== null")
        await expectPresentable(lab, 'broken', scheme)
      })

      test('the proposal of a link fits and is legible', async () => {
        const { url } = await lab.serve(folder)
        const proposed = { trust: 'checkpoint', address: node.sample('eoa').address }
        await lab.engine().open(`${url}/${fragment(node, proposed)}`)
        await waitForState(lab.engine(), 'proposed')
        await expectPresentable(lab, 'proposed', scheme)
      })

      test('bad input fits and is legible', async () => {
        await open({ address: node.sample('eoa').address, anchor: '0x12' })
        await lab.engine().waitFor("document.querySelector('[aria-invalid=true]') !== null")
        await expectPresentable(lab, 'bad-input', scheme)
      })
    },
    { colorScheme: scheme },
  )
}
