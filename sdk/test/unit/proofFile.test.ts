import { describe, expect, test } from 'vitest'
import { lmpt } from '../../src/entry/lmpt.js'
import {
  createClient,
  fetchProof,
  mainnet,
  mpt,
  type ProofFile,
  resultToJson,
  verifyProofFile,
} from '../../src/entry/node.js'
import { systems } from '../../src/systems/registry.js'
import { CODE, honest, makeChain, NOBODY, OWNER, SLOT } from '../support/chain.js'
import { scriptedFetch } from '../support/rpc.js'

const chain = makeChain(12)
const { fetch } = scriptedFetch({ 'http://n1': honest(chain) })
const anchor = { block: chain.head.hash }
const client = createClient({ chain: chain.chain, anchor, nodes: ['http://n1'], fetch })

const timeOf = (block: number): bigint => 1_700_000_000n + BigInt(block) * 12n
const other = `0x${'0'.repeat(64)}`
const full = await fetchProof(client, { address: OWNER, slots: [SLOT, 1], code: true, at: 3 })

describe('fetchProof', () => {
  test('default: the one file schema, from the anchor to the block', () => {
    expect(full).toMatchObject({
      schema: 1,
      kind: 'proof',
      chain: { kind: 'devnet', chainId: 19536, genesisHash: chain.at(0).hash },
      system: 'mpt',
      config: { format: 'mpt/1' },
      source: { header: { hash: chain.head.hash } },
      variant: 'plain',
      expected: { result: 'valid', fact: { account: { status: 'present', balance: '0x3eb' } } },
      meta: { servedBy: 'http://n1' },
    })
    expect('header' in full.source && full.source.header.rlps).toHaveLength(9)
    expect(JSON.parse(JSON.stringify(full))).toEqual(full)
  })

  test('error: throws what a result would hold', async () => {
    const above = fetchProof(client, { address: OWNER, at: 99 })
    await expect(above).rejects.toMatchObject({ name: 'UnavailableError', code: 'untrusted' })
    const bad = scriptedFetch({ 'http://n1': honest(chain, { eth_getProof: () => ({}) }) })
    const options = { chain: chain.chain, anchor, nodes: ['http://n1'], fetch: bad.fetch }
    const lied = fetchProof(createClient(options), { address: OWNER })
    await expect(lied).rejects.toMatchObject({ name: 'ProofError', code: 'decode.response' })
  })
})

describe('expires', () => {
  const expires = '2026-02-01T00:00:00.000Z'
  const just = new Date(Date.parse(expires) - 1)

  test('default: until then it proves, by the clock that the reader gives', async () => {
    for (const end of [expires, new Date(expires)]) {
      const file = await fetchProof(client, { address: OWNER, expires: end })
      expect(file).toMatchObject({ kind: 'proof', expires })
      expect(await verifyProofFile(file, { anchor, now: just })).toMatchObject({
        status: 'present',
      })
      for (const now of [expires, new Date(expires), '2026-02-01T00:00:00Z']) {
        expect(await verifyProofFile(file, { anchor, now })).toMatchObject({
          status: 'invalid',
          error: { name: 'ProofError', code: 'verify.expired', kind: 'verify' },
        })
      }
    }
  })

  test("behavior: without a clock of the reader's it is this machine's", async () => {
    const soon = await fetchProof(client, {
      address: OWNER,
      expires: new Date(Date.now() + 60_000),
    })
    expect(await verifyProofFile(soon, { anchor })).toMatchObject({ status: 'present' })
    const past = { ...soon, expires: '1970-01-01T00:00:00Z' }
    expect(await verifyProofFile(past, { anchor })).toMatchObject({
      error: { code: 'verify.expired' },
    })
  })

  test.each(['', 'tomorrow', '2026-02-01', '2026-02-01T00:00:00', '2026-13-01T00:00:00Z', 5, null])(
    'error: %j is no time',
    async (wrong) => {
      const file = await verifyProofFile({ ...full, expires: wrong }, { anchor })
      expect(file).toMatchObject({ status: 'invalid', error: { code: 'decode.response' } })
      const now = verifyProofFile(full, { anchor, now: wrong as string })
      await expect(now).rejects.toMatchObject({ code: 'input.option', argument: 'now' })
      const end = fetchProof(client, { address: OWNER, expires: wrong as string })
      await expect(end).rejects.toMatchObject({ code: 'input.option', argument: 'expires' })
    },
  )
})

describe('maxAgeSeconds', () => {
  /** 21 seconds after the head, which is a hundred seconds younger than the file's block. */
  const now = new Date(Number(timeOf(11) + 21n) * 1000)
  const old = { status: 'invalid', error: { name: 'ProofError', code: 'verify.expired' } }

  test("default: the value's age is its block's, not the anchor's", async () => {
    expect(await verifyProofFile(full, { anchor, now })).toMatchObject({
      trust: {
        block: { number: 3n, timestamp: timeOf(3), ageSeconds: 8 * 12 + 21 },
        anchor: { ageSeconds: 21 },
        headLagSeconds: 21,
      },
    })
  })

  test('error: an old block under a new anchor is refused, whatever the file says of itself', async () => {
    const fresh = {
      ...full,
      expires: '2099-01-01T00:00:00Z',
      meta: { createdAt: now.toISOString() },
    }
    for (const [maxAgeSeconds, status] of [
      [116, 'invalid'],
      [117, 'present'],
      [30, 'invalid'],
    ] as const) {
      const read = await verifyProofFile(fresh, { anchor, now, maxAgeSeconds })
      expect(read).toMatchObject(status === 'invalid' ? old : { status })
    }
    const { error } = (await verifyProofFile(full, { anchor, now, maxAgeSeconds: 30 })) as {
      error: Error
    }
    expect(error.message).toMatch(
      /block 3 of the file is 117 s old, more than maxAgeSeconds \(30\)/,
    )
    expect(await verifyProofFile(full, { anchor, maxAgeSeconds: 3600 })).toMatchObject(old)
  })

  test('error: of a bare root nobody knows the age', async () => {
    const root = { root: chain.at(3).stateRoot, number: 3 }
    const read = verifyProofFile(full, { anchor: root, maxAgeSeconds: 30 })
    await expect(read).rejects.toMatchObject({ code: 'input.option', argument: 'maxAgeSeconds' })
    const wrong = verifyProofFile(full, { anchor, maxAgeSeconds: 0 })
    await expect(wrong).rejects.toMatchObject({ code: 'input.option', argument: 'maxAgeSeconds' })
  })
})

describe('verifyProofFile', () => {
  test('default: everything that the file proves', async () => {
    const result = await verifyProofFile(full, { anchor, chain: chain.chain })
    expect(result).toMatchObject({
      status: 'present',
      value: {
        address: OWNER,
        account: { nonce: 1n, balance: 1003n },
        slots: [
          { slot: SLOT, status: 'present', value: 4n },
          { status: 'absent', value: 0n },
        ],
        code: CODE,
      },
      trust: {
        chain: { name: 'devnet', chainId: 19536 },
        block: { number: 3n, hash: chain.at(3).hash, timestamp: timeOf(3) },
        finality: 'ancestor',
        anchor: { kind: 'block', hash: chain.head.hash },
        servedBy: 'file',
        proved: ['header', 'account', 'storage', 'code'],
        notProved: ['anchor', 'recency'],
      },
    })
  })

  test('default: an absent account', async () => {
    const file = await fetchProof(client, { address: NOBODY, slots: [1], code: true })
    const result = await verifyProofFile(file, { anchor })
    expect(result).toMatchObject({
      status: 'absent',
      value: { address: NOBODY, account: null, code: '0x' },
      trust: { finality: 'pinned', notProved: ['anchor', 'recency', 'chain'] },
    })
  })

  test('default: against a state root alone', async () => {
    const root = chain.at(3).stateRoot
    const result = await verifyProofFile(full, { anchor: { root, number: 3 } })
    expect(result).toMatchObject({
      status: 'present',
      trust: {
        block: { number: 3n, hash: null, timestamp: null, ageSeconds: null },
        anchor: { kind: 'root', hash: root, ageSeconds: null },
        proved: ['account', 'storage', 'code'],
      },
    })
    const wrong = await verifyProofFile(full, { anchor: { root: chain.at(4).stateRoot } })
    expect(wrong).toMatchObject({ status: 'invalid', error: { code: 'verify.root' } })
  })

  test('behavior: of a root without a number, none is reported', async () => {
    const result = await verifyProofFile(full, { anchor: { root: chain.at(3).stateRoot } })
    expect(result).toMatchObject({
      status: 'present',
      trust: { block: { number: null, hash: null }, finality: 'pinned' },
    })
    expect(resultToJson(result)).toMatchObject({ trust: { block: { number: null } } })
  })

  test('error: a part that no node could have sent is refused before it is decoded', async () => {
    const most = 4 * 1024 * 1024
    const large = `0x${'00'.repeat(most / 2)}`
    const [first = '0x'] = headerOf(full).rlps
    const source = (rlps: readonly string[]): object => ({
      source: { header: { hash: chain.head.hash, rlps } },
    })
    const changes: readonly [object, string][] = [
      [{ proof: large }, 'decode.limit'],
      [{ query: large }, 'decode.limit'],
      [{ config: { format: 'mpt/1', params: large } }, 'decode.limit'],
      [{ proof: large.slice(0, most / 2), query: large.slice(0, most / 2 + 2) }, 'decode.limit'],
      [source([first, large]), 'decode.limit'],
      [source(Array(3).fill(large.slice(0, most / 2))), 'decode.limit'],
      [source(Array(8194).fill('0x')), 'decode.response'],
    ]
    for (const [change, code] of changes) {
      const result = await verifyProofFile({ ...full, ...change }, { anchor })
      expect(result).toMatchObject({ status: 'invalid', error: { code } })
    }
    // At the limit it is read, and the core finds that it is no proof.
    const proof = large.slice(0, -full.query.length - 2)
    const result = await verifyProofFile({ ...full, proof }, { anchor })
    expect(result).toMatchObject({ status: 'invalid' })
    expect(result).not.toHaveProperty('error.message', expect.stringContaining('characters'))
  })

  test('error: a root of one system verifies no file of another', async () => {
    const root = chain.at(3).stateRoot
    expect(await verifyProofFile(full, { anchor: { root, system: 'mpt' } })).toMatchObject({
      status: 'present',
    })
    for (const system of ['lmpt', 'lvmt', 'verkle', 'cole', 'balanceproofs'] as const) {
      const anchor = { root, system }
      expect(await verifyProofFile(full, { anchor, systems })).toMatchObject({
        status: 'invalid',
        error: { code: 'verify.root', message: expect.stringContaining(`root of ${system}`) },
      })
    }
    // Of a system whose files are not read, a root is of no use.
    const unread = verifyProofFile(full, { anchor: { root, system: 'lmpt' } })
    await expect(unread).rejects.toMatchObject({ name: 'InputError', argument: 'anchor.system' })
    // The reader said nothing, so it is a state root.
    const config = { format: 'lmpt/1' }
    const other = { ...full, system: 'lmpt', config }
    expect(
      await verifyProofFile(other, { anchor: { root }, systems: [mpt, lmpt] as never }),
    ).toMatchObject({ status: 'invalid', error: { code: 'verify.root' } })
  })

  test("error: the file's own block makes no trust", async () => {
    const result = await verifyProofFile(full, { anchor: { block: other } })
    expect(result).toMatchObject({ status: 'invalid', error: { code: 'verify.header' } })
    expect(result).toHaveProperty('error.message', expect.stringContaining(chain.head.hash))
    expect(result).toHaveProperty('error.message', expect.stringContaining(other))
    const renamed = { ...full, source: { header: { ...headerOf(full), hash: other } } }
    const forged = await verifyProofFile(renamed, { anchor: { block: other } })
    expect(forged).toMatchObject({ status: 'invalid', error: { code: 'verify.header' } })
  })

  test('behavior: files of many chains', async () => {
    const numbers = Array.from({ length: 40 }, (_, i) => i + 1)
    for (const chainId of [...numbers, chain.chain.chainId]) {
      const file = { ...full, chain: { ...full.chain, chainId } }
      const result = await verifyProofFile(file, { anchor })
      expect(result.status).toBe(chainId === chain.chain.chainId ? 'present' : 'invalid')
    }
  })

  test('error: a file of another chain', async () => {
    const result = await verifyProofFile(full, { anchor, chain: mainnet })
    expect(result).toMatchObject({ status: 'invalid', error: { code: 'verify.chain' } })
  })

  test('error: a bare root cannot be checked against a block', async () => {
    const file = { ...full, source: { root: { number: '0x3', bytes: chain.at(3).stateRoot } } }
    const result = await verifyProofFile(file, { anchor })
    expect(result).toMatchObject({ status: 'invalid', error: { code: 'verify.header' } })
  })

  test("error: a dropped header, and a verdict that is the maker's only", async () => {
    const rlps = headerOf(full).rlps
    const changes = [
      { source: { header: { hash: chain.head.hash, rlps: rlps.slice(0, -1) } } },
      { source: { header: { hash: chain.head.hash, rlps: rlps.filter((_, i) => i !== 4) } } },
      { source: { header: { hash: chain.head.hash, rlps: [] } } },
      { proof: `${full.proof}00` },
    ]
    for (const change of changes) {
      const file = { ...full, ...change, expected: full.expected }
      expect(await verifyProofFile(file, { anchor })).toMatchObject({ status: 'invalid' })
    }
  })

  test.each<[string, unknown]>([
    ['file', null],
    ['file', 'file'],
    ['schema', { ...full, schema: 2 }],
    ['kind', { ...full, kind: 'vectors' }],
    ['system', { ...full, system: 'nonsense' }],
    ['system', { ...full, system: 'verkle', config: { format: 'verkle/kzg-256' } }],
    ['config.format', { ...full, config: { format: 'mpt/2' } }],
    ['chain.kind', { ...full, chain: { ...full.chain, kind: 'other' } }],
    ['chain.chainId', { ...full, chain: { ...full.chain, chainId: -1 } }],
    ['source', { ...full, source: undefined }],
    ['source.header.rlps[0]', { ...full, source: { header: { hash: other, rlps: ['0'] } } }],
    ['query', { ...full, query: 'c0' }],
    ['proof', { ...full, proof: '0xzz' }],
    ['variant', { ...full, variant: 1 }],
  ])('error: malformed %s', async (field, file) => {
    const result = await verifyProofFile(file, { anchor })
    expect(result).toMatchObject({ status: 'invalid', error: { code: 'decode.response' } })
    expect(result).toHaveProperty('error.message', expect.stringContaining(field))
  })

  test.each<[string, object]>([
    ['anchor', {}],
    ['anchor', { anchor: {} }],
    ['anchor', { anchor: { block: other, root: other } }],
    ['anchor.block', { anchor: { block: '0x1' } }],
    ['anchor.root', { anchor: { root: 7 } }],
    ['anchor.system', { anchor: { root: other, system: 'trie' } }],
    ['anchor.number', { anchor: { root: other, number: -1 } }],
    ['chain.kind', { anchor, chain: { ...mainnet, kind: 'other' } }],
    ['trust', { anchor, trust: true }],
  ])("error: the caller's %s", async (argument, parameters) => {
    const promise = verifyProofFile(full, parameters as never)
    await expect(promise).rejects.toMatchObject({ name: 'InputError', argument })
  })
})

function headerOf({ source }: ProofFile): { hash: string; rlps: readonly string[] } {
  if (!('header' in source)) throw new Error('no header')
  return source.header
}
