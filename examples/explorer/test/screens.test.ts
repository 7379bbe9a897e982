/** Every state of the page as it looks: on phones and desktops, in light and dark. */

import { afterAll, beforeAll, test } from 'vitest'
import { builtExample } from '../../test/support/build.js'
import { inEveryEngine, type Lab, openLink, waitForState } from '../../test/support/engines.js'
import { expectPresentable } from '../../test/support/look.js'
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

async function expectLegible(lab: Lab, name: string, scheme: string): Promise<void> {
  const widths = [320, 390, 1280]
  await expectPresentable(lab.engine(), widths, 'explorer', `${name}-${lab.name}-${scheme}`)
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
        await expectLegible(lab, name, scheme)
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
          await expectLegible(lab, `drawn-${system}`, scheme)
        },
      )

      test('a broken drawing fits and is legible', async () => {
        const { address, slots } = node.sample('contract')
        await open({ address, slot: slots[0] ?? '' })
        await lab.engine().waitFor("document.getElementById('flip') !== null")
        await lab.engine().click('#flip')
        await waitForState(lab.engine(), 'invalid')
        await lab.engine().waitFor("document.getElementById('honest') !== null")
        await expectLegible(lab, 'broken', scheme)
      })

      test('the proposal of a link fits and is legible', async () => {
        const { url } = await lab.serve(folder)
        const proposed = { trust: 'checkpoint', address: node.sample('eoa').address }
        await lab.engine().open(`${url}/${fragment(node, proposed)}`)
        await waitForState(lab.engine(), 'proposed')
        await expectLegible(lab, 'proposed', scheme)
      })

      test('bad input fits and is legible', async () => {
        await open({ address: node.sample('eoa').address, anchor: '0x12' })
        await lab.engine().waitFor("document.querySelector('[aria-invalid=true]') !== null")
        await expectLegible(lab, 'bad-input', scheme)
      })
    },
    { colorScheme: scheme },
  )
}
