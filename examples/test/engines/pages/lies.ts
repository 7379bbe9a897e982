/** Asks nodes that lie, one lie after the other, as the test calls for them. */

import * as lightproof from 'lightproof'
import { balanceproofs } from 'lightproof/balanceproofs'
import * as cole from 'lightproof/cole'
import { lmpt } from 'lightproof/lmpt'
import { lvmt } from 'lightproof/lvmt'
import { verkle } from 'lightproof/verkle'
import {
  type LyingNode,
  nothingYet,
  type Package,
  questionsOf,
} from '../../../../sdk/test/support/lied.js'
import type { Ready } from '../../../../sdk/test/support/liveNode.js'
import type { TallyJson } from '../../../../sdk/test/support/tally.js'
import { publish } from './publish.js'

/** What came of one lie. */
export interface LieOutcome {
  readonly alone: TallyJson
  readonly beside: TallyJson
}

/** Once the page can be called: the questions that an honest node has answered. */
export interface LiesReport {
  readonly names: readonly string[]
}

declare global {
  interface Window {
    attack?: (lie: LyingNode) => Promise<LieOutcome>
  }
}

publish(run())

async function run(): Promise<LiesReport> {
  const honest = JSON.parse(document.getElementById('vectors')?.textContent ?? '') as Ready
  // Sound: the same package, as it is built for pages.
  const using = { ...lightproof, ...cole, lmpt, lvmt, verkle, balanceproofs } as unknown as Package
  const questions = await questionsOf(using, honest)
  window.attack = async (lie) => {
    const outcome = nothingYet()
    await questions.attack(lie, outcome)
    return { alone: outcome.alone.toJSON(), beside: outcome.beside.toJSON() }
  }
  return { names: questions.names }
}
