/**
 * The store in IndexedDB in each engine: what a wallet proved is there after a restart of the page.
 */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { consoleErrors, inEveryEngine } from '../support/engines.js'
import type { StoreReport } from './pages/store.js'
import { buildPages } from './pages.js'

let pages: Awaited<ReturnType<typeof buildPages>>

beforeAll(async () => {
  pages = await buildPages('{}')
})

afterAll(() => pages.remove())

inEveryEngine((lab) => {
  test('bytes are kept, replaced, removed, and there at the next visit', async () => {
    const { url } = await lab.serve(pages.folder)
    const engine = lab.engine()
    for (const before of ['nothing', '[1,2,3]']) {
      await engine.open(`${url}/store.html`)
      await engine.waitFor('window.report !== undefined')
      const report = (await engine.evaluate('window.report')) as StoreReport
      expect(report).toEqual({
        before,
        steps: {
          saved: 'all of it',
          'opened anew': 'all of it',
          'another database': 'nothing',
          'replaced by a view': '[3,4,5]',
          empty: '[]',
          removed: 'nothing',
          'eight at once': '[7]',
          'the database deleted meanwhile': 'nothing',
          'saved again': '[1,2,3]',
        },
      })
      expect(await consoleErrors(engine)).toEqual([])
    }
  })
})
