/** The pictures of all systems: what stands in them, and that it can be read. */

import { readFileSync } from 'node:fs'
import { systems } from 'lightproof/systems'
import { describe, expect, test } from 'vitest'
import { at } from '../../scripts/lib/repo.mjs'
import { layout, overlap } from '../lib/plotLayout.mjs'
import { figuresIn, plots } from '../lib/plots.mjs'

const readme = readFileSync(at('bench/README.md'), 'utf8')
const figures = figuresIn(readme)
/** Transactions and receipts have no keys. */
const KEYED = systems.filter(({ name }) => name !== 'body')

describe.each([1, 100])('of %i keys', (keys) => {
  const own = figures.filter((figure) => figure.keys === keys)
  const [file = '', svg = ''] = plots(readme).find(([name]) => name.includes(`-${keys}.`)) ?? []

  test('default: every system is there, by name', () => {
    for (const { name } of KEYED) {
      expect(own.map(({ system }) => system)).toContain(name)
      expect(svg).toMatch(new RegExp(`<text[^>]*>${name}[ <]`))
    }
    const { marks } = layout(own)
    expect(marks).toHaveLength(own.length)
    expect(new Set(marks.map(({ label }) => label)).size).toBe(own.length)
  })

  test('default: the file is what the table gives', () => {
    expect(readFileSync(at(file), 'utf8')).toBe(svg)
  })

  test('behavior: no label is over another one, or over a mark', () => {
    const { marks } = layout(own)
    for (const [i, { box, x, y }] of marks.entries()) {
      for (const [j, other] of marks.entries()) {
        if (i < j) expect(overlap(box, other.box), other.label).toBe(false)
        const mark = { left: x - 4, top: y - 4, right: x + 4, bottom: y + 4 }
        expect(overlap(other.box, mark), other.label).toBe(false)
      }
    }
  })
})

test('default: a row of the table is read with its units', () => {
  const table = [
    '<!-- bench:keys:start -->',
    'Commit 0123456789ab, Node v20.20.2, 2 × cpu, load 1.0.',
    '| all systems | bytes | verify, SDK |',
    '| --- | ---: | ---: |',
    '| 1 key: mpt, plain | 2,335 | 99.7 µs |',
    '| 100 keys: balanceproofs, commit-hinted | 12,297 | 198 ms |',
    'Medians. Quick: 10 rounds.',
    '<!-- bench:keys:end -->',
    '| 1 key: other, plain | 1 | 1 ms |',
  ].join('\n')
  expect(figuresIn(table)).toEqual([
    { keys: 1, system: 'mpt', form: 'plain', bytes: 2335, ms: expect.closeTo(0.0997) },
    { keys: 100, system: 'balanceproofs', form: 'commit-hinted', bytes: 12_297, ms: 198 },
  ])
  expect(plots(table)[0]?.[1]).toContain('Commit 0123456789ab. Quick: 10 rounds.')
})
