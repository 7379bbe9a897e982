/** The chain of an application that pushed its blocks, in a page: every system proves its state. */

import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findEngine } from '../../../scripts/engines/find.mjs'
import { launch } from '../../../scripts/engines/launch.mjs'
import {
  balanceOf,
  HELD,
  HOLDERS,
  LAST,
  type PushedChain,
  startPushedChain,
  TOKEN,
  word,
} from '../support/pushedChain.js'
import type { AttestedQuestions } from './pages/attested.js'
import { servePages } from './support/pages.js'

let pushed: PushedChain

beforeAll(async () => {
  pushed = await startPushedChain()
})
afterAll(() => pushed?.stop())

const isHere = findEngine('chromium').status === 'found'
if (!isHere) console.log('SKIPPED: a pushed chain in a page, without chromium')

test.skipIf(!isHere && process.env['CI'] !== 'true')(
  'behavior: what an application pushed, by every system in chromium',
  async () => {
    const { chain, nodes } = pushed
    const asked: AttestedQuestions = {
      chain,
      node: nodes[0] ?? '',
      accounts: HOLDERS,
      key: { address: TOKEN, slot: '0x1' },
      at: LAST,
    }
    const pages = await servePages(['attested'])
    const engine = await launch('chromium')
    try {
      await engine.open(`${pages.url}/attested.html#${encodeURIComponent(JSON.stringify(asked))}`)
      const isDone = () => engine.evaluate('window.seen !== undefined')
      while ((await isDone()) !== true) await setTimeout(200)
      const one = { value: word(HELD.at(-1) ?? 0n), attestedBy: { of: 3 } }
      expect(JSON.parse(String(await engine.evaluate('window.seen')))).toMatchObject({
        balance: { value: String(balanceOf(0)), attestedBy: { of: 3 } },
        slots: { lmpt: one, lvmt: one, verkle: one },
        history: HELD.map((value, i) => [String(i + 1), word(value)]),
        balances: { value: HOLDERS.map((_, i) => String(balanceOf(i))), attestedBy: { of: 3 } },
      })
    } finally {
      await engine.close()
      await pages.close()
    }
  },
)
