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
  /** Left out, it says so; null: it does not say. */
  readonly finalized?: boolean | null
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
    const { finalized = true } = source
    const said = finalized === null ? {} : { finalized }
    return Response.json({ ...said, data: { root, header } })
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
        { source: 'http://a', operator: 'a', root: TWO },
        { source: 'http://b', operator: 'b', root: TWO },
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
    const dissent = [{ source: 'http://x', operator: 'x', root: LIE }]
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
    for (const finalized of [false, null]) {
      const given = { 'http://a': A, 'http://b': { ...A, finalized } }
      expect(await ask(given, 2)).toMatchObject({
        status: 'disagreed',
        failed: [{ node: 'http://b', code: 'block' }],
      })
    }
  })

  test.each([
    ['https://one.liar.example', 'https://two.liar.example'],
    ['https://liar.example', 'https://a.b.liar.example:8443'],
    ['https://liar.example', 'https://liar.example.'],
    ['http://liar.example', 'https://liar.example'],
    ['http://192.0.2.7:5052', 'http://192.0.2.7:5053'],
    ['http://[2001:db8::7]:5052', 'http://[2001:db8::7]:5053'],
    ['http://127.0.0.1:5052', 'http://localhost:5052'],
  ])('error: %s and %s are one voice', async (one, two) => {
    const [first, second] = [new URL(one).origin, new URL(two).origin]
    const sources = { [first]: LIAR, [second]: LIAR, 'http://honest.example': A }
    const asked = agreeOnCheckpoint({
      sources: [one, two, 'http://honest.example'],
      need: 2,
      fetch: beacons(sources),
    })
    expect(await asked).toMatchObject({ status: 'disagreed' })
    const alone = agreeOnCheckpoint({ sources: [one, two], need: 2, fetch: beacons(sources) })
    await expect(alone).rejects.toMatchObject({
      code: 'input.option',
      argument: 'need',
      message: expect.stringMatching(/^need: is 2, but .* 1 operators.*\{ url, operator \}/),
    })
  })

  test.each([
    ['http://a.example', 'http://b.example2'],
    ['http://127.0.0.1:5052', 'http://127.0.0.1:5053'],
    ['http://192.0.2.7', 'http://192.0.2.8'],
  ])('behavior: %s and %s are two', async (one, two) => {
    const fetch = beacons({ [one]: A, [two]: A })
    const agreed = await agreeOnCheckpoint({ sources: [one, two], need: 2, fetch })
    expect(agreed).toMatchObject({ status: 'agreed', checkpoint: TWO })
  })

  test('behavior: the caller knows better who runs them', async () => {
    const [one, two] = ['http://alice.host.example', 'http://bob.host.example']
    const fetch = beacons({ [one]: A, [two]: A })
    const named = (first: string, second: string) =>
      agreeOnCheckpoint({
        sources: [
          { url: one, operator: first },
          { url: new URL(two), operator: second },
        ],
        need: 2,
        fetch,
      })
    expect(await named('alice', 'bob')).toMatchObject({
      status: 'agreed',
      votes: [{ operator: 'alice' }, { operator: 'bob' }],
    })
    await expect(named('alice', 'alice')).rejects.toMatchObject({ argument: 'need' })
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
    [
      'an operator without a name',
      { sources: [{ url: 'http://a' }], need: 1 },
      'sources[0].operator',
    ],
    [
      'an operator that is a list',
      { sources: [{ url: 'http://a', operator: [] }], need: 1 },
      'sources[0].operator',
    ],
    ['a source with more', { sources: [{ url: 'http://a', operator: 'a', x: 1 }], need: 1 }, 'x'],
  ])('error: %s', async (_, parameters, argument) => {
    const asked = agreeOnCheckpoint(parameters as never)
    await expect(asked).rejects.toMatchObject({ name: 'InputError', argument })
  })
})
