/**
 * A beacon node that lies, in what it says and in how it sends it: alone, where a client holds
 * headers of the real chain or refuses with a code; beside an honest one, where it comes to the
 * newest header.
 */

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { LIES } from '../../src/cli/lies.js'
import {
  type Client,
  createClient,
  type Invalid,
  sync,
  verifyProofFile,
} from '../../src/entry/node.js'
import { type Script, serveBeacon } from '../support/beacon.js'
import { timeOf, updatedChains } from '../support/syncChain.js'

type Synced = Awaited<ReturnType<typeof sync>>
type Mutation = readonly [name: string, script: () => Script]

describe.each(updatedChains())('a hostile beacon node, %s', (named, world) => {
  const { chain, checkpoint, steps, forcedAt, bootstrap, updates, script } = world

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] })
    vi.setSystemTime(timeOf(world, steps[forcedAt]))
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  function clientOf(beacons: readonly string[], timeoutMs = 30_000): Client {
    const nodes = ['http://127.0.0.1:1']
    return createClient({
      chain,
      anchor: { checkpoint },
      nodes,
      beacons,
      retries: 0,
      timeoutMs,
      // The chain finalizes nothing for long.
      maxFinalLagSeconds: Number.POSITIVE_INFINITY,
      maxHeadLagSeconds: Number.POSITIVE_INFINITY,
      maxBytes: 2 ** 20,
    })
  }

  const headersOf = (synced: Synced): string =>
    synced.status === 'synced' ? `${synced.finalized.root} ${synced.head.root}` : synced.status

  /** Where an honest node leads that has served so many updates. */
  async function real(count: number): Promise<string> {
    const { url } = await serveBeacon(script(updates.slice(0, count)))
    return headersOf(await sync(clientOf([url])))
  }

  const forms = new Set<string | undefined>()

  /** Anybody comes to the same code by the evidence; how many files there are. */
  async function convict({ error, evidence }: Invalid, name: string): Promise<number> {
    // Of JSON that is no container, and of a list of updates that cannot be split, there are no
    // header's bytes.
    for (const file of evidence) {
      if (file.kind !== 'evidence' || !('steps' in file)) throw new Error('evidence of a proof')
      const read: unknown = JSON.parse(JSON.stringify(file))
      const anchor = { checkpoint: file.checkpoint }
      const again = await verifyProofFile(read, { anchor, chain })
      expect([name, again]).toMatchObject([
        name,
        { status: 'invalid', error: { code: error.code } },
      ])
      forms.add(file.steps.at(-1)?.form)
    }
    return evidence.length
  }

  /** Everything that lies tried, and what came of it. */
  async function run(
    lies: readonly (readonly [name: string, serve: () => Promise<{ readonly url: string }>])[],
    timeoutMs?: number,
  ): Promise<void> {
    const known = new Set<string>()
    for (let count = 0; count <= updates.length; count++) known.add(await real(count))
    const newest = await real(updates.length)
    const wrong: string[] = []
    const codes = new Map<string, number>()
    let refused = 0
    let convicted = 0
    for (const [name, serve] of lies) {
      const alone = await sync(clientOf([(await serve()).url], timeoutMs))
      if (alone.status === 'synced') {
        if (!known.has(headersOf(alone))) wrong.push(`${name}: ${headersOf(alone)}`)
      } else {
        refused++
        if (alone.error.code === 'chain.fork')
          expect([name, alone.status]).toEqual([name, 'unavailable'])
        codes.set(alone.error.code, (codes.get(alone.error.code) ?? 0) + 1)
        if (alone.status === 'invalid') convicted += await convict(alone, name)
      }
      const honest = await serveBeacon(script(updates))
      const beside = await sync(clientOf([(await serve()).url, honest.url], timeoutMs))
      // What a liar holds back is missing, as long as the clock does not tell.
      if (!known.has(headersOf(beside))) wrong.push(`${name}, beside: ${headersOf(beside)}`)
      if (alone.status !== 'synced') expect([name, headersOf(beside)]).toEqual([name, newest])
    }
    const told = `${lies.length} lies, ${refused} refused (${[...codes.keys()].join(', ')})`
    const came = `${convicted} files of evidence, ${wrong.length} wrongly accepted`
    console.log(`beacon node lies, a chain ${named}: ${told}, ${came}`)
    expect(wrong).toEqual([])
  }

  test('error: how it sends', { timeout: 120_000 }, async () => {
    const deliveries = LIES.flatMap(({ name, deliver }) =>
      deliver === undefined ? [] : [[name, () => serveBeacon(script(updates), deliver)] as const],
    )
    expect(deliveries.length).toBeGreaterThan(6)
    // Some say nothing for ever.
    await run(deliveries, 2_000)
  })

  const flipped = (bytes: Uint8Array, at: number): Uint8Array =>
    bytes.map((byte, i) => (i === at % bytes.length ? byte ^ (1 << (at % 8)) : byte))

  /** Places all over the bytes, the same in every run. */
  const places = (bytes: Uint8Array, count: number): number[] =>
    Array.from({ length: count }, (_, i) => Math.floor((bytes.length * (i + 0.37)) / count))

  function mutations(): Mutation[] {
    const [first = new Uint8Array(0), second = new Uint8Array(0)] = updates
    const rest = updates.slice(1)
    const always =
      (body: ReturnType<Script>): (() => Script) =>
      () =>
      () =>
        body
    return [
      ...places(bootstrap, 40).map(
        (at): Mutation => [
          `bootstrap, bit of byte ${at}`,
          () => script(updates, flipped(bootstrap, at)),
        ],
      ),
      ...places(first, 60).map(
        (at): Mutation => [
          `update, bit of byte ${at}`,
          () => script([flipped(first, at), ...rest]),
        ],
      ),
      ['null', always(null as unknown as object)],
      ['a list', always([])],
      ['an empty object', always({})],
      ['numbers for data', always({ version: 7, data: 7 })],
      ['no bytes', always(new Uint8Array(0))],
      ['one byte', always(Uint8Array.of(1))],
      ['zeros', always(new Uint8Array(25_000))],
      ['HTTP 404', always(404)],
      ['HTTP 503', always(503)],
      ['a bootstrap cut short', () => script(updates, bootstrap.subarray(0, -1))],
      ['a bootstrap with a byte more', () => script(updates, Uint8Array.of(...bootstrap, 0))],
      ['an update for a bootstrap', () => script(updates, first)],
      ['a bootstrap for an update', () => script([bootstrap])],
      ['an update cut short', () => script([first.subarray(0, -1), ...rest])],
      ['the first update left out', () => script(rest)],
      ['the first two exchanged', () => script([second, first, ...updates.slice(2)])],
      ['the first update over and over', () => script(Array.from({ length: 300 }, () => first))],
      ['no update', () => script([])],
      ...(['finality', 'optimistic'] as const).map(
        (form): Mutation => [
          `an update for one of form ${form}`,
          () => {
            const silent = script([])
            return (...asked) => (asked[0] === `${form}_update` ? first : silent(...asked))
          },
        ],
      ),
    ]
  }

  /**
   * Headers of forks that nobody knows, or that say so: no lie can be told from a chain that went
   * on.
   */
  function unknownForks(): Mutation[] {
    const named =
      (version: string): (() => Script) =>
      () =>
      (route) =>
        route === 'updates' ? [{ version, data: {} }] : { version, data: {} }
    const silent =
      (form: 'finality' | 'optimistic'): (() => Script) =>
      () => {
        const rest = script([])
        const later = { version: 'heze', data: { attested_header: 1 } }
        return (...asked) => (asked[0] === `${form}_update` ? later : rest(...asked))
      }
    return [
      ['everything of fork heze', named('heze')],
      ['everything of fork gloas', named('gloas')],
      ['a fork named with a line break', named('x\n\u001b[2J')],
      ['a finality update of fork heze', silent('finality')],
      ['an optimistic update of fork heze', silent('optimistic')],
    ]
  }

  test('error: what it says', { timeout: 300_000 }, async () => {
    await run(
      [...mutations(), ...unknownForks()].map(
        ([name, make]) => [name, () => serveBeacon(make())] as const,
      ),
    )
    expect([...forms].sort()).toEqual(['bootstrap', 'finality', 'optimistic', 'update'])
  })
})
