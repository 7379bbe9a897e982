/**
 * What proofs were made of, kept in IndexedDB in each engine: at the next visit of a page no node
 * is asked for them.
 */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { consoleErrors, inEveryEngine } from '../support/engines.js'
import { type RunningNode, startNode } from '../support/node.js'
import type { KeptQuestion, KeptReport } from './pages/kept.js'
import { buildPages } from './pages.js'

let node: RunningNode
let pages: Awaited<ReturnType<typeof buildPages>>

beforeAll(async () => {
  node = await startNode()
  const { address } = node.sample('contract')
  const { url, genesisHash, consensus, head } = node
  const block = head.hash
  const question: KeptQuestion = { node: url, genesisHash, consensus, block, address }
  pages = await buildPages(JSON.stringify(question))
})

afterAll(async () => {
  await pages.remove()
  await node.stop()
})

inEveryEngine((lab) => {
  test('what an account of one block needs is fetched at the first of two visits', async () => {
    const { url } = await lab.serve(pages.folder)
    const engine = lab.engine()
    const reports: unknown[] = []
    for (const _ of ['first', 'second']) {
      await engine.open(`${url}/kept.html`)
      await engine.waitFor('window.report !== undefined')
      reports.push(await engine.evaluate('window.report'))
      expect(await consoleErrors(engine)).toEqual([])
    }
    const first: KeptReport = {
      // The nonce is in the proof of the balance; the code comes with another.
      served: [new URL(node.url).origin, 'cache', new URL(node.url).origin],
      fetched: 2,
    }
    const second: KeptReport = { served: ['cache', 'cache', 'cache'], fetched: 0 }
    expect(reports).toEqual([first, second])
  })
})
