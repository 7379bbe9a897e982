import { describe, expect, test } from 'vitest'
import { agreeOnCheckpoint } from '../../src/entry/node.js'
import { honest, makeChain } from '../support/chain.js'
import { scriptedFetch } from '../support/rpc.js'

const ONE = `0x${'11'.repeat(32)}`
const TWO = `0x${'22'.repeat(32)}`
const LIE = `0x${'66'.repeat(32)}`

interface Source {
  /** Slot of the newest final block. */
  readonly newest: number
  readonly roots: Readonly<Record<number, string>>
  readonly finalized?: boolean
}

/** Beacon nodes by origin; others cannot be reached. */
function beacons(sources: Readonly<Record<string, Source>>): typeof globalThis.fetch {
  return async (input) => {
    const { origin, pathname } = new URL(String(input))
    const source = sources[origin]
    if (source === undefined) throw new TypeError('fetch failed')
    const id = pathname.replace('/eth/v1/beacon/headers/', '')
    const slot = id === 'finalized' ? source.newest : Number(id)
    const root = source.roots[slot]
    if (root === undefined) return new Response('{}', { status: 404 })
    const header = { message: { slot: String(slot) } }
    return Response.json({ finalized: source.finalized ?? true, data: { root, header } })
  }
}

const A: Source = { newest: 64, roots: { 32: ONE, 64: TWO } }
const BEHIND: Source = { newest: 32, roots: { 32: ONE } }
const LIAR: Source = { newest: 64, roots: { 32: LIE, 64: LIE } }
const ask = (given: Readonly<Record<string, Source>>, need: number, more: string[] = []) =>
  agreeOnCheckpoint({
    sources: [...Object.keys(given), ...more],
    need,
    fetch: beacons(given),
  })

describe('agreeOnCheckpoint', () => {
  test('default: the newest root that enough sources name', async () => {
    expect(await ask({ 'http://a': A, 'http://b': A, 'http://c': BEHIND }, 2)).toEqual({
      status: 'agreed',
      checkpoint: TWO,
      slot: 64n,
      votes: [
        { source: 'http://a', root: TWO },
        { source: 'http://b', root: TWO },
      ],
      dissent: [],
      failed: [{ node: 'http://c', code: 'block' }],
    })
  })

  test('behavior: one that is behind is asked about its own slot', async () => {
    const agreed = await ask({ 'http://a': A, 'http://c': BEHIND }, 2)
    expect(agreed).toMatchObject({ status: 'agreed', checkpoint: ONE, slot: 32n, failed: [] })
  })

  test('behavior: dissent is reported', async () => {
    const agreed = await ask({ 'http://a': A, 'http://b': A, 'http://x': LIAR }, 2)
    const dissent = [{ source: 'http://x', root: LIE }]
    expect(agreed).toMatchObject({ status: 'agreed', checkpoint: TWO, dissent })
  })

  test('error: no root with enough votes, or two, is no agreement', async () => {
    const given = { 'http://a': A, 'http://x': LIAR }
    for (const need of [1, 2]) {
      expect(await ask(given, need)).toMatchObject({
        status: 'disagreed',
        answers: [{ slot: 64n, votes: [{ root: TWO }, { root: LIE }] }],
      })
    }
    const off = await ask({ 'http://a': A }, 2, ['http://off'])
    const failed = [{ node: 'http://off', code: 'transport.network' }]
    expect(off).toMatchObject({ status: 'disagreed', failed })
  })

  test('error: a block that is not final there is no vote', async () => {
    const given = { 'http://a': A, 'http://b': { ...A, finalized: false } }
    expect(await ask(given, 2)).toMatchObject({ status: 'disagreed' })
  })

  test('behavior: devnet nodes', async () => {
    const chain = makeChain(6)
    const other = makeChain(6)
    const short = { ...chain, head: chain.at(3) }
    const nodes = { 'http://a': honest(chain), 'http://b': honest(short) }
    const agreed = await agreeOnCheckpoint({
      chain: other.chain,
      sources: Object.keys(nodes),
      need: 2,
      fetch: scriptedFetch(nodes).fetch,
    })
    expect(agreed).toMatchObject({ status: 'agreed', checkpoint: chain.head.hash, slot: 5n })
  })

  test.each([
    ['no sources', { sources: [], need: 1 }, 'sources'],
    ['one voice twice', { sources: ['http://a/x', 'http://a/y'], need: 1 }, 'sources[1]'],
    ['a need for more', { sources: ['http://a'], need: 2 }, 'need'],
    ['no need', { sources: ['http://a'] }, 'need'],
  ])('error: %s', async (_, parameters, argument) => {
    const asked = agreeOnCheckpoint(parameters as never)
    await expect(asked).rejects.toMatchObject({ name: 'InputError', argument })
  })
})
