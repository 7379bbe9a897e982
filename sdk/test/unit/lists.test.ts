/**
 * Lists that nodes or chains make long: none becomes the arguments of a call, of which engines take
 * some 100,000.
 */

import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test, vi } from 'vitest'
import type { Client } from '../../src/client/client.js'
import { LogFollower } from '../../src/ethereum/blocks/logNews.js'
import '../../src/entry/node.js'

const MANY = 200_000
/** What the follower is told of, look after look; and how many logs each block has. */
const looks: { added: { hash: string }[]; removed: { hash: string }[] }[] = []

vi.mock('../../src/actions/follow.js', () => ({
  follow: () => async () => ({ status: 'present', value: looks.shift(), trust: {} }),
}))
vi.mock('../../src/ethereum/blocks/getLogs.js', () => ({
  searchBlock: async () => ({ status: 'present', value: Array.from({ length: MANY }, () => ({})) }),
}))

test('behavior: logs of a block, 200,000 of them, come and are taken back', async () => {
  const block = { hash: '0x01' }
  looks.push({ added: [block], removed: [] }, { added: [], removed: [block] })
  const follower = new LogFollower({} as Client, {}, undefined)
  for (const removed of [false, true]) {
    const news = await follower.next()
    const logs = news.status === 'present' ? news.value : []
    expect([logs.length, logs[0], logs.at(-1)]).toEqual([MANY, { removed }, { removed }])
  }
})

test('default: no source of the package spreads a list into push or unshift', () => {
  const source = fileURLToPath(new URL('../../src', import.meta.url))
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  const own = files.filter((file) => file.endsWith('.ts') && !/\.test(-d)?\.ts$/.test(file))
  expect(own.length).toBeGreaterThan(200)
  const spread = own.filter((file) =>
    /\b(push|unshift|concat)\(\s*\.\.\./.test(readFileSync(`${source}/${file}`, 'utf8')),
  )
  expect(spread).toEqual([])
})
