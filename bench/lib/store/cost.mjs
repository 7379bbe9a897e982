/** What a state of any size would take in a store, and cost. */

/** @typedef {import('./growth.mjs').Rung} Rung */

/** Keys of the state that is reckoned on paper. */
const PAPER = 1e9
/** Dollars of S3's standard class, by its list of prices: a GB and month, a put, a get. */
const PRICES = { gigabyte: 0.023, put: 0.005 / 1_000, get: 0.0004 / 1_000 }
/** Blocks of a month, one each 12 seconds. */
const MONTH = (30 * 86_400) / 12

/**
 * A figure at a size, if it grows with each decade of keys as it did over the last one: paths of
 * trees grow by the logarithm of the keys.
 *
 * @param {readonly Rung[]} rungs of one system, ascending
 * @param {(rung: Rung) => number} of
 * @param {number} keys
 */
export function byDecade(rungs, of, keys) {
  const [before, last] = rungs.slice(-2)
  if (before === undefined) throw new Error('no sizes were measured')
  if (last === undefined) return of(before)
  const slope = (of(last) - of(before)) / Math.log10(last.keys / before.keys)
  return Math.max(0, of(last) + slope * Math.log10(keys / last.keys))
}

/**
 * What a system's state of {@link PAPER} keys would take and cost.
 *
 * @param {readonly Rung[]} rungs of one system, ascending
 */
export function onPaper(rungs) {
  const last = rungs.at(-1)
  if (last === undefined) throw new Error('no sizes were measured')
  // What is stored grows with the keys.
  const stored = (last.stored / last.keys) * PAPER
  const puts = byDecade(rungs, ({ puts: count }) => count, PAPER)
  const gets = byDecade(rungs, ({ gets: count }) => count, PAPER)
  const proofs = byDecade(rungs, ({ thousandGets }) => thousandGets, PAPER)
  return {
    stored,
    puts,
    gets,
    proofs,
    storage: (stored / 1e9) * PRICES.gigabyte,
    blocks: MONTH * (puts * PRICES.put + gets * PRICES.get),
    thousand: proofs * PRICES.get,
  }
}

const whole = (/** @type {number} */ value) => Math.round(value).toLocaleString('en')
const tenths = (/** @type {number} */ value) => value.toFixed(1)

/** @param {readonly (readonly string[])[]} rows of which the first is the head */
function markdown([head = [], ...rows]) {
  const line = (/** @type {readonly string[]} */ cells) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map((_, i) => (i === 0 ? '---' : '---:'))), ...rows.map(line)].join(
    '\n',
  )
}

/**
 * The table of bench/README.md.
 *
 * @param {readonly { place: string, rungs: readonly Rung[] }[]} measured
 */
export function growthTable(measured) {
  const head = [
    ...['state in a store', 'bytes a key, stored', 'bytes a key, sent'],
    ...['puts a block', 'gets a block', 'a new reader: gets', 'its first proof: gets, rounds'],
    'gets of 1,000 proofs',
  ]
  const rows = measured.flatMap(({ rungs }) => [
    ...rungs.map((rung) => [
      `${rung.system}, ${whole(rung.keys)} keys`,
      whole(rung.stored / rung.keys),
      whole(rung.written),
      tenths(rung.puts),
      tenths(rung.gets),
      whole(rung.readyGets),
      `${whole(rung.firstGets)}, ${whole(rung.firstRounds)}`,
      whole(rung.thousandGets),
    ]),
  ])
  const paperHead = [
    ...['on paper, 1,000,000,000 keys', 'stored, GB', 'storage, $ a month'],
    ...['puts and gets a block', 'blocks, $ a month', 'gets of 1,000 proofs', '$ for 1,000 proofs'],
  ]
  const paper = measured.map(({ rungs }) => {
    const { stored, puts, gets, proofs, storage, blocks, thousand } = onPaper(rungs)
    return [
      rungs[0]?.system ?? '',
      whole(stored / 1e9),
      whole(storage),
      `${tenths(puts)}, ${tenths(gets)}`,
      whole(blocks),
      whole(proofs),
      thousand.toFixed(4),
    ]
  })
  const places = measured.map(({ place, rungs }) => `${rungs[0]?.system}: ${place}`).join('; ')
  return [
    `Commits and machine: ${places}.`,
    markdown([head, ...rows]),
    markdown([paperHead, ...paper]),
  ].join('\n\n')
}
