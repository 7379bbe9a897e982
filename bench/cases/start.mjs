/** First balances, from the navigation or from the import on, and what they wait for. */

import { engineNames, findEngine } from '../../scripts/engines/find.mjs'
import { serveOneBlock } from '../../scripts/lib/oneBlock.mjs'
import { startInNode, startInPages } from '../firstProof/measure.mjs'
import { STEPS } from '../firstProof/watch.mjs'

/** @typedef {import('../lib/types.js').Row} Row */
/** @typedef {import('../firstProof/measure.mjs').Start} Start */

/** Each start takes a process or two pages. Odd: one of them is the median. */
const MAX_ROUNDS = 11

/** @type {Record<import('../firstProof/watch.mjs').Step, string>} */
const TITLES = {
  program: 'of it, until the program runs',
  fetch: 'of it, until the module is fetched',
  compile: 'of it, until the module is compiled',
  answers: 'of it, until the node has answered',
  proof: 'of it, until the balance is proven',
}

/** @type {import('../lib/types.js').OwnSuite} */
export const suite = {
  system: 'start',
  title: 'first balance',
  about:
    'Milliseconds by the clock, to a proven balance from a pinned block and a node beside it: in ' +
    'a page from the navigation on, in Node.js from the import on. Cold: an origin that the ' +
    'browser has not seen; warm: its second page, with the files in the browser’s cache. Median ' +
    'starts, in brackets the least. The parts are those of the median start, and sum up to it: ' +
    'a step that runs beside an earlier one counts only for what it takes longer.',
  async run({ rounds, log }) {
    return measureStarts({ rounds: Math.min(rounds, MAX_ROUNDS), log })
  },
}

/** @param {{ rounds: number, log: (line: string) => void }} options */
export async function measureStarts({ rounds, log }) {
  /** @type {[id: string, title: string, starts: Start[]][]} */
  const columns = []
  const node = await serveOneBlock()
  try {
    for (const name of engineNames.filter((one) => findEngine(one).status === 'found')) {
      log(`start: ${name}`)
      const [{ cold = [], warm = [] } = {}] = await startInPages(name, node, rounds)
      columns.push([`${name}-cold`, `${name}, cold`, cold], [`${name}-warm`, `${name}, warm`, warm])
    }
    log('start: Node.js')
    /** @type {Start[]} */
    const starts = []
    for (let round = 0; round < rounds; round++) starts.push(await startInNode(node))
    columns.push(['node', 'Node.js', starts])
  } finally {
    node.close()
  }
  return {
    rows: columns.flatMap(([id, , starts]) => rowsOf(id, starts)),
    titles: {
      cases: {
        'start-whole': 'navigation or import to the first balance',
        ...Object.fromEntries(STEPS.map((step) => [`start-${step}`, TITLES[step]])),
      },
      engines: Object.fromEntries(columns.map(([id, title]) => [id, title])),
    },
  }
}

/**
 * @param {string} engine
 * @param {readonly Start[]} starts
 * @returns {Row[]}
 */
function rowsOf(engine, starts) {
  const sorted = [...starts].sort((a, b) => a.whole - b.whole)
  const [least, median] = [sorted[0], sorted[sorted.length >> 1]]
  if (least === undefined || median === undefined) throw new Error(`${engine}: no start`)
  const row = (/** @type {string} */ step, /** @type {number} */ ms, note = '') => ({
    ...{ system: 'start', case: `start-${step}`, engine, medianUs: ms * 1000 },
    ...{ shown: `${ms.toFixed(0)} ms${note}`, runs: starts.length },
    ...{ proofBytes: 0, ratioToOurs: null },
  })
  return [
    row('whole', median.whole, ` (${least.whole.toFixed(0)})`),
    ...STEPS.map((step) => row(step, median.parts[step])),
  ]
}
