/**
 * What a client keeps of proofs that held: it answers without a node, and is believed no more than
 * one.
 */

import { describe, expect, test, vi } from 'vitest'
import { bytesOf, type Hex, toHex } from '../../src/encoding/hex.js'
import type { Address } from '../../src/encoding/input.js'
import { itemsOf, readRlp, stringOf } from '../../src/encoding/readRlp.js'
import { encodeRlp, type RlpValue } from '../../src/encoding/rlp.js'
import { call } from '../../src/entry/evm.js'
import {
  type BadProof,
  type Client,
  fetchProof,
  getAccount,
  getBalance,
  getBlock,
  getCode,
  getNonce,
  getStorage,
  memoryStore,
  proven,
  verifyProofFile,
} from '../../src/entry/node.js'
import { reportNodes } from '../../src/entry/nodes.js'
import { keep, recall } from '../../src/systems/mpt/cache/accounts.js'
import { openCache } from '../../src/systems/mpt/cache/cache.js'
import type { Kept } from '../../src/systems/mpt/cache/kept.js'
import { ENTRY_BYTES, NodeCache } from '../../src/systems/mpt/cache/nodeCache.js'
import { openKept } from '../../src/systems/mpt/cache/open.js'
import { loadHash } from '../../src/wasm/module.js'
import { FORKS } from '../support/callWorld.js'
import { CODE, honest, makeChain, NOBODY, OWNER, proofJson, SLOT } from '../support/chain.js'
import { ASKING, clientOf } from '../support/client.js'
import { stateChain } from '../support/state.js'
import { readVectors } from '../support/vectors.js'

const hash = await loadHash()
const ROOM = 1 << 22
const EMPTY_ROOT = hash.keccak256(Uint8Array.of(0x80))

/** A proof and its query, read by RLP alone: the cache's own reader is what is tested. */
function read(vector: { readonly query: string; readonly proof: string }) {
  const [address, slots, flag] = itemsOf(readRlp(bytesOf(vector.query as Hex)))
  const proof = bytesOf(vector.proof as Hex)
  const parts = itemsOf(readRlp(proof))
  const [top] = itemsOf(parts[5]).map(stringOf)
  const nodes = [parts[5], ...itemsOf(parts[6]).map((slot) => itemsOf(slot)[2])].flatMap((list) =>
    itemsOf(list).map(stringOf),
  )
  const request = {
    address: toHex(stringOf(address)) as Address,
    slots: itemsOf(slots).map((slot) => toHex(stringOf(slot))),
    wantCode: stringOf(flag).length > 0,
  }
  return { request, proof, parts, nodes, root: toHex(top ? hash.keccak256(top) : EMPTY_ROOT) }
}

const valid = readVectors('mpt').filter(({ vector }) => vector.expected.result === 'valid')

describe('a trie of kept nodes', () => {
  test.each(valid)('default: gives the proof back, byte for byte: $title', ({ vector }) => {
    const { request, proof, parts, root } = read(vector)
    const cache = new NodeCache(ROOM, hash)
    expect(recall(cache, root, request)?.length ?? 0).toBe(root === toHex(EMPTY_ROOT) ? 94 : 0)
    keep(cache, proof)
    // Zeros stand for the hashes of an absent account just as well; the cache has one form.
    const zeros = [parts[3], parts[4]].some((item) => stringOf(item).every((byte) => byte === 0))
    const made = recall(cache, root, request)
    expect(made?.length).toBe(proof.length)
    if (!zeros) expect(toHex(made ?? new Uint8Array(0))).toBe(toHex(proof))
  })

  test('behavior: without any one node there is no proof', () => {
    const { vector } = valid.find(({ vector: { id } }) => id === 3) ?? {}
    if (vector === undefined) throw new Error('no vector')
    const { request, nodes, root } = read(vector)
    expect(nodes.length).toBeGreaterThan(8)
    for (const missing of nodes) {
      const cache = new NodeCache(ROOM, hash)
      for (const node of nodes) if (toHex(node) !== toHex(missing)) cache.add(node, 'node')
      expect(recall(cache, root, request)).toBeUndefined()
    }
  })

  test('behavior: nodes under others’ names end the walk', () => {
    const { request, root } = read(valid[0]?.vector ?? { query: '0x', proof: '0x' })
    // An extension without a digit that leads to itself, an odd number of items, and what is no RLP
    // at all.
    const itself = encodeRlp([Uint8Array.of(0), bytesOf(root)])
    for (const [node, ends] of [
      [itself, 'nowhere'],
      [encodeRlp([itself, itself, itself]), 'decode.rlp'],
      [Uint8Array.of(0xf8), 'decode.rlp'],
      [Uint8Array.of(0x80), 'decode.rlp'],
      [new Uint8Array(600).fill(0xc1), 'decode.rlp'],
    ] as const) {
      const cache = new NodeCache(ROOM, hash)
      vi.spyOn(cache, 'get').mockReturnValue(node)
      const walk = (): unknown => recall(cache, root, request)
      if (ends === 'nowhere') expect(walk()).toBeUndefined()
      else expect(walk).toThrow(expect.objectContaining({ code: ends }))
    }
  })
})

const sizeOf = (cache: NodeCache): number =>
  cache.all().reduce((sum, { bytes }) => sum + bytes.length + ENTRY_BYTES, 0)

test('behavior: what is kept stays within its bound, and what was not used for longest goes first', () => {
  const room = 10 * (100 + ENTRY_BYTES)
  const cache = new NodeCache(room, hash)
  const item = (n: number, length = 100): Uint8Array => new Uint8Array(length).fill(n)
  const has = (n: number): boolean => cache.get(hash.keccak256(item(n)), 'node') !== undefined
  for (let n = 0; n < 10; n++) expect(cache.add(item(n), 'node')).toBe(true)
  expect(cache.add(item(0), 'node')).toBe(false)
  expect(has(1)).toBe(true)
  for (let n = 10; n < 18; n++) cache.add(item(n), 'node')
  expect(sizeOf(cache)).toBe(room)
  expect(Array.from({ length: 18 }, (_, n) => n).filter(has)).toEqual([
    0, 1, 10, 11, 12, 13, 14, 15, 16, 17,
  ])
  expect(cache.add(item(99, room - ENTRY_BYTES + 1), 'node')).toBe(false)
  expect(sizeOf(cache)).toBe(room)
})

const devnet = makeChain(12)

/** Code that reads as lists in lists, as deep as a contract's size allows. */
function nestedCode(): Uint8Array {
  const room = 24_576
  const code = new Uint8Array(room)
  let at = 0
  for (let left = room; left > 3; left -= 3, at += 3) {
    const length = left - 3
    code.set([0xf9, length >> 8, length & 255], at)
  }
  return code
}

describe('code that reads as a node', () => {
  const address = OWNER as Address
  const code = nestedCode()
  const codeHash = hash.keccak256(code)
  const none = new Uint8Array(0)
  const slot = toHex(new Uint8Array(32))
  /** A proof that the code's hash is the root of the storage, as a node may claim. */
  const claimed = (storage: Uint8Array, slots: RlpValue, codes: RlpValue): Uint8Array =>
    encodeRlp([bytesOf(address), none, none, storage, codeHash, [], slots, codes])

  test('error: the reader of RLP refuses it', () => {
    expect(() => readRlp(code)).toThrow(expect.objectContaining({ code: 'decode.rlp' }))
  })

  test('error: it is not found where a node is looked for, and what cannot be read is not kept', async () => {
    const kept = await openKept({
      maxBytes: ROOM,
      store: undefined,
      genesisHash: devnet.chain.genesisHash,
    })
    kept.keep(claimed(codeHash, [], [code]))
    const request = { address, slots: [slot], wantCode: false }
    expect(kept.recall(toHex(codeHash), request)).toBeUndefined()
    expect(kept.widen(request, claimed(codeHash, [], []))).toBeUndefined()
    expect(kept.widen(request, Uint8Array.of(0xf8))).toBeUndefined()
    // Under a name of its own it is there.
    const codeOnly = { address, slots: [], wantCode: true }
    expect(kept.widen(codeOnly, claimed(codeHash, [], []))).toBeDefined()
    // As a node, which no proof that held could hold.
    kept.keep(encodeRlp([bytesOf(address), none, none, codeHash, codeHash, [code], [], []]))
    expect(kept.recall(toHex(codeHash), request)).toBeUndefined()
    expect(kept.narrow(request)).toBeUndefined()
  })

  test('behavior: a client that keeps it is answered by the honest node beside the liar', async () => {
    const made = stateChain([{}, { [address]: { nonce: 1n, code: toHex(code) } }])
    const honest = made.methods['eth_getProof'] as (...params: unknown[]) => object
    const storageHash = toHex(codeHash)
    const liar = {
      ...made.methods,
      eth_getProof: (...params: unknown[]) => ({ ...honest(...params), storageHash }),
    }
    const blamed: string[] = []
    const onBadProof = ({ node, error }: BadProof): void =>
      void blamed.push(`${node} ${error.code}`)
    const { client } = clientOf(made.chain, [liar, made.methods], { onBadProof })
    for (let i = 0; i < 2; i++) {
      const read = await getCode(client, { address })
      const servedBy = i === 0 ? 'http://n2' : 'cache'
      expect(read).toMatchObject({ value: toHex(code), trust: { servedBy } })
      const held = await getStorage(client, { address, slot })
      expect(held).toMatchObject({ status: 'absent', value: 0n })
    }
    expect(blamed).toEqual(['http://n1 verify.claim'])
    expect(reportNodes(client).map(({ state }) => state)).toEqual(['setAside', 'healthy'])
  })

  test('behavior: an honest node alone, whose contract has such code, is read to the end, and blamed for nothing', async () => {
    const slots = { [slot]: 7n }
    const state = { [address]: { nonce: 1n, code: toHex(code), slots } }
    const made = stateChain([{}, state, { ...state, [NOBODY]: { balance: 1n } }], FORKS)
    const blamed: BadProof[] = []
    const onBadProof = (bad: BadProof): void => void blamed.push(bad)
    const { client } = clientOf(made.chain, [made.methods], { onBadProof })
    for (const at of [2n, 1n, 2n]) {
      expect(await getCode(client, { address, at })).toMatchObject({ value: toHex(code) })
      expect(await getStorage(client, { address, slot, at })).toMatchObject({ value: 7n })
      expect(await getBalance(client, { address: NOBODY, at })).toMatchObject({ value: at - 1n })
      // Its first byte is no instruction, so that the call halts: by the code that was read.
      const called = await call(client, { to: address, at })
      expect(called).toMatchObject({ status: 'reverted', error: { code: 'call.halted' } })
    }
    expect(blamed).toEqual([])
    expect(reportNodes(client)).toMatchObject([{ state: 'healthy', lastCode: undefined }])
  })

  test('behavior: kept apart in the store as well', async () => {
    const store = memoryStore()
    const options = { maxBytes: ROOM, store, genesisHash: devnet.chain.genesisHash }
    const first = await openKept(options)
    first.keep(claimed(codeHash, [], [code]))
    await new Promise((resolve) => setTimeout(resolve, 600))
    const second = await openKept(options)
    const codeOnly = { address, slots: [], wantCode: true }
    expect(second.widen(codeOnly, claimed(codeHash, [], []))).toBeDefined()
    expect(second.recall(toHex(codeHash), codeOnly)).toBeUndefined()
  })
})

const ethereum = makeChain(6, 'ethereum')

/** All that a wallet shows of an account. */
function screen(client: Client, address = OWNER) {
  return Promise.all([
    getBalance(client, { address }),
    getNonce(client, { address }),
    getAccount(client, { address }),
    getStorage(client, { address, slot: SLOT }),
    getStorage(client, { address, slot: 1 }),
    getCode(client, { address }),
  ])
}

describe.each([devnet, ethereum])('a client of $chain.kind', (chain) => {
  test('default: asks a node once, and says who answered', async () => {
    const { client, calls } = clientOf(chain, [honest(chain)])
    const first = await screen(client)
    const { length } = calls
    const received = reportNodes(client)[0]?.receivedBytes
    const again = await screen(client)
    expect(calls).toHaveLength(length)
    expect(reportNodes(client)[0]?.receivedBytes).toBe(received)
    for (const [i, result] of again.entries()) {
      const { headLagSeconds, anchor } = 'trust' in result ? result.trust : {}
      const expected = { servedBy: 'cache', tried: [], headLagSeconds, anchor }
      const { trust, ...before } = first[i] as Extract<typeof result, { trust: unknown }>
      expect(trust.servedBy).toBe('http://n1')
      expect(result).toEqual({ ...before, trust: { ...trust, ...expected } })
    }
    expect(again.map(proven)).toMatchObject([
      chain.head.balance,
      1n,
      { balance: chain.head.balance },
      chain.head.slotValue,
      0n,
      CODE,
    ])
  })

  test('behavior: one question about an account answers the others', async () => {
    const { client, calls } = clientOf(chain, [honest(chain)])
    proven(await getStorage(client, { address: OWNER, slot: SLOT }))
    const { length } = calls
    expect(proven(await getBalance(client, { address: OWNER }))).toBe(chain.head.balance)
    // The trie is one leaf, so it has no room for another account, nor for another slot.
    expect(await getBalance(client, { address: NOBODY })).toMatchObject({ status: 'absent' })
    expect(await getCode(client, { address: NOBODY })).toMatchObject({ status: 'absent' })
    const slot = await getStorage(client, { address: OWNER, slot: 9 })
    expect(slot).toMatchObject({ status: 'absent', value: 0n, trust: { servedBy: 'cache' } })
    expect(calls).toHaveLength(length)
    expect(proven(await getCode(client, { address: OWNER }))).toBe(CODE)
    expect(calls.slice(length).sort()).toEqual(['eth_getCode', 'eth_getProof'])
  })

  test('behavior: another block is another question', async () => {
    const { client, calls } = clientOf(chain, [honest(chain)])
    const at = 3
    proven(await getBalance(client, { address: OWNER }))
    proven(await getBlock(client, { block: at }))
    const { length } = calls
    const older = await getBalance(client, { address: OWNER, at })
    expect(older).toMatchObject({ value: chain.at(at).balance, trust: { servedBy: 'http://n1' } })
    expect(calls.slice(length)).toEqual(['eth_getProof'])
    for (const block of [at, chain.at(at).hash, { number: 3n, hash: chain.at(at).hash }]) {
      const result = await getBalance(client, { address: OWNER, at: block })
      const trust = { servedBy: 'cache', finality: 'ancestor', headersFrom: ['http://n1'] }
      expect(result).toMatchObject({ value: chain.at(at).balance, trust })
    }
    expect(calls).toHaveLength(length + 1)
  })

  test('behavior: it answers where no node does, and makes files that others check', async () => {
    let isUp = true
    const { fetch } = clientOf(chain, [honest(chain)])
    const client = clientOf(chain, [], {
      nodes: ['http://n1'],
      fetch: (...args) => (isUp ? fetch(...args) : Promise.reject(new TypeError('off'))),
    }).client
    const question = { address: OWNER, slots: [SLOT], code: true }
    const served = await fetchProof(client, question)
    isUp = false
    const { meta, ...kept } = await fetchProof(client, question)
    expect(kept).toEqual({ ...served, meta: undefined })
    expect(meta?.servedBy).toBe('cache')
    const anchor = { block: chain.head.hash }
    expect(await verifyProofFile({ ...kept, meta }, { anchor })).toMatchObject({
      status: 'present',
    })
  })
})

describe('a client that keeps things', () => {
  test('behavior: keeps nothing where it is told so, or where nothing held', async () => {
    const { client, calls } = clientOf(devnet, [honest(devnet)], ASKING)
    proven(await getBalance(client, { address: OWNER }))
    const { length } = calls
    proven(await getBalance(client, { address: OWNER }))
    expect(calls.slice(length)).toEqual(['eth_getProof'])

    const lies = { eth_getProof: () => ({ ...proofJson(devnet.head, OWNER, []), nonce: '0x2' }) }
    const lied = clientOf(devnet, [honest(devnet, lies)])
    for (const _ of [1, 2]) {
      const result = await getBalance(lied.client, { address: OWNER })
      expect(result).toMatchObject({ status: 'invalid', error: { node: 'http://n1' } })
    }
    expect(lied.calls.filter((method) => method === 'eth_getProof')).toHaveLength(2)
    expect(
      await (await openCache(lied.client.cache))?.recall(devnet.head.stateRoot, QUESTION),
    ).toBe(undefined)
  })

  test('behavior: an aborted signal ends the question all the same', async () => {
    const { client } = clientOf(devnet, [honest(devnet)])
    proven(await getBalance(client, { address: OWNER }))
    if (client.cache === undefined) throw new Error('no cache')
    // One that never opens.
    client.cache.opened = new Promise(() => undefined)
    const abort = new AbortController()
    const asked = getBalance(client, { address: OWNER, signal: abort.signal })
    setTimeout(() => abort.abort(new Error('enough')), 5)
    await expect(asked).rejects.toThrow('enough')
  })

  const QUESTION = { address: OWNER as Address, slots: [], wantCode: false }

  /** A client whose cache gives the bytes for its proof. */
  async function withKept(give: () => Uint8Array) {
    const bad = vi.fn()
    const script = clientOf(devnet, [honest(devnet)], { onBadProof: bad })
    proven(await getBalance(script.client, { address: OWNER }))
    const forget = vi.fn()
    const none = (): undefined => undefined
    const rest = { narrow: none, widen: none, code: none, keepCode: none, keep: none }
    const kept: Kept = { recall: give, ...rest, forget }
    if (script.client.cache !== undefined) script.client.cache.opened = Promise.resolve(kept)
    return { ...script, bad, forget }
  }

  test('invalid: what was changed in it proves nothing, blames nobody, and is forgotten', async () => {
    const { client } = clientOf(devnet, [honest(devnet)])
    proven(await getBalance(client, { address: OWNER }))
    const kept = await openCache(client.cache)
    const proof = kept?.recall(devnet.head.stateRoot, QUESTION) ?? new Uint8Array(0)
    const flips = Array.from({ length: proof.length }, (_, at) =>
      proof.map((byte, i) => (i === at ? byte ^ 1 : byte)),
    )
    let given = proof
    const poisoned = await withKept(() => given)
    const { length } = poisoned.calls
    for (const flip of [...flips, new Uint8Array(0), proof.subarray(1)]) {
      given = flip
      const result = await getBalance(poisoned.client, { address: OWNER })
      expect(result).toMatchObject({
        status: 'present',
        value: devnet.head.balance,
        trust: { servedBy: 'http://n1', tried: [] },
      })
    }
    expect(poisoned.forget).toHaveBeenCalledTimes(flips.length + 2)
    expect(poisoned.calls.length - length).toBe(flips.length + 2)
    expect(poisoned.bad).not.toHaveBeenCalled()
    expect(reportNodes(poisoned.client)).toMatchObject([{ state: 'healthy', failed: 0 }])
    expect(flips.length).toBeGreaterThan(150)
    given = proof
    const result = await getBalance(poisoned.client, { address: OWNER })
    expect(result).toMatchObject({ trust: { servedBy: 'cache' } })
  })

  test('behavior: an old proof that was kept is none of a newer block', async () => {
    const old = clientOf(devnet, [honest(devnet)], { anchor: { block: devnet.at(4).hash } })
    proven(await getBalance(old.client, { address: OWNER }))
    const kept = await openCache(old.client.cache)
    const proof = kept?.recall(devnet.at(4).stateRoot, QUESTION)
    expect(proof).toBeDefined()
    const { client, forget } = await withKept(() => proof ?? new Uint8Array(0))
    expect(proven(await getBalance(client, { address: OWNER }))).toBe(devnet.head.balance)
    expect(forget).toHaveBeenCalledOnce()
  })
})

describe('a store', () => {
  const anchor = { block: devnet.head.hash }
  const KEY = `lightproof-nodes-${devnet.chain.genesisHash}`
  /** Past the pause before a save. */
  const saved = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, 700))

  /** A client that has shown the screen, and what it left in its store. */
  async function left() {
    const store = memoryStore()
    const { client } = clientOf(devnet, [honest(devnet)], { anchor, store })
    await screen(client)
    await saved()
    const bytes = await store.load(KEY)
    if (bytes === undefined) throw new Error('nothing was saved')
    return { store, bytes }
  }

  test('default: a client that starts from it asks for the header alone', async () => {
    const { store } = await left()
    const { client, calls } = clientOf(devnet, [honest(devnet)], { anchor, store })
    proven(await getBlock(client, {}))
    const { length } = calls
    const results = await screen(client)
    expect(results.map((result) => 'trust' in result && result.trust.servedBy)).toEqual(
      results.map(() => 'cache'),
    )
    expect(results.map(proven)).toMatchObject([devnet.head.balance, 1n, {}, 12n, 0n, CODE])
    expect(calls).toHaveLength(length)
  })

  test('invalid: what was damaged is dropped, and asked for again', async () => {
    const { bytes } = await left()
    const item = (content: Uint8Array): Uint8Array => {
      const body = Uint8Array.of(0, 0, 0, 0, content.length, ...content)
      return Uint8Array.of(2, ...hash.keccak256(body), ...body)
    }
    const cut = bytes.subarray(33, -1)
    const damaged: Readonly<Record<string, Uint8Array>> = {
      'a bit flipped': bytes.map((byte, i) => (i === 100 ? byte ^ 1 : byte)),
      'cut off': bytes.subarray(0, -1),
      'cut off, with a sum that fits': Uint8Array.of(2, ...hash.keccak256(cut), ...cut),
      'another form': bytes.map((byte, i) => (i === 0 ? 1 : byte)),
      nothing: new Uint8Array(0),
      'a length that ends nowhere': Uint8Array.of(1, ...hash.keccak256(ENDLESS), ...ENDLESS),
    }
    for (const [what, bad] of Object.entries(damaged)) {
      const store = memoryStore()
      await store.save(KEY, bad)
      const { client, calls } = clientOf(devnet, [honest(devnet)], { anchor, store })
      proven(await getBlock(client, {}))
      const result = await getBalance(client, { address: OWNER })
      expect(result, what).toMatchObject({
        value: devnet.head.balance,
        trust: { servedBy: 'http://n1', tried: [] },
      })
      expect(await store.load(KEY), what).toBeUndefined()
      expect(calls, what).toContain('eth_getProof')
    }
    // Bytes that somebody else put there stand under their own hash, where nothing leads.
    const store = memoryStore()
    await store.save(KEY, item(bytesOf(devnet.at(2).leaf)))
    const { client } = clientOf(devnet, [honest(devnet)], { anchor, store })
    proven(await getBlock(client, {}))
    const result = await getBalance(client, { address: OWNER })
    expect(result).toMatchObject({ value: devnet.head.balance, trust: { servedBy: 'http://n1' } })
  })
  const ENDLESS = Uint8Array.of(255, 255, 255, 255, 0)

  test('behavior: one that fails or never answers holds up nothing', async () => {
    const fail = (): Promise<never> => Promise.reject(new Error('no room'))
    const never = (): Promise<never> => new Promise(() => undefined)
    for (const work of [fail, never]) {
      const store = { load: work, save: work, remove: work }
      const { client, calls } = clientOf(devnet, [honest(devnet)], { anchor, store })
      proven(await getBalance(client, { address: OWNER }))
      const { length } = calls
      const again = await getBalance(client, { address: OWNER })
      expect(again).toMatchObject({ trust: { servedBy: 'cache' } })
      expect(calls).toHaveLength(length)
    }
  })
})

describe('a new block', () => {
  /** Blocks in which the balance moves, and the slot with it from block 6 on. */
  const moving = makeChain(10, 'devnet', (n) => (n < 6n ? 1n : n))
  const questions: [string, unknown][] = []
  const node = honest(moving, {
    eth_getProof: (
      address: string,
      slots: readonly string[],
      { blockHash }: { blockHash: string },
    ) => {
      questions.push(['eth_getProof', slots.length])
      const block = moving.blocks.find(({ hash: known }) => known === blockHash)
      return block === undefined ? null : proofJson(block, address, slots)
    },
    eth_getCode: () => {
      questions.push(['eth_getCode', undefined])
      return CODE
    },
  })

  test('behavior: is asked only for what may have changed', async () => {
    const { client } = clientOf(moving, [node])
    const asked: unknown[] = []
    for (let at = 3; at < 9; at++) {
      questions.length = 0
      const slot = await getStorage(client, { address: OWNER, slot: SLOT, at })
      expect(proven(slot), `block ${at}`).toBe(at < 6 ? 1n : BigInt(at))
      expect(proven(await getCode(client, { address: OWNER, at }))).toBe(CODE)
      expect(proven(await getBalance(client, { address: OWNER, at }))).toBe(1000n + BigInt(at))
      asked.push([...questions])
    }
    const slot = ['eth_getProof', 1]
    const account = ['eth_getProof', 0]
    expect(asked).toEqual([
      [slot, account, ['eth_getCode', undefined]],
      // Its storage may move in every block; the code did not.
      [slot],
      // It stood still: the account alone tells whether it still does.
      [account],
      // It does not: the slot is asked for after all.
      [account, slot],
      [slot],
      [slot],
    ])
  })

  test('invalid: a lie about an account whose slots are kept is the node’s', async () => {
    let lie = {}
    const liar = honest(moving, {
      eth_getProof: (
        address: string,
        slots: readonly string[],
        { blockHash }: { blockHash: string },
      ) => {
        const block = moving.blocks.find(({ hash: known }) => known === blockHash)
        return block && { ...proofJson(block, address, slots), ...lie }
      },
    })
    const { client } = clientOf(moving, [liar])
    for (const at of [2, 3]) proven(await getStorage(client, { address: OWNER, slot: SLOT, at }))
    lie = { balance: '0xffff' }
    const result = await getStorage(client, { address: OWNER, slot: SLOT, at: 4 })
    expect(result).toMatchObject({
      status: 'invalid',
      error: { code: 'verify.claim', node: 'http://n1' },
      evidence: [{ kind: 'evidence' }],
    })
  })
})
