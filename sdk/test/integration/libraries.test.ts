/**
 * The flows of viem and of ethers in Node.js, beside a live geth: read, write, wait and watch, with
 * calls proven.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import '../../src/entry/node.js'
import { isFinal } from '../../src/entry/eip1193.js'
import { codesOf } from './pages/codes.js'
import { type DappWorld, startDappWorld } from './support/dapp.js'
import { FLOWS } from './support/flows.js'
import { type Followers, followers } from './support/following.js'

let world: DappWorld
let all: Followers

beforeAll(async () => {
  world = await startDappWorld()
  all = followers(world.geth.url)
})
afterAll(async () => {
  all?.stop()
  await world?.stop()
})

describe.each(['viem', 'ethers'] as const)('%s', (name) => {
  test.each([
    ['an honest node', false],
    ['a lying node beside an honest one', true],
  ])('behavior: %s', async (_, isBeside) => {
    const { liar, geth, friend, owner } = world
    const client = await all.of(isBeside ? [liar.url, geth.url] : [geth.url])
    const before = await world.balanceOf(friend)
    const held = await world.heldBy(owner)
    const seen = await FLOWS[name](client, world)
    expect(seen).toMatchObject({ before, after: before + 10n ** 18n, held, status: 'success' })
    expect(new Set(seen.heard)).toEqual(new Set([7n]))
  })

  test('invalid: the liar alone is refused, finally', async () => {
    const client = await all.of([world.liar.url])
    const error = await FLOWS[name](client, world).then(
      (seen) => new Error(`believed: ${seen.before}`),
      (thrown: unknown) => thrown,
    )
    expect(codesOf(error), String(error)).toContain(-32070)
    expect(isFinal(error)).toBe(true)
  })
})
