/**
 * Mainnet's recorded light-client answers through the SDK: from a checkpoint to proven accounts.
 */

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  type ClientOptions,
  createClient,
  getBalance,
  getBlock,
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
import { type Methods, scriptedFetch } from '../support/rpc.js'

const ANY_LAG = {
  maxFinalLagSeconds: Number.POSITIVE_INFINITY,
  maxHeadLagSeconds: Number.POSITIVE_INFINITY,
} as const
const DEFAULT_LAG = {
  maxFinalLagSeconds: undefined,
  maxHeadLagSeconds: undefined,
} as unknown as typeof ANY_LAG
const BUILDER = '0x95222290dd7278aa3ddd389cc1e1d165cc4bafe5'

function recorded(): Recorded {
  const folder = 'mainnet-deneb-1347'
  const updates: Answer[] = readJson(`${folder}/updates_1347_1348.json`)
  const [first] = updates
  if (first === undefined) throw new Error('no update')
  return {
    bootstrap: readJson(`${folder}/bootstrap.json`),
    updates: [first],
    first: 1347,
    finality: finalityOf(first),
    optimistic: readJson(`${folder}/optimistic_11038724.json`),
  }
}

/** An execution node that knows the recorded block and its one proof. */
function execution(): Methods {
  const block: { result: { hash: string } } = readJson(
    'mainnet-deneb-1347/eth_getBlockByNumber_0x14d0303.json',
  )
  const proof: { result: unknown } = readJson('mainnet-deneb-1347/eth_getProof_0x14d0303.json')
  return {
    eth_chainId: () => '0x1',
    eth_getBlockByHash: (hash: string) => (hash === block.result.hash ? block.result : null),
    eth_getProof: () => proof.result,
  }
}

/** Beacon nodes over HTTP, the execution node scripted. */
async function clientOf(
  scripts: readonly Script[],
  checkpoint: string,
  options: Partial<ClientOptions> = {},
) {
  const servers = await Promise.all(scripts.map((script) => serveBeacon(script)))
  const { fetch: rpc } = scriptedFetch({ 'http://n1': execution() })
  const client = createClient({
    chain: mainnet,
    anchor: { checkpoint },
    nodes: ['http://n1'],
    beacons: servers.map(({ url }) => url),
    retries: 0,
    // Of what was recorded the final headers are hours behind the signed ones.
    ...ANY_LAG,
    fetch: (input, init) =>
      String(input).startsWith('http://n1') ? rpc(input, init) : fetch(input, init),
    ...options,
  })
  return { client, servers }
}

/** Seconds since 1970 of a slot. */
const timeOf = (slot: number): number => 1_606_824_023 + slot * 12
const setClock = (seconds: number): void => {
  vi.setSystemTime(seconds * 1000)
}

describe('recorded light-client answers', () => {
  if (!HAS_VECTORS) {
    test.skipIf(WANTED === undefined)('no reference vectors', () => {
      throw new Error(`LIGHTPROOF_REFERENCE_VECTORS names ${WANTED}, which is not there`)
    })
    return
  }
  const NOW = timeOf(11_038_726)
  const data = recorded()
  const checkpoint = rootOf(data.bootstrap)

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] })
    setClock(NOW)
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  test('default: from the checkpoint to a proven balance', async () => {
    const { client, servers } = await clientOf([replay(data)], checkpoint)
    const result = await getBalance(client, { address: BUILDER, at: 'head' })
    expect(proven(result)).toBe(0xc3a7420668808f84n)
    expect(result).toMatchObject({
      status: 'present',
      trust: {
        block: { number: 21_824_259n, timestamp: BigInt(timeOf(11_038_724)), ageSeconds: 24 },
        finality: 'head',
        anchor: { kind: 'checkpoint', hash: checkpoint },
        headLagSeconds: 24,
        participation: { of: 512 },
        tried: [],
      },
    })
    expect(servers[0]?.asked).toEqual([
      `bootstrap/${checkpoint}`,
      'updates?start_period=1347&count=1',
      'finality_update',
      'optimistic_update',
    ])
  })

  test('default: sync tells its progress and what is known then', async () => {
    const { client } = await clientOf([replay(data)], checkpoint)
    const events: SyncEvent[] = []
    const synced = await sync(client, { onProgress: (event) => events.push(event) })
    expect(synced).toMatchObject({
      status: 'synced',
      period: 1347n,
      head: { slot: 11_038_724n, block: { number: 21_824_259n } },
      // The first update finalizes the checkpoint itself.
      finalized: { slot: 11_034_656n, participation: null },
      anchor: { kind: 'checkpoint', hash: checkpoint, ageSeconds: NOW - timeOf(11_034_656) },
      finalLagSeconds: NOW - timeOf(11_034_656),
      headLagSeconds: 24,
      forced: false,
    })
    const progress = events.filter((event) => event.type === 'progress')
    expect(progress.map(({ phase }) => phase)).toEqual([
      'bootstrap',
      'updates',
      'updates',
      'newest',
    ])
    expect(progress.at(-1)).toMatchObject({ period: 1347, periods: 1347 })
    const proofs = events.filter((event) => event.type === 'proof')
    expect(proofs[0]?.proof).toMatchObject({ form: 'bootstrap', pinned: checkpoint })
    expect(proofs[1]?.proof.form).toBe('update')
    expect(proofs.at(-1)?.proof.form).toBe('optimistic')
  })

  test('behavior: many actions at once sync once; none within a slot', async () => {
    const { client, servers } = await clientOf([replay(data)], checkpoint)
    const ask = () => getBlock(client, { block: 'head' })
    const [one, two] = await Promise.all([ask(), ask(), ask()])
    expect(proven(one)).toEqual(proven(two))
    await ask()
    expect(servers[0]?.asked).toHaveLength(4)
    setClock(NOW + 13)
    await ask()
    expect(servers[0]?.asked.slice(4)).toEqual(['finality_update', 'optimistic_update'])
  })

  test('behavior: sixty periods, by SSZ and in pages, over sixty days', async () => {
    const stream = chunksOf(readBytes('mainnet-deneb-1347/updates_1347_1406.ssz'))
    setClock(timeOf(11_526_688))
    const script = replay({ bootstrap: data.bootstrap, updates: stream, first: 1347 })
    const anchor = { checkpoint, maxAgeSeconds: Number.POSITIVE_INFINITY }
    const { client, servers } = await clientOf([script], checkpoint, {
      anchor,
      maxBytes: 32 * 65_536,
    })
    const synced = await sync(client)
    expect(synced).toMatchObject({ status: 'synced', period: 1406n, tried: [] })
    expect(synced).toHaveProperty('finalized.participation.of', 512)
    expect(servers[0]?.asked.filter((route) => route.startsWith('updates'))).toEqual([
      'updates?start_period=1347&count=32',
      'updates?start_period=1379&count=29',
      'updates?start_period=1407&count=1',
    ])
  })

  test('behavior: over the fork from Deneb to Electra', async () => {
    const folder = 'mainnet-deneb-electra-1421'
    const bootstrap: Answer = readJson(`${folder}/bootstrap_1421_deneb.json`)
    const updates: Answer[] = readJson(`${folder}/updates_1421_1422.json`)
    const optimistic: Answer = readJson(`${folder}/optimistic_11658782.json`)
    setClock(timeOf(11_658_784))
    for (const form of [updates, chunksOf(readBytes(`${folder}/updates_1421_1422.ssz`))]) {
      const last = updates[1]
      if (last === undefined) throw new Error('no update')
      const script = replay({
        bootstrap,
        updates: form,
        first: 1421,
        finality: finalityOf(last),
        optimistic,
      })
      const { client } = await clientOf([script], rootOf(bootstrap))
      expect(await sync(client)).toMatchObject({ status: 'synced', period: 1422n })
    }
  })

  test('behavior: a store takes the place of the bootstrap', async () => {
    const store = memoryStore()
    const first = await clientOf([replay(data)], checkpoint, { store })
    await sync(first.client)
    const { client, servers } = await clientOf([replay(data)], checkpoint, { store })
    expect(await sync(client)).toMatchObject({
      status: 'synced',
      anchor: { ageSeconds: NOW - timeOf(11_034_656) },
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
    await sync((await clientOf([replay(data)], checkpoint, { store })).client)
    const [[key, whole] = ['', new Uint8Array(0)]] = kept
    expect(whole.length).toBeLessThan(56_000 + 97)
    for (const at of [0, 5, 40, 200, whole.length - 60]) {
      const forged = whole.map((byte, i) => (i === at ? byte ^ 1 : byte))
      for (const bytes of [forged, whole.slice(0, at)]) {
        kept.set(key, bytes)
        const events: SyncEvent[] = []
        const { client, servers } = await clientOf([replay(data)], checkpoint, { store })
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
    const { client } = await clientOf([replay(data)], `0x${'11'.repeat(32)}`)
    expect(await sync(client)).toMatchObject({
      status: 'unavailable',
      error: { code: 'checkpoint' },
    })
  })

  test('error: a bootstrap of another checkpoint', async () => {
    const lie: Script = (route, query, request) =>
      route.startsWith('bootstrap/') ? data.bootstrap : replay(data)(route, query, request)
    const { client, servers } = await clientOf([lie], `0x${'11'.repeat(32)}`)
    const balance = await getBalance(client, { address: BUILDER })
    expect(balance).toMatchObject({
      status: 'invalid',
      error: { code: 'verify.checkpoint', node: servers[0]?.url },
    })
  })

  test('behavior: a lying beacon is named, and the next one asked', async () => {
    const optimistic = structuredClone(data.optimistic)
    const header = optimistic?.data['attested_header'] as unknown as { beacon: { slot: string } }
    header.beacon.slot = '11038723'
    const liar = replay({ ...data, optimistic: optimistic ?? data.bootstrap })
    const { client, servers } = await clientOf([liar, () => 503, replay(data)], checkpoint)
    const tried = [
      { node: servers[0]?.url, code: expect.stringMatching(/^verify\./) },
      { node: servers[1]?.url, code: 'transport.status' },
    ]
    expect(await sync(client)).toMatchObject({ status: 'synced', tried })
    const result = await getBalance(client, { address: BUILDER, at: 'head' })
    expect(result).toMatchObject({ status: 'present', trust: { tried } })
  })

  test('error: SSZ that ends too early', async () => {
    const stream = readBytes('mainnet-deneb-1347/updates_1347_1406.ssz').slice(0, 20_000)
    const cut: Script = (route, query, request) =>
      route === 'updates' ? stream : replay(data)(route, query, request)
    const short: Script = (route, query, request) =>
      route === 'finality_update' ? stream : replay(data)(route, query, request)
    for (const script of [cut, short]) {
      const { client } = await clientOf([script], checkpoint)
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
    const { client } = await clientOf(
      [replay({ ...data, ...(finality && { finality }) })],
      checkpoint,
    )
    const error = { code: 'decode.response' }
    expect(await sync(client)).toMatchObject({ status: 'invalid', error })
  })

  test('error: a checkpoint that is too old', async () => {
    setClock(timeOf(11_034_656) + 14 * 24 * 3600 + 1)
    const { client } = await clientOf([replay(data), replay(data)], checkpoint)
    const refusal = { status: 'unavailable', error: { code: 'expired' } }
    expect(await sync(client)).toMatchObject(refusal)
    expect(await getBalance(client, { address: BUILDER })).toMatchObject(refusal)
    const anchor = { checkpoint, maxAgeSeconds: 30 * 24 * 3600 }
    const willing = await clientOf([replay(data)], checkpoint, { anchor })
    expect(await getBlock(willing.client, { block: 'head' })).toMatchObject({ status: 'present' })
  })

  test('error: a clock that is behind the checkpoint', async () => {
    setClock(timeOf(11_034_000))
    const { client } = await clientOf([replay(data)], checkpoint)
    expect(await sync(client)).toMatchObject({ status: 'unavailable', error: { code: 'clock' } })
  })

  test('error: a clock that is behind the head refuses the head alone', async () => {
    setClock(timeOf(11_034_657))
    const { client, servers } = await clientOf([replay(data)], checkpoint)
    const tried = [{ node: servers[0]?.url, code: 'clock' }]
    expect(await sync(client)).toMatchObject({
      status: 'synced',
      finalized: { slot: 11_034_656n },
      tried,
    })
    const head = await getBlock(client, { block: 'head' })
    expect(head).toMatchObject({ status: 'unavailable', error: { code: 'clock' } })
  })

  test('error: a head too far behind', async () => {
    const { client } = await clientOf([replay(data)], checkpoint, { maxHeadLagSeconds: 20 })
    const refusal = { status: 'unavailable', error: { code: 'stale' } }
    expect(await sync(client)).toMatchObject(refusal)
    expect(await getBlock(client, { block: 'head' })).toMatchObject(refusal)
  })

  test('error: by default nothing is answered from the recorded final block, 14 hours old', async () => {
    const { client } = await clientOf([replay(data)], checkpoint, DEFAULT_LAG)
    const refusal = { status: 'unavailable', error: { code: 'stale' } }
    expect(await sync(client)).toMatchObject(refusal)
    expect(await getBalance(client, { address: BUILDER })).toMatchObject(refusal)
    const result = await getBalance(client, { address: BUILDER, at: 'head' })
    expect(result).toMatchObject({ status: 'present' })
    // Thirteen days later nobody has heard of a newer head.
    setClock(NOW + 13 * 24 * 3600)
    const late = await getBalance(client, { address: BUILDER, at: 'head' })
    expect(late).toMatchObject(refusal)
  })

  test('behavior: without its beacons a client goes on, and says how old its head is', async () => {
    let isDown = false
    const script = replay(data)
    const down: Script = (...request) => (isDown ? 503 : script(...request))
    const { client, servers } = await clientOf([down], checkpoint)
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
    const { client } = await clientOf([replay(data)], checkpoint)
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
    const { client, servers } = await clientOf([replay(data)], checkpoint)
    const abort = new AbortController()
    const reason = new Error('enough')
    const onProgress = (): void => abort.abort(reason)
    await expect(sync(client, { signal: abort.signal, onProgress })).rejects.toBe(reason)
    expect(servers[0]?.asked ?? []).not.toContain('finality_update')
    expect(await sync(client)).toMatchObject({ status: 'synced' })
  })
})
