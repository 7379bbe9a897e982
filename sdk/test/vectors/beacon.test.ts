/**
 * A beacon node's answers through the SDK, from a checkpoint to proven accounts: those of a chain of
 * our own by mainnet's rules, and mainnet's, where the reference vectors are.
 */

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  type ClientOptions,
  createClient,
  getAccount,
  getBalance,
  getBlock,
  getStorage,
  mainnet,
  memoryStore,
  proven,
  type SyncEvent,
  sync,
} from '../../src/entry/node.js'
import {
  type Answer,
  chunksOf,
  finalityOf,
  HAS_VECTORS,
  type Recorded,
  readBytes,
  readJson,
  replay,
  rootOf,
  type Script,
  serveBeacon,
  WANTED,
} from '../support/beacon.js'
import {
  executionOf,
  mainnetRecordings,
  ownChain,
  ownRecording,
  type Recording,
  slotOf,
} from '../support/recordings.js'
import { scriptedFetch } from '../support/rpc.js'

const ANY_LAG = {
  maxFinalLagSeconds: Number.POSITIVE_INFINITY,
  maxHeadLagSeconds: Number.POSITIVE_INFINITY,
} as const
const DEFAULT_LAG = {
  maxFinalLagSeconds: undefined,
  maxHeadLagSeconds: undefined,
} as unknown as typeof ANY_LAG

/** Seconds since 1970 of a slot. */
const timeOf = (slot: number): number => 1_606_824_023 + slot * 12
const setClock = (seconds: number): void => {
  vi.setSystemTime(seconds * 1000)
}

const PERIOD = 8192

/** A recording with a finality update, and what follows from it. */
interface World {
  readonly name: string
  readonly data: Recording & { readonly finality: Answer }
  /** Slots of the checkpoint, of the final block and of the newest one. */
  readonly pinned: number
  readonly final: number
  readonly head: number
  /** Period of the newest block, and how many updates there are up to it. */
  readonly period: number
  readonly updates: number
  /** Over the fork from Deneb to Electra: updates in both forms, and the clock. */
  readonly seam: Omit<Recorded, 'updates'> & {
    readonly forms: readonly Recorded['updates'][]
    readonly now: number
  }
}

type Ways = Recording & { readonly finality: Answer }

function worldOf(data: Ways, seam: World['seam']): World {
  const { finality } = data
  const [pinned, head] = [slotOf(data.bootstrap), slotOf(data.optimistic)]
  const { finalized_header } = finality.data as unknown as {
    finalized_header: { beacon: { slot: string } }
  }
  const final = Math.max(pinned, Number(finalized_header.beacon.slot))
  const period = Math.floor(head / PERIOD)
  const updates = period - data.first + 1
  return { name: data.name, data, pinned, final, head, period, updates, seam }
}

/** Ours, which has a finality update of the day, and leads over the fork itself. */
function own(): World {
  const { finality, ...rest } = ownRecording()
  if (finality === undefined) throw new Error('beacon.json has no finality update')
  const data = { ...rest, finality }
  const forms = [data.updates, chunksOf(data.stream ?? new Uint8Array(0))]
  return worldOf(data, { ...data, forms, now: timeOf(slotOf(data.optimistic) + 2) })
}

/** Mainnet's of period 1347, as JSON: its one update is the finality update too. */
function recorded(): World[] {
  const found = mainnetRecordings().find(({ executed: [{ block }] }) => block !== undefined)
  if (found === undefined) return []
  const updates: Answer[] = readJson('mainnet-deneb-1347/updates_1347_1348.json')
  const [first] = updates
  const folder = 'mainnet-deneb-electra-1421'
  const over: Answer[] = readJson(`${folder}/updates_1421_1422.json`)
  const last = over[1]
  if (first === undefined || last === undefined) throw new Error('no update')
  const seam = {
    bootstrap: readJson(`${folder}/bootstrap_1421_deneb.json`) as Answer,
    forms: [over, chunksOf(readBytes(`${folder}/updates_1421_1422.ssz`))],
    first: 1421,
    finality: finalityOf(last),
    optimistic: readJson(`${folder}/optimistic_11658782.json`) as Answer,
    now: timeOf(11_658_784),
  }
  return [worldOf({ ...found, updates: [first], finality: finalityOf(first) }, seam)]
}

/** Beacon nodes over HTTP, the execution node scripted. */
async function clientAt(
  recording: Recording,
  scripts: readonly Script[],
  options: Partial<ClientOptions>,
) {
  const { checkpoint } = recording
  const servers = await Promise.all(scripts.map((script) => serveBeacon(script)))
  const { fetch: rpc } = scriptedFetch({ 'http://n1': executionOf(recording) })
  const client = createClient({
    chain: mainnet,
    anchor: { checkpoint },
    nodes: ['http://n1'],
    beacons: servers.map(({ url }) => url),
    retries: 0,
    // Of what was recorded on mainnet the final headers are hours behind the signed ones.
    ...ANY_LAG,
    fetch: (input, init) =>
      String(input).startsWith('http://n1') ? rpc(input, init) : fetch(input, init),
    ...options,
  })
  return { client, servers }
}

test.skipIf(HAS_VECTORS || WANTED === undefined)('no reference vectors', () => {
  throw new Error(`LIGHTPROOF_REFERENCE_VECTORS names ${WANTED}, which is not there`)
})

test('the chain of our own is by the rules of mainnet', () => {
  const { kind, chainId, genesisHash, consensus } = mainnet
  expect(ownChain()).toEqual({ kind, chainId, genesisHash, consensus })
})

describe.each([own(), ...recorded()])('light-client answers, $name', (world) => {
  const { data, pinned, final, head, period } = world
  const { checkpoint } = data
  const NOW = timeOf(head + 2)
  const { block, proofs } = data.executed[0]
  const [{ address, balance } = { address: '0x', balance: '0x0' }] = proofs
  const clientOf = (scripts: readonly Script[], options: Partial<ClientOptions> = {}) =>
    clientAt(data, scripts, options)

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] })
    setClock(NOW)
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  test('default: from the checkpoint to a proven balance', async () => {
    const { client, servers } = await clientOf([replay(data)])
    const result = await getBalance(client, { address, at: 'head' })
    expect(proven(result)).toBe(BigInt(balance))
    expect(result).toMatchObject({
      status: 'present',
      trust: {
        block: {
          number: BigInt(block?.number ?? 0),
          timestamp: BigInt(timeOf(head)),
          ageSeconds: 24,
        },
        finality: 'head',
        anchor: { kind: 'checkpoint', hash: checkpoint },
        headLagSeconds: 24,
        participation: { of: 512 },
        tried: [],
      },
    })
    expect(servers[0]?.asked).toEqual([
      `bootstrap/${checkpoint}`,
      `updates?start_period=${data.first}&count=${world.updates}`,
      'finality_update',
      'optimistic_update',
    ])
  })

  test('default: what the model says of every account and slot, of the head and of the final block', async () => {
    const { client } = await clientOf([replay(data)])
    for (const [i, { proofs, facts = [] }] of data.executed.entries()) {
      const at = i === 0 ? 'head' : 'finalized'
      for (const [j, { account, slots }] of facts.entries()) {
        const { status, ...fields } = account
        const address = proofs[j]?.address ?? ''
        const value = Object.fromEntries(
          Object.entries(fields).map(([name, field]) => {
            return [name, name.endsWith('Hash') ? field : BigInt(field)]
          }),
        )
        const shown = await getAccount(client, { address, at })
        expect(shown).toMatchObject(status === 'present' ? { status, value } : { status })
        for (const { key: slot, status, value = '0x0' } of slots) {
          const shown = await getStorage(client, { address, slot, at })
          expect(shown).toMatchObject({ status, value: BigInt(value) })
        }
      }
    }
  })

  test('error: a proof of another block, of another account, or with another claim', async () => {
    const [{ block, proofs }] = data.executed
    const [first] = proofs
    const other = ownRecording().executed.at(-1)?.proofs ?? []
    if (first === undefined) throw new Error('no proof')
    for (const [code, proof] of [
      ['verify.root', { ...first, accountProof: other[0]?.accountProof ?? [] }],
      ['verify.merkle', { ...first, address: `0x${'11'.repeat(20)}` as const }],
      ['verify.claim', { ...first, nonce: '0x7777' as const }],
    ] as const) {
      const executed = [{ block, proofs: [proof] }] as const
      const { client } = await clientAt({ ...data, executed }, [replay(data)], {})
      const { address } = proof
      const result = await getBalance(client, { address, at: 'head' })
      expect([code, result]).toMatchObject([code, { status: 'invalid', error: { code } }])
    }
  })

  test('default: sync tells its progress and what is known then', async () => {
    const { client } = await clientOf([replay(data)])
    const events: SyncEvent[] = []
    const synced = await sync(client, { onProgress: (event) => events.push(event) })
    expect(synced).toMatchObject({
      status: 'synced',
      period: BigInt(period),
      head: { slot: BigInt(head), block: { number: BigInt(block?.number ?? 0) } },
      // Mainnet's update finalizes nothing newer than the checkpoint.
      finalized: { slot: BigInt(final), participation: final === pinned ? null : { of: 512 } },
      anchor: { kind: 'checkpoint', hash: checkpoint, ageSeconds: NOW - timeOf(pinned) },
      finalLagSeconds: NOW - timeOf(final),
      headLagSeconds: 24,
      forced: false,
    })
    const progress = events.filter((event) => event.type === 'progress')
    expect(progress.map(({ phase }) => phase)).toEqual([
      'bootstrap',
      'updates',
      ...data.updates.map(() => 'updates'),
      'newest',
    ])
    expect(progress.at(-1)).toMatchObject({ period, periods: period })
    const proofs = events.filter((event) => event.type === 'proof')
    expect(proofs[0]?.proof).toMatchObject({ form: 'bootstrap', pinned: checkpoint })
    expect(proofs[1]?.proof.form).toBe('update')
    expect(proofs.at(-1)?.proof.form).toBe('optimistic')
  })

  test('behavior: many actions at once sync once; none within a slot', async () => {
    const { client, servers } = await clientOf([replay(data)])
    const ask = () => getBlock(client, { block: 'head' })
    const [one, two] = await Promise.all([ask(), ask(), ask()])
    expect(proven(one)).toEqual(proven(two))
    await ask()
    expect(servers[0]?.asked).toHaveLength(4)
    setClock(NOW + 13)
    await ask()
    expect(servers[0]?.asked.slice(4)).toEqual(['finality_update', 'optimistic_update'])
  })

  test('behavior: every period, by SSZ and in pages', async () => {
    const { first } = data
    const updates = chunksOf(data.stream ?? new Uint8Array(0))
    const page = updates.length > 32 ? 32 : 2
    const next = first + updates.length
    setClock(timeOf(next * PERIOD + 500))
    const script = replay({ bootstrap: data.bootstrap, updates, first })
    const anchor = { checkpoint, maxAgeSeconds: Number.POSITIVE_INFINITY }
    const { client, servers } = await clientOf([script], { anchor, maxBytes: page * 65_536 })
    const synced = await sync(client)
    expect(synced).toMatchObject({ status: 'synced', period: BigInt(next - 1), tried: [] })
    expect(synced).toHaveProperty('finalized.participation.of', 512)
    expect(servers[0]?.asked.filter((route) => route.startsWith('updates'))).toEqual([
      `updates?start_period=${first}&count=${page}`,
      `updates?start_period=${first + page}&count=${next + 1 - first - page}`,
      `updates?start_period=${next}&count=1`,
    ])
  })

  test('behavior: over the fork from Deneb to Electra', async () => {
    const { bootstrap, forms, now, ...rest } = world.seam
    setClock(now)
    for (const updates of forms) {
      const script = replay({ bootstrap, updates, ...rest })
      const { client } = await clientOf([script], { anchor: { checkpoint: rootOf(bootstrap) } })
      expect(await sync(client)).toMatchObject({ status: 'synced', period: 1422n })
    }
  })

  test('behavior: a store takes the place of the bootstrap', async () => {
    const store = memoryStore()
    const first = await clientOf([replay(data)], { store })
    await sync(first.client)
    const { client, servers } = await clientOf([replay(data)], { store })
    expect(await sync(client)).toMatchObject({
      status: 'synced',
      anchor: { ageSeconds: NOW - timeOf(pinned) },
    })
    expect(servers[0]?.asked).toEqual(['finality_update', 'optimistic_update'])
  })

  test('error: a damaged or forged store is dropped, with a warning', async () => {
    const kept = new Map<string, Uint8Array>()
    const store = {
      load: async (key: string) => kept.get(key),
      save: async (key: string, bytes: Uint8Array) => void kept.set(key, bytes),
      remove: async (key: string) => void kept.delete(key),
    }
    await sync((await clientOf([replay(data)], { store })).client)
    const [[key, whole] = ['', new Uint8Array(0)]] = kept
    expect(whole.length).toBeLessThan(56_000 + 97)
    for (const at of [0, 5, 40, 200, whole.length - 60]) {
      const forged = whole.map((byte, i) => (i === at ? byte ^ 1 : byte))
      for (const bytes of [forged, whole.slice(0, at)]) {
        kept.set(key, bytes)
        const events: SyncEvent[] = []
        const { client, servers } = await clientOf([replay(data)], { store })
        const synced = await sync(client, { onProgress: (event) => events.push(event) })
        expect(synced.status).toBe('synced')
        const [warning] = events.filter(({ type }) => type === 'warning')
        expect(warning).toMatchObject({ type: 'warning', code: 'store.damaged' })
        // What is kept now is what was proven anew.
        const keptNow = events.find((event) => event.type === 'kept')
        expect(keptNow?.proof.form).toBe('import')
        expect(servers[0]?.asked[0]).toBe(`bootstrap/${checkpoint}`)
      }
    }
  })

  test('error: a checkpoint that nobody knows', async () => {
    const { client } = await clientOf([replay(data)], {
      anchor: { checkpoint: `0x${'11'.repeat(32)}` },
    })
    expect(await sync(client)).toMatchObject({
      status: 'unavailable',
      error: { code: 'checkpoint' },
    })
  })

  test('error: a bootstrap of another checkpoint', async () => {
    const lie: Script = (route, query, request) =>
      route.startsWith('bootstrap/') ? data.bootstrap : replay(data)(route, query, request)
    const { client, servers } = await clientOf([lie], {
      anchor: { checkpoint: `0x${'11'.repeat(32)}` },
    })
    const balance = await getBalance(client, { address })
    expect(balance).toMatchObject({
      status: 'invalid',
      error: { code: 'verify.checkpoint', node: servers[0]?.url },
    })
  })

  test('behavior: a lying beacon is named, and the next one asked', async () => {
    const optimistic = structuredClone(data.optimistic)
    const header = optimistic?.data['attested_header'] as unknown as { beacon: { slot: string } }
    header.beacon.slot = String(head - 1)
    const liar = replay({ ...data, optimistic: optimistic ?? data.bootstrap })
    const { client, servers } = await clientOf([liar, () => 503, replay(data)])
    const tried = [
      { node: servers[0]?.url, code: expect.stringMatching(/^verify\./) },
      { node: servers[1]?.url, code: 'transport.status' },
    ]
    expect(await sync(client)).toMatchObject({ status: 'synced', tried })
    const result = await getBalance(client, { address, at: 'head' })
    expect(result).toMatchObject({ status: 'present', trust: { tried } })
  })

  test('error: SSZ that ends too early', async () => {
    const stream = data.stream?.slice(0, 20_000)
    const cut: Script = (route, query, request) =>
      route === 'updates' ? stream : replay(data)(route, query, request)
    const short: Script = (route, query, request) =>
      route === 'finality_update' ? stream : replay(data)(route, query, request)
    for (const script of [cut, short]) {
      const { client } = await clientOf([script])
      expect(await sync(client)).toMatchObject({ status: 'invalid', error: { code: 'decode.ssz' } })
    }
  })

  test.each([
    ['a version that is no name', (json: Answer) => ({ ...json, version: 5 })],
    ['no data', ({ version }: Answer) => ({ version })],
    ['a JSON number', (json: Answer) => ({ ...json, data: { ...json.data, signature_slot: 1 } })],
    [
      'a short branch',
      (json: Answer) => ({ ...json, data: { ...json.data, finality_branch: [] } }),
    ],
  ])('error: JSON with %s', async (_, change) => {
    const finality = data.finality && (change(data.finality) as Answer)
    const { client } = await clientOf([replay({ ...data, ...(finality && { finality }) })])
    const error = { code: 'decode.response' }
    expect(await sync(client)).toMatchObject({ status: 'invalid', error })
  })

  test('error: a checkpoint that is too old', async () => {
    setClock(timeOf(pinned) + 14 * 24 * 3600 + 1)
    const { client } = await clientOf([replay(data), replay(data)])
    const refusal = { status: 'unavailable', error: { code: 'expired' } }
    expect(await sync(client)).toMatchObject(refusal)
    expect(await getBalance(client, { address })).toMatchObject(refusal)
    const anchor = { checkpoint, maxAgeSeconds: 30 * 24 * 3600 }
    const willing = await clientOf([replay(data)], { anchor })
    expect(await getBlock(willing.client, { block: 'head' })).toMatchObject({ status: 'present' })
  })

  test('error: a clock that is behind the checkpoint', async () => {
    setClock(timeOf(pinned - 656))
    const { client } = await clientOf([replay(data)])
    expect(await sync(client)).toMatchObject({ status: 'unavailable', error: { code: 'clock' } })
  })

  test('error: a clock that is behind the head refuses the head alone', async () => {
    setClock(timeOf(final + 1))
    const { client, servers } = await clientOf([replay(data)])
    const tried = [{ node: servers[0]?.url, code: 'clock' }]
    expect(await sync(client)).toMatchObject({
      status: 'synced',
      finalized: { slot: BigInt(final) },
      tried,
    })
    const head = await getBlock(client, { block: 'head' })
    expect(head).toMatchObject({ status: 'unavailable', error: { code: 'clock' } })
  })

  test('error: a head too far behind', async () => {
    const { client } = await clientOf([replay(data)], { maxHeadLagSeconds: 20 })
    const refusal = { status: 'unavailable', error: { code: 'stale' } }
    expect(await sync(client)).toMatchObject(refusal)
    expect(await getBlock(client, { block: 'head' })).toMatchObject(refusal)
  })

  test('error: by default nothing is answered from a final block that is 14 hours old', async () => {
    const update = data.updates.at(-1)
    if (update === undefined || update instanceof Uint8Array) throw new Error('no JSON')
    const old = replay({ ...data, finality: finalityOf(update) })
    const { client } = await clientOf([old], DEFAULT_LAG)
    const refusal = { status: 'unavailable', error: { code: 'stale' } }
    expect(await sync(client)).toMatchObject(refusal)
    expect(await getBalance(client, { address })).toMatchObject(refusal)
    const result = await getBalance(client, { address, at: 'head' })
    expect(result).toMatchObject({ status: 'present' })
    // Thirteen days later nobody has heard of a newer head.
    setClock(NOW + 13 * 24 * 3600)
    const late = await getBalance(client, { address, at: 'head' })
    expect(late).toMatchObject(refusal)
  })

  test('behavior: without its beacons a client goes on, and says how old its head is', async () => {
    let isDown = false
    const script = replay(data)
    const down: Script = (...request) => (isDown ? 503 : script(...request))
    const { client, servers } = await clientOf([down])
    await sync(client)
    isDown = true
    setClock(NOW + 600)
    expect(await sync(client)).toMatchObject({ status: 'unavailable' })
    const before = servers[0]?.asked.length
    expect(await getBlock(client, { block: 'head' })).toMatchObject({
      status: 'present',
      trust: {
        headLagSeconds: 624,
        tried: [{ node: servers[0]?.url, code: 'transport.status' }],
      },
    })
    expect(servers[0]?.asked).toHaveLength(before ?? 0)
  })

  test('behavior: an aborted wait leaves the sync to those who still want it', async () => {
    const { client } = await clientOf([replay(data)])
    const abort = new AbortController()
    const reason = new Error('enough')
    const left = sync(client, {
      signal: abort.signal,
      onProgress: () => abort.abort(reason),
    })
    const stayed = sync(client)
    await expect(left).rejects.toBe(reason)
    expect(await stayed).toMatchObject({ status: 'synced' })
  })

  test('behavior: the last one to leave stops it', async () => {
    const { client, servers } = await clientOf([replay(data)])
    const abort = new AbortController()
    const reason = new Error('enough')
    const onProgress = (): void => abort.abort(reason)
    await expect(sync(client, { signal: abort.signal, onProgress })).rejects.toBe(reason)
    expect(servers[0]?.asked ?? []).not.toContain('finality_update')
    expect(await sync(client)).toMatchObject({ status: 'synced' })
  })
})
