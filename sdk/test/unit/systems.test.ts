/**
 * What every system shares, with one made for the test: its verifier takes a proof that repeats the
 * query, and says of each key that it is present with the key's own bytes, deleted (01…) or absent
 * (00…).
 */

import { describe, expect, test, vi } from 'vitest'
import { type Chain, parseChain } from '../../src/client/chains.js'
import { bytesOf, type Hex, toHex } from '../../src/encoding/hex.js'
import { encodeRlp } from '../../src/encoding/rlp.js'
import {
  fetchProof,
  getValue,
  getValues,
  type KeySystem,
  mpt,
  type ProofFile,
  proven,
  verifyProofFile,
} from '../../src/entry/node.js'
import { configOf, setUp } from '../../src/proving/setup.js'
import { systemOf } from '../../src/proving/trust.js'
import { type KeySystemTypes, keySystem, parseKeyLike } from '../../src/systems/keys.js'
import type { SystemConfig } from '../../src/systems/system.js'
import { honest, makeChain, OWNER } from '../support/chain.js'
import { clientOf } from '../support/client.js'
import { type Methods, ScriptedError } from '../support/rpc.js'

interface Item {
  readonly status: 'present' | 'absent' | 'deleted'
  readonly key: Hex
}

const made: string[] = []

vi.mock('../../src/generated/hash.js', async (original) => {
  class KeyVerifier {
    constructor(_chain: Uint8Array, config: Uint8Array, params: Uint8Array) {
      const digest = toHex(config.subarray(-32))
      const refused = { status: 'rejected', message: 'params', span: null }
      if (config.length > 32 && digest !== digestOf(toHex(params))) {
        throw JSON.stringify({ ...refused, code: 'input.params' })
      }
      made.push(toHex(params))
    }
    /**
     * The claims' only item ends with the proof, which is the query again, then `,` and `0x` for
     * each key.
     */
    verify(claims: Uint8Array): string {
      const text = new TextDecoder().decode(claims)
      const keys = /\{(.*)\}/.exec(text)?.[1]?.split(',') ?? []
      const values = keys.map((key) => ({ key, status: statusOf(key) }))
      const block = { number: '0x1', hash: null }
      const lied = text.includes('lie')
      return JSON.stringify([
        lied
          ? { status: 'rejected', code: 'verify.opening', message: 'false', span: null }
          : { status: 'proven', block, fact: { values } },
      ])
    }
    free(): void {}
  }
  return { ...((await original()) as object), KeyVerifier }
})

function statusOf(key: string): Item['status'] {
  if (key.startsWith('0x00')) return 'absent'
  return key.startsWith('0x01') ? 'deleted' : 'present'
}

/** As if a hash: the test's own bytes, repeated. */
function digestOf(params: Hex): Hex {
  return toHex(new Uint8Array(32).fill(bytesOf(params)[0] ?? 0))
}

type Found =
  | { readonly status: 'present'; readonly key: Hex; readonly value: Hex }
  | { readonly status: 'absent' | 'deleted'; readonly key: Hex; readonly value: undefined }
type Types = KeySystemTypes<'mpt', Parameters<typeof parseKeyLike>[0], Item, Found>

const descending = (a: Uint8Array, b: Uint8Array): number => (b[0] ?? 0) - (a[0] ?? 0)
const keyed: KeySystem<Types> = keySystem({
  name: 'mpt',
  module: 'hash',
  verifier: 'KeyVerifier',
  formats: ['mpt/1'],
  variants: ['hinted', 'plain'],
  parseKey: parseKeyLike,
  outcomeOf: ({ status, key }: Item): Found =>
    status === 'present' ? { status, key, value: key } : { status, key, value: undefined },
  compare: descending,
})

const test12 = makeChain(12)

/** A node that proves what it is asked, by the variant. */
function prover(variant = 'hinted', proof = ''): Methods {
  return honest(test12, {
    lp_getProof: (_system: string, query: Hex) => {
      const keys = [...bytesOf(query).subarray(1)].filter((byte) => byte !== 0x82)
      const pairs = keys.flatMap((_, i) => (i % 2 === 0 ? [keys.slice(i, i + 2)] : []))
      const names = pairs.map((pair) => toHex(Uint8Array.from(pair)))
      const text = new TextEncoder().encode(`${proof}{${names.join(',')}}`)
      return { blockHash: test12.head.hash, variant, proof: toHex(text) }
    },
  })
}

function clientWith(config: Partial<NonNullable<Chain['systems']['mpt']>>, ...nodes: Methods[]) {
  const chain = { ...test12.chain, systems: { mpt: { format: 'mpt/1', ...config } } } as const
  return clientOf({ ...test12, chain }, nodes)
}

const KEYS = ['0x0102', '0x7703', '0x0004', '0x9905'] as const

describe('the setup in a trust report', () => {
  const digest = `0x${'11'.repeat(32)}`
  const of = (config: SystemConfig<'cole/1'>): unknown => {
    const given = { format: 'cole/1', paramsDigest: digest }
    const setup = { system: { name: 'cole' }, pinned: config, config: given }
    return systemOf({ setup, variant: 'plain' } as never)
  }
  const bare = { system: 'cole', variant: 'plain' }

  test('default: that of a digest; parameters in the open have none', () => {
    const format = 'cole/1' as const
    expect(of({ format, params: '0xc0' })).toEqual(bare)
    const given = { format, paramsDigest: digest as Hex }
    expect(of(given)).toEqual({ ...bare, setup: { digest, insecure: false } })
    expect(of({ ...given, insecure: true })).toEqual({ ...bare, setup: { digest, insecure: true } })
  })

  test('error: whose secret is known stays so, also where the parameters are given inline', () => {
    const config = { format: 'cole/1', params: '0xc0', insecure: true } as const
    expect(of(config)).toEqual({ ...bare, setup: { digest, insecure: true } })
  })

  test('error: a word in place of true is refused', () => {
    const systems = { cole: { format: 'cole/1', params: '0xc0', insecure: 'true' } }
    expect(() => parseChain({ ...test12.chain, systems }, 'chain')).toThrow(
      'chain.systems.cole.insecure',
    )
  })
})

describe('getValue and getValues', () => {
  test('default: present, deleted and absent are three outcomes', async () => {
    const { client } = clientWith({}, prover())
    const results = await Promise.all(
      KEYS.map((key) => getValue(client, { system: keyed, key, at: test12.head.hash })),
    )
    expect(results.map(({ status }) => status)).toEqual(['deleted', 'present', 'absent', 'present'])
    expect(results[1]).toMatchObject({
      value: '0x7703',
      trust: { system: 'mpt', variant: 'hinted', proved: ['header', 'value'] },
    })
    expect(results.map((result) => proven(result))).toEqual([
      undefined,
      '0x7703',
      undefined,
      '0x9905',
    ])
  })

  test("behavior: many keys by one proof, in the caller's order", async () => {
    const { client, calls } = clientWith({}, prover())
    const result = await getValues(client, { system: keyed, keys: KEYS })
    expect(proven(result).map(({ key }) => key)).toEqual(KEYS)
    expect(result).toMatchObject({ status: 'proven', trust: { servedBy: 'http://n1' } })
    expect(calls.filter((method) => method === 'lp_getProof')).toHaveLength(1)
  })

  test('behavior: an account and a slot make a key', () => {
    const hash = { keccak256: () => new Uint8Array(32), headers: () => '' }
    const key = parseKeyLike({ address: OWNER, slot: 7 }, 'key', hash)
    expect(toHex(key)).toBe(`${OWNER}${'0'.repeat(63)}7`)
    expect(toHex(parseKeyLike({ address: OWNER }, 'key', hash))).toHaveLength(2 + 104)
  })

  test('error: a variant that is not accepted is never guessed', async () => {
    for (const variant of ['kzg', undefined]) {
      const { client } = clientWith(
        {},
        { ...prover(), lp_getProof: () => ({ variant, proof: '0x' }) },
      )
      const result = await getValue(client, { system: keyed, key: '0x7703' })
      expect(result).toMatchObject({ status: 'invalid', error: { code: 'decode.response' } })
      expect(result).toHaveProperty('error.message', expect.stringContaining('hinted or plain'))
    }
    const plain = { ...keyed, variants: ['plain'] } as const
    const { client } = clientWith({}, prover())
    const refused = await getValue(client, { system: plain, key: '0x7703' })
    expect(refused).toMatchObject({ status: 'invalid', error: { code: 'decode.response' } })
  })

  test('error: a lie is blamed on its node, with evidence, and another node answers', async () => {
    const { client } = clientWith({}, prover('plain', 'lie'), prover())
    const result = await getValue(client, { system: keyed, key: '0x7703' })
    const tried = [{ node: 'http://n1', code: 'verify.opening' }]
    expect(result).toMatchObject({ status: 'present', trust: { servedBy: 'http://n2', tried } })
    const alone = clientWith({}, prover('plain', 'lie'))
    const invalid = await getValue(alone.client, { system: keyed, key: '0x7703' })
    expect(invalid).toMatchObject({
      status: 'invalid',
      evidence: [{ kind: 'evidence', variant: 'plain', expected: { code: 'verify.opening' } }],
    })
  })

  test('error: a block without the commitment', async () => {
    const { client } = clientWith({}, prover())
    const other = { ...keyed, name: 'cole', formats: ['cole/1'] } as const
    const without = getValue(client, { system: other as unknown as typeof keyed, key: '0x7703' })
    await expect(without).rejects.toMatchObject({ code: 'input.chain', argument: 'client' })
    const chain = { ...test12.chain, systems: { cole: { format: 'cole/1' } } } as const
    const asked = clientOf({ ...test12, chain }, [prover()])
    const result = await getValue(asked.client, {
      system: other as unknown as typeof keyed,
      key: '0x7703',
    })
    expect(result).toMatchObject({ status: 'unavailable', error: { code: 'unsupported' } })
    expect(asked.calls).not.toContain('lp_getProof')
  })

  test.each<[string, object]>([
    ['system', { system: 'mpt', key: '0x77' }],
    ['system', { key: '0x77' }],
    // Whatever inherits a `valueOf`: mpt proves no single value.
    ['system', { system: mpt, address: OWNER }],
    ['key', { system: keyed }],
    ['key', { system: keyed, key: '0x7' }],
    ['key.address', { system: keyed, key: { slot: 1 } }],
    ['key.slot', { system: keyed, key: { address: OWNER, slot: -1 } }],
    ['keys', { system: keyed, keys: ['0x77'] }],
  ])('error: getValue, the %s', async (argument, parameters) => {
    const { client } = clientWith({}, prover())
    const promise = getValue(client, parameters as never)
    await expect(promise).rejects.toMatchObject({ name: 'InputError', argument })
  })

  test.each<[string, unknown]>([
    ['keys', undefined],
    ['keys', []],
    ['keys', Array.from({ length: 1025 }, (_, i) => `0x${String(i).padStart(4, '0')}`)],
    ['keys[2]', ['0x01', '0x02', '0x01']],
    ['keys[1]', ['0x01', 2]],
  ])('error: getValues, %s', async (argument, keys) => {
    const { client } = clientWith({}, prover())
    const promise = getValues(client, { system: keyed, keys: keys as never })
    await expect(promise).rejects.toMatchObject({ name: 'InputError', argument })
  })
})

describe('parameters', () => {
  const serve = (params: Hex | ScriptedError): Methods => ({
    ...prover(),
    lp_getParams: () => {
      if (params instanceof ScriptedError) throw params
      return params
    },
  })
  const ask = { system: keyed, key: '0x7703' } as const

  test('default: those of the configuration, and no node is asked', async () => {
    const config = { params: '0x51', paramsDigest: digestOf('0x51'), insecure: true } as const
    const { client, calls } = clientWith(config, prover())
    expect(await getValue(client, ask)).toMatchObject({
      status: 'present',
      trust: { setup: { digest: config.paramsDigest, insecure: true } },
    })
    expect(calls).not.toContain('lp_getParams')
  })

  test('behavior: those of the pinned digest, asked for once', async () => {
    const paramsDigest = digestOf('0x52')
    const { client, calls } = clientWith({ paramsDigest }, serve('0x52'))
    for (const key of KEYS) await getValue(client, { system: keyed, key })
    expect(calls.filter((method) => method === 'lp_getParams')).toHaveLength(1)
    expect(made.filter((params) => params === '0x52')).toHaveLength(1)
    const file = await fetchProof(client, { system: keyed, keys: KEYS })
    expect(file.config).toEqual({ format: 'mpt/1', paramsDigest, params: '0x52' })
  })

  test('behavior: a chain and its configuration are encoded once for all questions', async () => {
    const { chain } = clientWith({ params: '0x59' }, prover()).client
    const ready = (of: Chain) => setUp(of, keyed, configOf(of, keyed))
    const first = await ready(chain)
    expect((await ready(chain)).place).toBe(first.place)
    const plain = { ...keyed, variants: ['plain'] } as const
    const other = await setUp(chain, plain, configOf(chain, plain))
    expect(other.system.variants).toEqual(['plain'])
    const renamed = await ready({ ...chain, chainId: 7 })
    expect(renamed.place.key).not.toBe(first.place.key)
  })

  test('behavior: that holds for a second client of parameters that a node served, too', async () => {
    const paramsDigest = digestOf('0x5a')
    await getValue(clientWith({ paramsDigest }, serve('0x5a')).client, ask)
    const { client, calls } = clientWith({ paramsDigest }, serve('0x5a'))
    await getValue(client, ask)
    expect(calls).not.toContain('lp_getParams')
    const ready = () => setUp(client.chain, keyed, configOf(client.chain, keyed))
    expect((await ready()).place).toBe((await ready()).place)
  })

  test('error: a node that serves others is blamed, and the next one is asked', async () => {
    const paramsDigest = digestOf('0x53')
    const { client } = clientWith({ paramsDigest }, serve('0x54'), serve('0x53'))
    const tried = [{ node: 'http://n1', code: 'decode.response' }]
    expect(await getValue(client, ask)).toMatchObject({ status: 'present', trust: { tried } })
    const alone = clientWith({ paramsDigest: digestOf('0x55') }, serve('0x54'))
    const invalid = await getValue(alone.client, ask)
    expect(invalid).toMatchObject({ status: 'invalid', error: { code: 'decode.response' } })
    expect(invalid).toHaveProperty('error.message', expect.stringContaining('lp_getParams'))
  })

  test('error: a node that has none is unavailable', async () => {
    const none = new ScriptedError(-32014, 'no such parameters')
    const { client } = clientWith({ paramsDigest: digestOf('0x56') }, serve(none))
    const result = await getValue(client, ask)
    expect(result).toMatchObject({ status: 'unavailable', error: { code: 'unsupported' } })
  })

  test("error: the caller's own do not hash to the digest", async () => {
    const config = { params: '0x57', paramsDigest: digestOf('0x58') } as const
    const { client } = clientWith(config, prover())
    await expect(getValue(client, ask)).rejects.toMatchObject({ code: 'input.params' })
  })
})

describe('proof files', () => {
  const paramsDigest = digestOf('0x61')
  const pinned = { params: '0x61', paramsDigest } as const
  const { client } = clientWith(pinned, prover())
  const anchor = { block: test12.head.hash }
  const file = (): Promise<ProofFile> => fetchProof(client, { system: keyed, keys: KEYS })

  test('default: what the file proves of every key', async () => {
    const options = { anchor, chain: client.chain, systems: [keyed] }
    const result = await verifyProofFile(await file(), options)
    expect(result).toMatchObject({
      status: 'proven',
      system: 'mpt',
      trust: { variant: 'hinted', proved: ['header', 'value'], setup: { digest: paramsDigest } },
    })
    const statuses = result.status === 'proven' ? result.value.map(({ status }) => status) : []
    // In the order of the query.
    expect(statuses).toEqual(['present', 'present', 'deleted', 'absent'])
  })

  test('behavior: parameters from the file, where the chain pins their digest', async () => {
    const chain = { ...client.chain, systems: { mpt: { format: 'mpt/1', paramsDigest } } } as const
    const options = { anchor, chain, systems: [keyed] }
    expect(await verifyProofFile(await file(), options)).toMatchObject({ status: 'proven' })
    const changed = { ...(await file()), config: { format: 'mpt/1', paramsDigest, params: '0x62' } }
    const result = await verifyProofFile(changed, options)
    expect(result).toMatchObject({ status: 'invalid', error: { code: 'decode.response' } })
  })

  test("error: without the chain its parameters are nobody's", async () => {
    const promise = verifyProofFile(await file(), { anchor, systems: [keyed] })
    await expect(promise).rejects.toMatchObject({ code: 'input.chain', argument: 'chain' })
  })

  test('error: a variant that is not accepted, a chain without the system', async () => {
    const { chain } = client
    const plain = { ...keyed, variants: ['plain'] } as const
    expect(await verifyProofFile(await file(), { anchor, chain, systems: [plain] })).toMatchObject({
      status: 'invalid',
      error: { code: 'decode.variant' },
    })
    const none = { ...chain, systems: { cole: { format: 'cole/1' } } } as const
    expect(
      await verifyProofFile(await file(), { anchor, chain: none, systems: [keyed] }),
    ).toMatchObject({ status: 'invalid', error: { code: 'verify.commitment' } })
  })
})

test('default: the query is the list of the keys', async () => {
  const parsed = keyed.parseKeys(KEYS, { keccak256: () => new Uint8Array(32), headers: () => '' })
  const sorted = ['0x9905', '0x7703', '0x0102', '0x0004'] as const
  const [header] = [{ hash: test12.head.hash }] as never[]
  expect(parsed.order).toEqual([2, 1, 3, 0])
  expect(header === undefined ? '' : parsed.ask(header).query).toEqual(
    encodeRlp(sorted.map((key) => bytesOf(key))),
  )
})
