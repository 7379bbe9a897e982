/** Files of calls: checked offline, whole, and with each part left out or exchanged. */

import { describe, expect, test } from 'vitest'
import type { Hex } from '../../src/encoding/hex.js'
import {
  type CallFile,
  type CallFileResult,
  call,
  fetchCallProof,
  verifyCallFile,
} from '../../src/entry/evm.js'
import { verifyProofFile } from '../../src/entry/node.js'
import {
  ALICE,
  address,
  BOB,
  balanceOf,
  chain,
  FORKS,
  methods,
  PROXY,
  slotOf,
  state,
  TOKEN,
  word,
} from '../support/callWorld.js'
import { ASKING, clientOf } from '../support/client.js'
import { fits } from '../support/schema.js'
import { stateChain } from '../support/state.js'

const { client } = clientOf(chain, [methods], ASKING)
const anchor = { block: chain.head.hash }
const pin = { anchor, chain: chain.chain }
const readProxy = { to: PROXY, data: balanceOf(ALICE) }
const file = await fetchCallProof(client, readProxy)
const RIGHT = word(99n)

const copy = (): CallFile => JSON.parse(JSON.stringify(file)) as CallFile
const check = (changed: unknown, rest: object = {}) =>
  verifyCallFile(changed, { ...pin, ...rest } as never)
/** An output, or the code of the error. */
const ending = (result: CallFileResult): string =>
  result.status === 'success' ? result.value.output : result.error.code

describe('a file of a call', () => {
  test('fits the schema, as long as nothing lacks', () => {
    expect(fits(file)).toBe(true)
    for (const field of Object.keys(file)) {
      const { [field as keyof CallFile]: _, ...rest } = file
      expect([field, fits(rest)]).toEqual([field, field === 'meta'])
    }
    expect(fits({ ...file, surplus: 1 })).toBe(false)
  })

  test('what it proves, and on what grounds', async () => {
    expect(file).toMatchObject({
      kind: 'call',
      source: { header: { hash: chain.head.hash } },
      expected: { result: 'success', output: RIGHT },
      meta: { servedBy: 'http://n1' },
    })
    const result = await check(copy())
    expect(result).toMatchObject({
      status: 'success',
      value: { output: RIGHT },
      call: { to: PROXY, data: readProxy.data },
      trust: {
        block: { number: 2n },
        finality: 'pinned',
        servedBy: 'file',
        proved: ['header', 'call'],
        notProved: ['anchor', 'recency'],
      },
    })
    const live = await call(client, readProxy)
    if (live.status !== 'success' || result.status !== 'success') throw result
    expect(result.value).toEqual(live.value)
  })

  test('of an older block, linked to the anchor by headers', async () => {
    const older = await fetchCallProof(client, { ...readProxy, at: 1 })
    expect(older.source.header.rlps).toHaveLength(2)
    const result = await check(older)
    expect(result).toMatchObject({ trust: { finality: 'ancestor', block: { number: 1n } } })
    expect(ending(await check(older, { anchor: { block: chain.at(1).hash } }))).toBe(
      'verify.header',
    )
    const [head = '0x', first = '0x'] = older.source.header.rlps
    const ends = async (rlps: readonly Hex[]): Promise<string> =>
      ending(await check({ ...older, source: { header: { ...older.source.header, rlps } } }))
    expect(await ends([first])).toMatch(/^(verify|decode)\./)
    expect(await ends([first, head])).toMatch(/^(verify|decode)\./)
    expect(await ends([])).toMatch(/^(verify|decode|input)\./)
    // The same state stands in the head, so what is left is a file of that block.
    expect(await ends([head])).toMatch(/^(0x.*|verify\..*)$/)
  })

  test('of a call that reverts, that is refused, and that reads hashes of blocks', async () => {
    const of = async (parameters: object) => check(await fetchCallProof(client, parameters))
    expect(await of({ to: address(0x2002) })).toMatchObject({
      status: 'reverted',
      error: { code: 'call.reverted' },
    })
    expect(await of({ from: BOB, to: ALICE, value: 50n })).toMatchObject({
      status: 'reverted',
      error: { code: 'call.refused' },
    })
    const hashes = await fetchCallProof(client, { to: address(0x2003), data: word(0n) })
    expect(hashes.witness.headers).toHaveLength(1)
    expect(ending(await check(hashes))).toBe(chain.at(0).hash)
    const without = { ...hashes, witness: { ...hashes.witness, headers: [] } }
    expect(ending(await check(without))).toBe('verify.incomplete')
    const others = { ...hashes.witness, headers: [chain.at(0).rlp].map((rlp) => hexOf(rlp)) }
    expect(ending(await check({ ...hashes, witness: others }))).toMatch(/^(verify|decode)\./)
  })

  test('what its maker says of the outcome is not looked at', async () => {
    const changed = { ...copy(), expected: { result: 'reverted', output: '0xbad', gasUsed: 7 } }
    expect(ending(await check(changed))).toBe(RIGHT)
  })

  test('a changed call is another call, and the result says which', async () => {
    const before = copy()
    const changed = { ...before, call: { ...before.call, data: balanceOf(BOB) } }
    const result = await check(changed)
    // Where the witness happens to be enough, the outcome is that of the call that is named.
    if (result.status === 'success') expect(result.call?.data).toBe(balanceOf(BOB))
    else expect(result).toMatchObject({ error: { code: 'verify.incomplete' } })
    expect(ending(result)).not.toBe(RIGHT)
  })

  test('how old its block is', async () => {
    const old = await check(file, { maxAgeSeconds: 60 })
    expect(ending(old)).toBe('verify.expired')
    const early = { maxAgeSeconds: 60, now: '2000-01-01T00:00:00Z' }
    expect(ending(await check(file, early))).toBe(RIGHT)
  })

  test('overrides make no file, and verifyProofFile names what it reads', async () => {
    const altered = { ...readProxy, stateOverride: { [BOB]: { nonce: 2n } } }
    await expect(fetchCallProof(client, altered as never)).rejects.toMatchObject({
      argument: 'stateOverride',
    })
    const result = await verifyProofFile(file, { anchor, chain: chain.chain })
    expect(result).toMatchObject({ status: 'invalid', error: { code: 'decode.response' } })
    const { client: mute } = clientOf(chain, [{ ...methods, eth_getProof: () => null }], ASKING)
    await expect(fetchCallProof(mute, readProxy)).rejects.toMatchObject({
      code: expect.stringMatching(/./),
    })
  })
})

const hexOf = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString('hex')}`

const otherToken = { ...state[TOKEN], slots: { [slotOf(ALICE)]: 5n } }
const other = stateChain([{}, state, { ...state, [TOKEN]: otherToken, [PROXY]: otherToken }], FORKS)
const foreign = await fetchCallProof(
  clientOf(other.chain, [other.methods], ASKING).client,
  readProxy,
)

describe('lies in a file of a call', () => {
  test.each(['nodes', 'codes'] as const)(
    'each of its %s left out, changed, exchanged: never another outcome',
    async (kind) => {
      const { length } = file.witness[kind]
      expect(length).toBeGreaterThan(1)
      let refused = 0
      for (let i = 0; i < length; i++) {
        const one = file.witness[kind][i] ?? '0x'
        const wrong: Hex[][] = [
          [],
          [`${one.slice(0, -2)}${one.endsWith('00') ? '01' : '00'}` as Hex],
          [`${one}00`],
          [foreign.witness[kind][i] ?? '0x00'],
          [file.witness[kind === 'nodes' ? 'codes' : 'nodes'][0] ?? '0x00'],
        ]
        for (const instead of wrong) {
          const items = file.witness[kind].flatMap((item, at) => (at === i ? instead : [item]))
          const changed = { ...copy(), witness: { ...file.witness, [kind]: items } }
          const end = ending(await check(changed))
          if (end !== RIGHT) {
            expect(end).toMatch(/^(verify|decode)\./)
            refused++
          }
        }
      }
      expect(refused).toBeGreaterThan(length)
    },
  )

  test('the witness of another state, the header of another block, another chain', async () => {
    expect(ending(await check({ ...copy(), witness: foreign.witness }))).toBe('verify.incomplete')
    expect(ending(await check({ ...copy(), source: foreign.source }))).toBe('verify.header')
    const { rlps } = foreign.source.header
    const source = { header: { hash: chain.head.hash, rlps } }
    expect(ending(await check({ ...copy(), source }))).toBe('verify.header')
    for (const changed of [{ chainId: 5 }, { genesisHash: word(1n) }, { kind: 'devnet' }]) {
      const of = { ...copy(), chain: { ...file.chain, ...changed } }
      expect(ending(await check(of))).toBe('verify.chain')
    }
    expect(ending(await check(foreign, { chain: other.chain.chain }))).toBe('verify.header')
  })

  test('the rules are those of the reader', async () => {
    const later = { ...chain.chain, forks: [{ rules: 'later', block: 0 }] }
    const result = await check(file, { chain: later })
    expect(result).toMatchObject({ status: 'unavailable', error: { code: 'chain.fork' } })
  })

  test.each([
    [null],
    ['{}'],
    [{ ...file, schema: 2 }],
    [{ ...file, kind: 'proof' }],
    [{ ...file, call: undefined }],
    [{ ...file, call: { ...file.call, to: '0x12' } }],
    [{ ...file, call: { ...file.call, gas: '0xffffffffff' } }],
    [{ ...file, call: { ...file.call, data: '0x1' } }],
    [{ ...file, call: { ...file.call, accessList: [{}] } }],
    [{ ...file, witness: {} }],
    [{ ...file, witness: { ...file.witness, nodes: [7] } }],
    [{ ...file, witness: { ...file.witness, headers: Array(9000).fill('0x') } }],
    [{ ...file, witness: { ...file.witness, codes: [`0x${'00'.repeat(2 ** 24)}`] } }],
    [{ ...file, source: { root: { number: '0x1', bytes: word(1n) } } }],
  ])('malformed: %#', async (changed) => {
    const result = await check(changed)
    expect(result).toMatchObject({ status: 'invalid' })
    expect(ending(result)).toMatch(/^decode\.(response|limit)$/)
  })

  test.each([
    [{ anchor: undefined }, 'anchor'],
    [{ anchor: { block: '0x1' } }, 'anchor.block'],
    [{ chain: undefined }, 'chain'],
    [{ maxAgeSeconds: -1 }, 'maxAgeSeconds'],
    [{ now: 'today' }, 'now'],
    [{ trusted: true }, 'trusted'],
  ])('input: %o', async (rest, argument) => {
    await expect(check(file, rest)).rejects.toMatchObject({ argument })
  })
})
