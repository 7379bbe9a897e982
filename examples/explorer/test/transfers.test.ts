/** Transfers: what logs and versions come to, and the page as it looks. */

import type { BlockLog } from 'lightproof/blocks'
import type { History } from 'lightproof/cole'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { builtExample } from '../../test/support/build.js'
import { consoleErrors, inEveryEngine, openLink, waitForState } from '../../test/support/engines.js'
import { expectPresentable } from '../../test/support/look.js'
import { fragment, type RunningNode, startNode } from '../../test/support/node.js'
import {
  eventFilters,
  inOrder,
  rowsOf,
  type Transfer,
  transferOf,
} from '../src/history/transfers.js'

const [ME, OTHER, TOKEN] = ['aa', 'bb', 'cc'].map((byte) => `0x${byte.repeat(20)}`) as [
  string,
  string,
  string,
]
const word = (hex: string) => `0x${hex.slice(2).padStart(64, '0')}` as `0x${string}`
const moving = (block: bigint, index: number, from: string, to: string, amount: bigint) => ({
  block,
  index,
  token: TOKEN,
  from,
  to,
  amount,
})
const history = (
  versions: readonly (readonly [bigint, bigint])[],
  predecessor: History['predecessor'] = { status: 'none' },
): History => ({
  fromBlock: 0n,
  toBlock: 9n,
  complete: true,
  predecessor,
  versions: versions.map(([block, value]) => ({ block, value: word(`0x${value.toString(16)}`) })),
})

test('the filters name the account in one place each, and take nothing but an address', () => {
  const [from, to] = eventFilters(ME)
  expect(from?.[1].slice(1)).toEqual([word(ME)])
  expect(to?.[1].slice(1)).toEqual([null, word(ME)])
  expect(() => eventFilters('0x12')).toThrow('expected 0x and 40 hex digits')
})

test('a log of a transfer; those of other forms are none', () => {
  const [[, [event]] = ['', []]] = eventFilters(ME)
  const log = {
    blockNumber: 3n,
    logIndex: 2,
    address: TOKEN,
    topics: [event, word(ME), word(OTHER)],
    data: word('0x05'),
  } as unknown as BlockLog
  expect(transferOf(log)).toEqual([moving(3n, 2, ME, OTHER, 5n)])
  expect(transferOf({ ...log, data: '0x' })).toEqual([])
  expect(transferOf({ ...log, topics: [...log.topics, ...log.topics] })).toEqual([])
})

test('rows agree where the balance is what it was, and the transfers', () => {
  const moves: readonly Transfer[] = inOrder([
    moving(5n, 1, ME, OTHER, 3n),
    moving(2n, 0, OTHER, ME, 10n),
    moving(5n, 0, ME, ME, 4n),
    // Found from the account and to it.
    moving(5n, 0, ME, ME, 4n),
  ])
  expect(moves).toHaveLength(3)
  const rows = (cole: History | undefined) =>
    rowsOf(ME.toUpperCase().replace('0X', '0x'), moves, cole).map(
      ({ block, change, balance, isEqual }) => [block, change, balance, isEqual],
    )
  expect(
    rows(
      history([
        [2n, 10n],
        [5n, 7n],
      ]),
    ),
  ).toEqual([
    [2n, 10n, 10n, true],
    [5n, -3n, 7n, true],
  ])
  // Nothing was written though something moved; something was written though nothing moved.
  expect(
    rows(
      history([
        [2n, 10n],
        [7n, 8n],
      ]),
    ),
  ).toEqual([
    [2n, 10n, 10n, true],
    [5n, -3n, undefined, false],
    [7n, 0n, 8n, false],
  ])
  const before = { status: 'proven', block: 1n, value: word('0x01') } as const
  expect(
    rows(
      history(
        [
          [2n, 11n],
          [5n, 8n],
        ],
        before,
      ),
    ).map(([, , , is]) => is),
  ).toEqual([true, true])
  const untold = history(
    [
      [2n, 11n],
      [5n, 8n],
    ],
    { status: 'notProven' },
  )
  expect(rows(untold).map(([, , , is]) => is)).toEqual([undefined, true])
  expect(rows(undefined).map(([, , , is]) => is)).toEqual([undefined, undefined])
})

let folder: string
let node: RunningNode

beforeAll(async () => {
  folder = builtExample('explorer')
  node = await startNode()
})

afterAll(() => node.stop())

inEveryEngine((lab) => {
  const open = async (question: Readonly<Record<string, string>> = {}): Promise<void> => {
    const { address, slots } = node.sample('contract')
    const { url } = await lab.serve(folder)
    const asked = { system: 'transfers', address: ME, token: address, slot: slots[0] ?? '' }
    await openLink(lab.engine(), `${url}/${fragment(node, { ...asked, ...question })}`)
  }

  test('by COLE alone on a chain that follows none, legible at every width', async () => {
    await open()
    const engine = lab.engine()
    await waitForState(engine, 'present')
    expect(await engine.text('#by-cole')).toMatch(/Requests\s+[1-9]/)
    expect(await engine.text('#transfers thead')).toMatch(/^Block\s+Balance after\s*$/)
    expect(await engine.evaluate("document.getElementById('by-logs')")).toBeFalsy()
    await expectPresentable(engine, [320, 1280], 'explorer', `transfers-${lab.name}`)
    expect(await consoleErrors(engine)).toEqual([])
  })

  test.each([
    ['slot', ''],
    ['token', ''],
    ['token', '0x12'],
    ['from', 'x'],
    ['to', '-1'],
  ])('a mistake is shown at %s', async (field, value) => {
    await open({ [field]: value })
    await lab.engine().waitFor(`document.getElementById('${field}').ariaInvalid === 'true'`)
  })
})
