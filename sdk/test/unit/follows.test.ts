/** A chain that follows an Ethereum chain, compared with it: what agrees, and what contradicts it. */

import { describe, expect, test } from 'vitest'
import {
  type ClientOptions,
  type ContradictionFile,
  createClient,
  getBlock,
  getStorage,
  getValue,
  InputError,
  mpt,
  proven,
  verifyProofFile,
} from '../../src/entry/node.js'
import type { StateItem, ValueSystem } from '../../src/systems/system.js'
import { honest, makeChain, NOBODY, OWNER, SLOT, type TestChain } from '../support/chain.js'
import { following } from '../support/following.js'
import { scriptedFetch } from '../support/rpc.js'
import { fits } from '../support/schema.js'

const ethereum = makeChain(8, 'ethereum')
const fork = makeChain(8, 'ethereum', (n) => n + 50n)
const ours = following(ethereum)

function clientOf(chain: TestChain, options: Partial<ClientOptions> = {}, newest = 7) {
  const { fetch } = scriptedFetch({ 'http://n1': honest(chain) })
  const anchor = { block: chain.at(newest).hash }
  return createClient({ chain: chain.chain, anchor, nodes: ['http://n1'], fetch, ...options })
}

const follows = { client: clientOf(ethereum) }

/** A system whose proofs are those of mpt, and say something else of the state. */
function systemOf(items: readonly StateItem[]) {
  const asked = { ...mpt, asksOne: ['address', 'slots'], inState: () => items }
  const value = { status: 'present', value: 1n } as const
  return { ...asked, valueOf: () => value } as unknown as ValueSystem
}

const question = { address: OWNER, slots: [SLOT] }

async function evidenceOf(found: Promise<{ readonly status: string }>): Promise<ContradictionFile> {
  const result = await found
  expect(result).toMatchObject({ status: 'invalid', error: { code: 'verify.contradiction' } })
  const [file] = (result as unknown as { evidence: readonly ContradictionFile[] }).evidence
  if (file === undefined) throw new Error('no evidence')
  expect(fits(file)).toBe(true)
  return JSON.parse(JSON.stringify(file))
}

const code = async (found: Promise<{ readonly status: string }>): Promise<string> => {
  const { error, status } = (await found) as { status: string; error?: { code: string } }
  return error?.code ?? status
}

describe('a chain that follows another', () => {
  test('default: its origin is proven, and so is the state that it commits to', async () => {
    const client = clientOf(ours, { follows })
    for (const at of [7, 3]) {
      const found = await getStorage(client, { address: OWNER, slot: SLOT, at })
      expect(proven(found)).toBe(BigInt(at) + 1n)
      expect(found).toMatchObject({ trust: { origin: 'proven', crossChecked: 0 } })
      expect(await getBlock(client, { block: at })).toMatchObject({ trust: { origin: 'proven' } })
    }
    const { trust } = (await getStorage(clientOf(ours), { address: OWNER, slot: SLOT })) as {
      trust: object
    }
    expect(trust).not.toHaveProperty('origin')
    expect(trust).not.toHaveProperty('crossChecked')
  })

  test('behavior: as many values as wanted are proven a second time', async () => {
    const items = [
      { address: OWNER, slot: SLOT, value: 8n },
      { address: OWNER, value: 1007n },
      { address: NOBODY, value: 0n },
    ] as const
    for (const [crossCheck, crossChecked] of [
      [0, 0],
      [2, 2],
      [9, 3],
    ] as const) {
      const client = clientOf(ours, { follows, crossCheck })
      const found = await getValue(client, { system: systemOf(items), ...question })
      expect(found).toMatchObject({ status: 'present', trust: { origin: 'proven', crossChecked } })
    }
  })

  test('behavior: what the followed chain does not vouch for yet is not known', async () => {
    const behind = { client: clientOf(ethereum, {}, 5) }
    const client = clientOf(ours, { follows: behind })
    expect(await code(getBlock(client))).toBe('untrusted')
    expect(await code(getStorage(client, { address: OWNER, slot: SLOT }))).toBe('untrusted')
    expect(await code(getBlock(client, { block: 5 }))).toBe('present')
  })
})

describe('a contradiction', () => {
  test('another origin: whoever knows the block that was followed can check it', async () => {
    const lies = following(ethereum, (truth, n) =>
      n < 5 ? truth : { origin: fork.at(n).hash, state: fork.at(n) },
    )
    const client = clientOf(lies, { follows })
    const file = await evidenceOf(getStorage(client, { address: OWNER, slot: SLOT }))
    expect(await evidenceOf(getBlock(client))).toMatchObject({ source: file.source })
    const anchor = { block: lies.head.hash }
    const origin = ethereum.head.hash
    expect(await code(verifyProofFile(file, { anchor, origin }))).toBe('verify.contradiction')
    await expect(verifyProofFile(file, { anchor })).rejects.toThrow(InputError)
    const other = fork.head.hash
    expect(await code(verifyProofFile(file, { anchor, origin: other }))).toBe('verify.header')
    const elsewhere = { block: ours.head.hash }
    expect(await code(verifyProofFile(file, { anchor: elsewhere, origin }))).toBe('verify.header')
    // Below the lie all is well.
    expect(await code(getBlock(client, { block: 4 }))).toBe('present')
  })

  test('another state: the two headers show it', async () => {
    const lies = following(ethereum, (truth, n) =>
      n < 6 ? truth : { ...truth, state: fork.at(n) },
    )
    const client = clientOf(lies, { follows })
    const file = await evidenceOf(getStorage(client, { address: OWNER, slot: SLOT, at: 6 }))
    const anchor = { block: lies.head.hash }
    expect(await code(verifyProofFile(file, { anchor }))).toBe('verify.contradiction')
    expect(await code(verifyProofFile(file, { anchor, chain: lies.chain }))).toBe(
      'verify.contradiction',
    )
    expect(await code(verifyProofFile(file, { anchor, chain: following(fork).chain }))).toBe(
      'verify.chain',
    )
  })

  test('another value: two proofs of one block show it', async () => {
    for (const wrong of [
      { address: OWNER, slot: SLOT, value: 9n },
      { address: OWNER, value: 1n },
      { address: NOBODY, value: 1n },
    ] as const) {
      const system = systemOf([wrong])
      const client = clientOf(ours, { follows, crossCheck: 1 })
      const file = await evidenceOf(getValue(client, { system, ...question }))
      const anchor = { block: ours.head.hash }
      const systems = [system]
      expect(await code(verifyProofFile(file, { anchor, systems }))).toBe('verify.contradiction')
      // A reader whose system reads the first proof as the second one says is shown none.
      const right = systemOf([{ ...wrong, value: truth(wrong) }])
      const none = verifyProofFile(file, { anchor, systems: [right] })
      expect(await code(none)).toBe('decode.response')
      expect(await code(verifyProofFile(file, { anchor, systems: [systemOf([])] }))).toBe(
        'decode.response',
      )
    }
  })

  test('no file makes one up', async () => {
    const lies = following(ethereum, (truth) => ({ ...truth, state: fork.at(7) }))
    const client = clientOf(lies, { follows })
    const file = await evidenceOf(getBlock(client))
    const anchor = { block: ours.head.hash }
    // The same said of an honest block.
    const source = {
      header: { hash: ours.head.hash, rlps: [`0x${Buffer.from(ours.head.rlp).toString('hex')}`] },
    }
    const honestly = { ...file, source }
    expect(await code(verifyProofFile(honestly, { anchor }))).toBe('decode.response')
    const cases: readonly (readonly [object, string])[] = [
      [{ schema: 2 }, 'decode.response'],
      [{ source: {} }, 'decode.response'],
      [{ source: { header: { hash: ours.head.hash, rlps: [] } } }, 'decode.response'],
      [{ follows: { ...file.follows, chain: file.chain } }, 'decode.response'],
      [{ follows: { ...file.follows, header: '0x' } }, 'verify.header'],
      [{ proofs: [] }, 'decode.response'],
      [{ proofs: [{}, {}] }, 'decode.response'],
    ]
    for (const [change, expected] of cases) {
      const changed = { ...honestly, ...change }
      const origin = ethereum.head.hash
      expect([change, await code(verifyProofFile(changed, { anchor, origin }))]).toEqual([
        change,
        expected,
      ])
    }
    for (const wrong of [{}, { root: ours.head.stateRoot }, { ...anchor, checkpoint: origin0 }]) {
      await expect(verifyProofFile(file, { anchor: wrong as typeof anchor })).rejects.toThrow(
        InputError,
      )
    }
    const checkpoint = { anchor: { checkpoint: ours.head.hash } } as Parameters<
      typeof verifyProofFile
    >[1]
    await expect(verifyProofFile(file, checkpoint as never)).rejects.toThrow(InputError)
  })
})

const origin0 = ethereum.at(0).hash

function truth({ address, slot }: StateItem): bigint {
  if (address === NOBODY) return 0n
  return slot === undefined ? 1007n : 8n
}

test('error: options that make no sense', () => {
  const make = (options: object) => () => clientOf(ours, options as Partial<ClientOptions>)
  expect(make({ crossCheck: 1 })).toThrow('follows')
  expect(make({ follows: {} })).toThrow('follows.client')
  expect(make({ follows: { client: clientOf(ours) } })).toThrow('follows.client')
  expect(make({ follows, crossCheck: -1 })).toThrow('crossCheck')
  expect(make({ follows: { ...follows, accounts: ['0x12'] } })).toThrow('accounts[0]')
  expect(make({ follows: { ...follows, accounts: OWNER } })).toThrow('accounts')
  expect(() => clientOf(ethereum, { follows })).toThrow('follows.client')
})
