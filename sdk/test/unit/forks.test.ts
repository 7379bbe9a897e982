/** The built-in tables of forks: which rules begin where, and that Rust's tests have the same. */

import { readFileSync } from 'node:fs'
import { decodeRlp, toUtf8String } from 'ethers'
import { describe, expect, test } from 'vitest'
import { toHex } from '../../src/encoding/hex.js'
import { hoodi, mainnet, sepolia } from '../../src/entry/node.js'
import { encodeForks } from '../../src/evm/forks.js'

type Entry = readonly [rules: string, start: string, at: number, blobFraction: number]

/** A chain's table, as the core gets it. */
function tableOf(chain: Parameters<typeof encodeForks>[0]): Entry[] {
  const entries = decodeRlp(toHex(encodeForks(chain))) as string[][]
  const number = (hex = '0x'): number => (hex === '0x' ? 0 : Number(hex))
  return entries.map(([rules = '0x', start = '0x', at, fraction]) => [
    toUtf8String(rules),
    toUtf8String(start),
    number(at),
    number(fraction),
  ])
}

/** The last entry that has begun. */
function rulesAt(table: readonly Entry[], block: number, time: number): string {
  const begun = table.filter(([, start, at]) => (start === 'block' ? block : time) >= at)
  const [rules, , , fraction] = begun.at(-1) ?? ['none', '', 0, 0]
  return fraction === 0 ? rules : `${rules} ${fraction}`
}

const [CANCUN, PRAGUE, BPO1, BPO2] = [3_338_477, 5_007_716, 8_346_193, 11_684_671]

/** Blocks and times of activation, and the rules from there on. */
const BY_BLOCK: readonly (readonly [number, string])[] = [
  [4_370_000, 'byzantium'],
  [7_280_000, 'petersburg'],
  [9_069_000, 'istanbul'],
  [12_244_000, 'berlin'],
  [12_965_000, 'london'],
  [15_537_394, 'paris'],
]
const BY_TIME: readonly (readonly [
  string,
  typeof mainnet,
  readonly (readonly [number, string])[],
])[] = [
  [
    'mainnet',
    mainnet,
    [
      [0, 'paris'],
      [1_681_338_455, 'shanghai'],
      [1_710_338_135, `cancun ${CANCUN}`],
      [1_746_612_311, `prague ${PRAGUE}`],
      [1_764_798_551, `osaka ${PRAGUE}`],
      [1_765_290_071, `osaka ${BPO1}`],
      [1_767_747_671, `osaka ${BPO2}`],
    ],
  ],
  [
    'sepolia',
    sepolia,
    [
      [0, 'paris'],
      [1_677_557_088, 'shanghai'],
      [1_706_655_072, `cancun ${CANCUN}`],
      [1_741_159_776, `prague ${PRAGUE}`],
      [1_760_427_360, `osaka ${PRAGUE}`],
      [1_761_017_184, `osaka ${BPO1}`],
      [1_761_607_008, `osaka ${BPO2}`],
      [1_791_294_816, `amsterdam ${BPO2}`],
    ],
  ],
  [
    'hoodi',
    hoodi,
    [
      [0, `cancun ${CANCUN}`],
      [1_742_999_832, `prague ${PRAGUE}`],
      [1_761_677_592, `osaka ${PRAGUE}`],
      [1_762_365_720, `osaka ${BPO1}`],
      [1_762_955_544, `osaka ${BPO2}`],
    ],
  ],
]

describe.each(BY_TIME)('%s', (name, chain, times) => {
  const table = tableOf(chain)
  // Beyond every fork by block.
  const BLOCK = 20_000_000

  test('the rules change at each time, and not a second before', () => {
    for (const [i, [time, rules]] of times.entries()) {
      expect(rulesAt(table, BLOCK, time)).toBe(rules)
      const before = times[i - 1]
      if (before !== undefined) expect(rulesAt(table, BLOCK, time - 1)).toBe(before[1])
    }
    // There is no entry beside these.
    expect(table.filter(([, start]) => start === 'time')).toHaveLength(times.length - 1)
  })

  test('the table is that of the tests in Rust', () => {
    const path = new URL('../../../wasm/evm/tests/reference/common.rs', import.meta.url)
    const [, text = ''] =
      readFileSync(path, 'utf8').match(
        new RegExp(`const ${name.toUpperCase()}: &\\[Entry\\] = &\\[(.*?)\\];`, 's'),
      ) ?? []
    const fractions: Record<string, number> = { CANCUN, PRAGUE, BPO1, BPO2 }
    const entries = [...text.matchAll(/\("(\w+)", "(\w+)", ([\d_]+), (\w+)\)/g)].map(
      ([, rules, start, at = '', fraction = '']) => [
        rules,
        start,
        Number(at.replaceAll('_', '')),
        fractions[fraction] ?? Number(fraction),
      ],
    )
    expect(entries).toEqual(table)
  })
})

test('mainnet: the rules change at each block, and not a block before', () => {
  const table = tableOf(mainnet)
  for (const [i, [block, rules]] of BY_BLOCK.entries()) {
    expect(rulesAt(table, block, 0)).toBe(rules)
    expect(rulesAt(table, block - 1, 0)).toBe(BY_BLOCK[i - 1]?.[1] ?? 'none')
  }
  expect(table.filter(([, start]) => start === 'block')).toHaveLength(BY_BLOCK.length)
})

test('sepolia: the merge was block 1,450,409', () => {
  const table = tableOf(sepolia)
  expect([rulesAt(table, 1_450_408, 0), rulesAt(table, 1_450_409, 0)]).toEqual(['london', 'paris'])
})
