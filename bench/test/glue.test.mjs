/** Whose memory a handle points to. */

import { expect, test } from 'vitest'
import { startModule } from '../lib/glue.mjs'

test('a module is started once, beside the one that the SDK started', async () => {
  const glue = await startModule('mpt')
  expect(await startModule('mpt')).toBe(glue)
  const entry = import.meta.resolve('lightproof')
  expect(await import(new URL('../generated/mpt.js', entry).href)).not.toBe(glue)
})
