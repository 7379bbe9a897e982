/** The report in its three forms. */

import { expect, test } from 'vitest'
import { intoReadme, toMarkdown, toMarkdownOf, toText } from '../lib/tables.mjs'

/** @type {import('../lib/types.js').Report} */
const report = {
  schema: 1,
  commit: '0123456789ab',
  machine: '2 × cpu',
  node: 'v20.19.0',
  load: 1,
  titles: { cases: { a: 'an account' }, engines: { ours: 'lightproof', theirs: 'another' } },
  rows: [
    { case: 'a', engine: 'ours', medianUs: 34.2, runs: 100, proofBytes: 3700, ratioToOurs: null },
    { case: 'a', engine: 'theirs', medianUs: 1234, runs: 100, proofBytes: 3700, ratioToOurs: 36.1 },
  ],
  sizes: [{ name: 'module hash', raw: 60_000, gzip: 25_000, brotli: 22_000 }],
}

test('text: a row per case, a column per engine', () => {
  const text = toText(report)
  expect(text).toContain('an account  3,700  34.2 µs     1.2 ms (36.1×)')
  expect(text).toContain('Commit 0123456789ab, Node v20.19.0, 2 × cpu, load 1.0.')
})

test('markdown: tables that name commit and machine', () => {
  const text = toMarkdown(report)
  expect(text).toContain('| an account | 3,700 | 34.2 µs | 1.2 ms (36.1×) |')
  expect(text).toContain('| module hash | 60,000 | 25,000 | 22,000 |')
  expect(text).toContain('Commit 0123456789ab, Node v20.19.0, 2 × cpu, load 1.0.')
})

test('readme: only what is between the markers changes', () => {
  const readme = 'before\n<!-- bench:start -->\nold\n<!-- bench:end -->\nafter\n'
  const expected = 'before\n<!-- bench:start -->\nnew\n<!-- bench:end -->\nafter\n'
  expect(intoReadme(readme, 'new')).toBe(expected)
  expect(intoReadme(expected, 'new')).toBe(expected)
})

test('a system that measures by itself has a table and markers of its own', () => {
  /** @type {import('../lib/types.js').Report} */
  const both = {
    ...report,
    titles: { ...report.titles, systems: { own: { title: 'what', about: 'So measured.' } } },
    rows: [...report.rows, ...report.rows.map((row) => ({ ...row, system: 'own', case: 'b' }))],
  }
  expect(toMarkdown(both)).toBe(toMarkdown(report))
  expect(toMarkdownOf(both, 'own')).toContain('| what | bytes | lightproof |')
  expect(toMarkdownOf(both, 'own')).toContain('So measured.')
  const readme = '<!-- bench:own:start --><!-- bench:own:end -->'
  expect(intoReadme(readme, 'new', 'own')).toContain('\nnew\n')
  expect(() => intoReadme(readme, 'new')).toThrow('bench:start')
})

test('what another structure’s proofs have stands beside the bytes', () => {
  /** @type {import('../lib/types.js').Report} */
  const beside = {
    ...report,
    titles: { ...report.titles, systems: { own: { title: 'what', about: '', peer: 'Merkle' } } },
    rows: report.rows.map((row) => ({ ...row, system: 'own', peerBytes: 4480 })),
  }
  expect(toMarkdownOf(beside, 'own')).toContain('| what | bytes | Merkle | lightproof |')
  expect(toMarkdownOf(beside, 'own')).toContain('| an account | 3,700 | 4,480 | 34.2 µs |')
})

test('error: a readme without markers', () => {
  expect(() => intoReadme('nothing here', 'new')).toThrow('bench:start')
})
