/**
 * A chain that follows an Ethereum chain: what agrees is said in `trust`, and no lie of either
 * side's nodes becomes an answer.
 */

import { readFileSync } from 'node:fs'
import { describe, expect, test, vi } from 'vitest'
import { findConfig } from '../../src/client/chains.js'
import { followedChain } from '../../src/entry/follows.js'
import {
  type Client,
  type ClientOptions,
  createClient,
  defineChain,
  fetchProof,
  getAccount,
  getBalance,
  getBlock,
  getCode,
  getNonce,
  getStorage,
  getValue,
  type Invalid,
  mpt,
  proven,
} from '../../src/entry/node.js'
import type { StateItem } from '../../src/systems/system.js'
import { honest, NOBODY, OWNER, proofJson as proofOf, SLOT } from '../support/chain.js'
import {
  clientOf,
  codeOf,
  ethereum,
  evidenceOf,
  following,
  fork,
  ours,
  question,
  says,
} from '../support/following.js'
import { type Methods, ScriptedError, scriptedFetch } from '../support/rpc.js'

const follows = followedChain(clientOf(ethereum))
const slot = { address: OWNER, slot: SLOT }

/** A client of the followed chain whose one node lies, or keeps something back. */
function followedThrough(overrides: Methods, crossCheck = 0) {
  const { fetch, calls } = scriptedFetch({ 'http://n1': honest(ethereum, overrides) })
  return { follows: followedChain(clientOf(ethereum, { fetch }), { crossCheck }), calls }
}

describe('what agrees', () => {
  test('default: its origin is proven, and so is the state that it commits to', async () => {
    const client = clientOf(ours, { follows })
    const grounds = { origin: 'proven', originState: 'equal', crossChecked: 0 }
    for (const at of [7, 3, 0]) {
      const found = await getStorage(client, { ...slot, at })
      expect(proven(found)).toBe(BigInt(at) + 1n)
      expect(found).toMatchObject({ trust: grounds })
      expect(await getBlock(client, { block: at })).toMatchObject({ trust: grounds })
    }
  })

  test('default: a client that compares nothing says so by what is missing', async () => {
    const { trust } = (await getStorage(clientOf(ours), slot)) as { trust: object }
    for (const name of ['origin', 'originState', 'crossChecked']) {
      expect(trust).not.toHaveProperty(name)
    }
  })

  test('behavior: as many values as wanted are proven a second time, or as there are', async () => {
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
      const { follows, calls } = followedThrough({}, crossCheck)
      const client = clientOf(ours, { follows })
      const found = await getValue(client, { system: says(items), ...question })
      expect(found).toMatchObject({ status: 'present', trust: { origin: 'proven', crossChecked } })
      expect(calls.includes('eth_getProof')).toBe(crossChecked > 0)
    }
  })

  test('behavior: what cannot be compared is not counted', async () => {
    const client = clientOf(ours, { follows: followedChain(clientOf(ethereum), { crossCheck: 5 }) })
    const found = await getValue(client, { system: says([]), ...question })
    expect(found).toMatchObject({ status: 'present', trust: { crossChecked: 0 } })
  })

  test('behavior: a block is compared once, and more blocks than are remembered', async () => {
    const { follows, calls } = followedThrough({})
    const client = clientOf(ours, { follows })
    for (const at of [7, 7, 7]) await getBlock(client, { block: at })
    expect(calls.filter((method) => method === 'eth_getBlockByHash')).toHaveLength(1)
  })

  test('behavior: a chain without mpt has an origin, and its state is not compared', async () => {
    const other = following(ethereum, (truth) => ({ ...truth, system: 'lmpt' }))
    const { chainId, genesisHash } = other.chain
    const chain = defineChain({ name: 'few', kind: 'devnet', chainId, genesisHash, systems: {} })
    expect(findConfig(chain, mpt)).toBeUndefined()
    const found = await getBlock(clientOf(other, { chain, follows }))
    const grounds = { origin: 'proven', originState: 'not committed', crossChecked: 0 }
    expect(found).toMatchObject({ status: 'present', trust: grounds })
  })
})

describe('operators who lie', () => {
  /** Everything that a client answers of a block. */
  const actions: Readonly<Record<string, (client: Client) => Promise<{ status: string }>>> = {
    getAccount: (client) => getAccount(client, { address: OWNER }),
    getBalance: (client) => getBalance(client, { address: OWNER }),
    getBlock: (client) => getBlock(client),
    getCode: (client) => getCode(client, { address: OWNER }),
    getNonce: (client) => getNonce(client, { address: NOBODY }),
    getStorage: (client) => getStorage(client, slot),
    getValue: (client) => getValue(client, { system: says([]), ...question }),
  }

  test.each(Object.keys(actions))('another origin: %s is invalid', async (name) => {
    const lies = following(ethereum, (truth, n) => ({ ...truth, origin: fork.at(n).hash }))
    await evidenceOf(actions[name]?.(clientOf(lies, { follows })))
  })

  test('an old block as a new one', async () => {
    const lies = following(ethereum, (truth, n) =>
      n < 6 ? truth : { origin: ethereum.at(5).hash, state: ethereum.at(5) },
    )
    const client = clientOf(lies, { follows })
    await evidenceOf(getStorage(client, slot))
    expect(await codeOf(getStorage(client, { ...slot, at: 5 }))).toBe('present')
  })

  test('another state under the right origin', async () => {
    const lies = following(ethereum, (truth, n) => ({ ...truth, state: fork.at(n) }))
    const client = clientOf(lies, { follows })
    await evidenceOf(getStorage(client, slot))
    await expect(fetchProof(client, { address: OWNER })).rejects.toMatchObject({
      code: 'verify.contradiction',
    })
    // Without the comparison all of that is what two thirds signed.
    expect(proven(await getStorage(clientOf(lies), slot))).toBe(57n)
  })

  test('a block that keeps the state back is not compared, so it is no answer', async () => {
    const lies = following(ethereum, (truth, n) => ({ ...truth, ...(n > 5 && { system: 'lmpt' }) }))
    const client = clientOf(lies, { follows })
    expect(await codeOf(getBlock(client))).toBe('unsupported')
    expect(await codeOf(getBlock(client, { block: 5 }))).toBe('present')
  })

  test('a block that names no origin is no answer', async () => {
    const lies = following(ethereum, (truth) => ({ ...truth, origin: undefined }))
    expect(await codeOf(getStorage(clientOf(lies, { follows }), slot))).toBe('unsupported')
  })

  test('a block that the followed chain does not have yet', async () => {
    const behind = followedChain(clientOf(ethereum, {}, 5))
    const client = clientOf(ours, { follows: behind })
    expect(await codeOf(getBlock(client))).toBe('untrusted')
    expect(await codeOf(getStorage(client, slot))).toBe('untrusted')
    expect(await codeOf(getBlock(client, { block: 5 }))).toBe('present')
  })

  test.each([
    { address: OWNER, slot: SLOT, value: 9n },
    { address: OWNER, slot: SLOT, value: 0n },
    { address: OWNER, value: 1n },
    { address: NOBODY, value: 1n },
  ] as readonly StateItem[])('a false value: %o', async (wrong) => {
    const right = { address: NOBODY, slot: SLOT, value: 0n } as const
    const client = clientOf(ours, { follows: followedChain(clientOf(ethereum), { crossCheck: 2 }) })
    await evidenceOf(getValue(client, { system: says([right, wrong]), ...question }))
  })
})

describe('nodes of the followed chain that lie', () => {
  const value = { address: OWNER, slot: SLOT, value: 8n } as const
  const ask = (client: Client) => getValue(client, { system: says([value]), ...question })

  test('a header of another block convicts nobody but its node', async () => {
    const { follows } = followedThrough({
      eth_getBlockByHash: () => fork.head.json,
      eth_getBlockByNumber: (number: string) => fork.at(Number(number)).json,
    })
    const found = await getBlock(clientOf(ours, { follows }))
    expect(found).toMatchObject({ status: 'invalid', error: { code: 'verify.header' } })
    const { error, evidence } = found as Invalid
    expect(error.message).toContain('the followed chain (test)')
    expect(evidence.map(({ kind }) => kind)).toEqual(['evidence'])
  })

  test('a false second proof is no contradiction', async () => {
    const { follows } = followedThrough(
      { eth_getProof: (...[who, slots]: [string, string[]]) => proofOf(fork.head, who, slots) },
      1,
    )
    const found = await ask(clientOf(ours, { follows }))
    expect(found).toMatchObject({ status: 'invalid', error: { code: 'verify.root' } })
  })

  test('operators and the node of the followed chain lie together', async () => {
    const lies = says([{ ...value, value: 58n }])
    const asked = (follows: ClientOptions['follows']) =>
      codeOf(
        getValue(clientOf(ours, { ...(follows && { follows }) }), { system: lies, ...question }),
      )
    // The node's proof of 58 does not hold under the root that the client trusts.
    const forged = {
      eth_getProof: (who: string, slots: string[]) => proofOf(fork.head, who, slots),
    }
    expect(await asked(followedThrough(forged, 1).follows)).toBe('verify.root')
    const silent = {
      eth_getProof: () => {
        throw new ScriptedError(-32000, 'missing trie node')
      },
    }
    expect(await asked(followedThrough(silent, 1).follows)).not.toMatch(/present|contradiction/)
    expect(await asked(followedThrough({ eth_getProof: () => null }, 1).follows)).toBe('block')
    // Only who asks for no second proof is told the operators' word, and told that nothing was
    // cross-checked.
    expect(await asked(followedThrough(forged, 0).follows)).toBe('present')
  })

  test('another node answers in place of one that lies', async () => {
    const { fetch } = scriptedFetch({
      'http://n1': honest(ethereum, { eth_getProof: () => null }),
      'http://n2': honest(ethereum),
    })
    const other = clientOf(ethereum, { fetch, nodes: ['http://n1', 'http://n2'] })
    const found = await ask(clientOf(ours, { follows: followedChain(other, { crossCheck: 1 }) }))
    expect(found).toMatchObject({ status: 'present', trust: { crossChecked: 1 } })
  })

  test('a block that a fork may still replace grounds nothing, and convicts nobody', async () => {
    for (const chain of [ethereum, fork]) {
      const find = (wanted: string) =>
        [...ethereum.blocks, ...fork.blocks].find(({ hash }) => hash === wanted)?.json ?? null
      const { fetch } = scriptedFetch({
        'http://n1': honest(chain, { eth_getBlockByHash: find }),
      })
      const other = clientOf(ethereum, { fetch }, 4)
      const hash = chain.head.hash as (typeof other.lines)[number]['hash']
      other.lines.push({ hash, finality: 'head', isHead: true, headers: [] })
      const client = clientOf(ours, { follows: followedChain(other) })
      expect(await codeOf(getBlock(client, { block: 6 }))).toBe('untrusted')
      expect(await codeOf(getBlock(client, { block: 4 }))).toBe('present')
    }
  })
})

describe('an answer that comes late', () => {
  /** A node that holds its answers back. */
  function slow() {
    const { fetch } = scriptedFetch({ 'http://n1': honest(ethereum) })
    let release = (): void => undefined
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    let seen = (): void => undefined
    const asked = new Promise<void>((resolve) => {
      seen = resolve
    })
    const held: typeof fetch = async (input, init) => {
      seen()
      await released
      return fetch(input, init)
    }
    return { follows: followedChain(clientOf(ethereum, { fetch: held })), release, asked }
  }

  test('is no answer, and the next question has one', async () => {
    const { follows, release } = slow()
    const client = clientOf(ours, { follows, deadlineMs: 500 })
    expect(await codeOf(getStorage(client, slot))).toBe('deadline')
    expect(await codeOf(getBlock(client))).toBe('deadline')
    release()
    await vi.waitFor(
      async () => expect(await getBlock(client)).toMatchObject({ trust: { origin: 'proven' } }),
      30_000,
    )
  })

  test('the caller’s signal ends the comparison', async () => {
    const { follows, asked } = slow()
    const client = clientOf(ours, { follows, deadlineMs: Number.POSITIVE_INFINITY })
    const abort = new AbortController()
    const found = getStorage(client, { ...slot, signal: abort.signal })
    asked.then(() => abort.abort(new Error('enough')))
    await expect(found).rejects.toThrow('enough')
  })
})

test('error: options that make no sense', async () => {
  const other = clientOf(ethereum)
  expect(() => followedChain(clientOf(ours))).toThrow('client')
  expect(() => followedChain({} as Client)).toThrow('client')
  expect(() => followedChain(other, { crossCheck: -1 })).toThrow('crossCheck')
  expect(() => followedChain(other, { crossCheck: 1025 })).toThrow('crossCheck')
  expect(() => followedChain(other, { accounts: ['0x12'] })).toThrow('accounts[0]')
  expect(() => followedChain(other, { accounts: OWNER as never })).toThrow('accounts')
  expect(() => followedChain(other, { keys: 1 } as never)).toThrow('keys')
  const make = (follows: unknown, chain = ours) =>
    clientOf(chain, { follows } as Partial<ClientOptions>)
  for (const wrong of [{}, { client: other }, null, other, true]) {
    expect(() => make(wrong)).toThrow('followedChain')
  }
  expect(() => make(follows, ethereum)).toThrow('followedChain')
  const mistyped = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD'.replace('5aA', '5AA')
  const client = make(followedChain(other, { accounts: [mistyped] }))
  await expect(getBlock(client)).rejects.toMatchObject({ code: 'input.checksum' })
})

test('the guide for operators: its client says what was compared', async () => {
  const guide = readFileSync(new URL('../../guides/node-operator.md', import.meta.url), 'utf8')
  const [, text = ''] = /### A chain that follows[\s\S]*?```js\n([\s\S]*?)```/.exec(guide) ?? []
  expect(text).toContain('followedChain(ethereum')
  const told: unknown[] = []
  const { fetch } = scriptedFetch({ 'http://ours': honest(ours), 'http://eth': honest(ethereum) })
  const reader = {
    // The guide's checkpoints are blocks of these chains.
    createClient: (options: ClientOptions) => {
      const { beacons: _, ...given } = options
      const block = options.chain === ours.chain ? ours.head.hash : ethereum.head.hash
      return createClient({ ...given, anchor: { block }, fetch })
    },
    getStorage,
    followedChain,
    mainnet: ethereum.chain,
    ours: ours.chain,
    checkpoint: '',
    anchor: {},
    nodes: ['http://eth'],
    operators: ['http://ours'],
    beacons: [],
    address: OWNER,
    slot: SLOT,
    console: { log: (...said: unknown[]) => told.push(...said) },
  }
  const body = text.replace(/^import .*\n/gm, '')
  const AsyncFunction = (async () => undefined).constructor as new (
    ...parts: string[]
  ) => (...values: unknown[]) => Promise<void>
  await new AsyncFunction(...Object.keys(reader), body)(...Object.values(reader))
  expect(told).toEqual([8n, 'proven', 'equal', 0])
})
