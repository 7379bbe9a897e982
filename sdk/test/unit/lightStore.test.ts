/** What a saved light client may say of the header that vouches for its committee. */

import { expect, test } from 'vitest'
import type { Hash } from '../../src/encoding/input.js'
import { mainnet, memoryStore } from '../../src/entry/node.js'
import type { LightClient, LightState } from '../../src/light/handle.js'
import { restore } from '../../src/light/keep.js'
import type { Light } from '../../src/light/light.js'
import { encodeSaved, savedKey } from '../../src/light/saved.js'

const CHECKPOINT = `0x${'11'.repeat(32)}` as Hash
const HANDOVER = `0x${'22'.repeat(32)}` as Hash

/**
 * Restores a store with this anchor, of which the core says whether its committee is that of the
 * next period.
 */
async function restored(anchor: Hash, anchorOfNext: boolean) {
  const store = memoryStore()
  await store.save(
    savedKey(mainnet, CHECKPOINT),
    encodeSaved(CHECKPOINT, anchor, 1n, Uint8Array.of(1)),
  )
  const light = { chain: mainnet, checkpoint: CHECKPOINT, store } as unknown as Light
  const state = { anchorRoot: anchor, anchorOfNext } as LightState
  const client = { import: () => Promise.resolve(state) } as unknown as LightClient
  const warnings: unknown[] = []
  await restore(light, client, {
    signal: new AbortController().signal,
    emit: (event) => void (event.type === 'warning' && warnings.push(event.error)),
  })
  return { state: light.state, warnings, kept: await store.load(savedKey(mainnet, CHECKPOINT)) }
}

test('default: the checkpoint vouches for its own committee, a handover for the next one', async () => {
  expect((await restored(CHECKPOINT, false)).state).toBeDefined()
  expect((await restored(HANDOVER, true)).state).toBeDefined()
})

test.each([
  ['a header that is only signed, as if it were a checkpoint', HANDOVER, false],
  ['a checkpoint that hands over', CHECKPOINT, true],
])('error: %s', async (_, anchor, ofNext) => {
  const { state, warnings, kept } = await restored(anchor, ofNext)
  expect(state).toBeUndefined()
  expect(warnings).toMatchObject([{ code: 'verify.committee' }])
  expect(kept).toBeUndefined()
})
