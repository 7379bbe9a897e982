/** Ancestors far back: by the hashes of blocks that a contract keeps (EIP-2935). */

import { describe, expect, test } from 'vitest'
import { type Hex, toHex } from '../../src/encoding/hex.js'
import { body } from '../../src/entry/blocks.js'
import { createProvider } from '../../src/entry/eip1193.js'
import { fetchCallProof, verifyCallFile } from '../../src/entry/evm.js'
import {
  fetchProof,
  getBalance,
  getBlock,
  getStorage,
  proven,
  verifyProofFile,
} from '../../src/entry/node.js'
import { ASKING, clientOf } from '../support/client.js'
import { ScriptedError } from '../support/rpc.js'
import { type StateOf, stateChain, type TestState } from '../support/state.js'

const HISTORY = '0x0000f90827f1c53a10cb7a02335b175320002935'
const CODE: Hex =
  '0x3373fffffffffffffffffffffffffffffffffffffffe14604657602036036042575f35600143038111604257611fff81430311604257611fff9006545f5260205ff35b5f5ffd5b5f35611fff60014303065500'
const OWNER = '0x00000000000000000000000000000000000000aa'
const CALLED = '0x00000000000000000000000000000000000000cc'
const SLOT = toHex(new Uint8Array(32).fill(7))
const REACH = 8191

const word = (number: number): Hex => `0x${number.toString(16).padStart(64, '0')}`

/** The owner, and the contract with the hashes of all blocks before, or of these. */
const keeping =
  (numbers?: readonly number[], code: Hex = CODE): StateOf =>
  (before) => {
    const kept = numbers ?? before.map((_, i) => i)
    const slots = kept.map((i) => [word(i % REACH), BigInt(before[i] ?? 0)] as const)
    return { ...owner(before.length), [HISTORY]: { code, slots: Object.fromEntries(slots) } }
  }
const owner = (number: number): TestState => ({
  [OWNER]: { balance: 1000n + BigInt(number), slots: { [SLOT]: BigInt(number) + 1n } },
})

const LENGTH = 70
const states = Array.from({ length: LENGTH }, (_, i) => (i === LENGTH - 1 ? keeping() : owner(i)))
const { chain, methods } = stateChain(states)
const FAR = 5

/** The methods, with a false answer to one of them. */
const lying = (method: string, lie: (honest: unknown, params: unknown[]) => unknown) => ({
  ...methods,
  [method]: (...params: unknown[]) => {
    const answer = methods[method] as (...params: unknown[]) => unknown
    return lie(answer(...params), params)
  },
})
const ofHistory = (address: unknown): boolean => String(address).toLowerCase() === HISTORY

describe('one slot in place of a walk', () => {
  test('behavior: a far block is found in three requests, and its trust names who served', async () => {
    const { client, exchanges } = clientOf(chain, [methods])
    const result = await getBlock(client, { block: FAR })
    expect(proven(result).hash).toBe(chain.at(FAR).hash)
    // Chain id and pinned header; proof, header.
    expect(exchanges).toEqual([1, 1, 1, 1])
    expect(result).toMatchObject({
      trust: {
        finality: 'ancestor',
        headersFrom: ['http://n1'],
        anchor: { kind: 'block', hash: chain.head.hash },
      },
    })
    if (result.status !== 'present') throw new Error('unreachable')
    // The anchor is as old as the pinned block, whatever block is asked for.
    const { anchor, block } = result.trust
    expect((block.ageSeconds ?? 0) - (anchor.ageSeconds ?? 0)).toBe((LENGTH - 1 - FAR) * 12)
  })

  test('behavior: blocks near one that was found are walked to, above and below', async () => {
    const { client, exchanges } = clientOf(chain, [methods])
    proven(await getBlock(client, { block: 20 }))
    const before = exchanges.length
    expect(proven(await getBlock(client, { block: 18 })).hash).toBe(chain.at(18).hash)
    expect(exchanges.slice(before)).toEqual([2])
    expect(proven(await getBlock(client, { block: 19 })).hash).toBe(chain.at(19).hash)
    expect(exchanges).toHaveLength(before + 1)
    expect(proven(await getBlock(client, { block: 60 })).hash).toBe(chain.at(60).hash)
    expect(exchanges.slice(before + 1)).toEqual([9])
  })

  test('behavior: state of a far block, and again from what is kept', async () => {
    const { client, exchanges } = clientOf(chain, [methods])
    const asked = { address: OWNER, slot: SLOT, at: FAR }
    expect(proven(await getStorage(client, asked))).toBe(BigInt(FAR) + 1n)
    const before = exchanges.length
    expect(proven(await getStorage(client, asked))).toBe(BigInt(FAR) + 1n)
    expect(exchanges).toHaveLength(before)
  })

  test('behavior: by a hash that the client has not met; and one of a fork is not trusted', async () => {
    const { client } = clientOf(chain, [methods])
    expect(proven(await getBlock(client, { block: chain.at(FAR).hash })).number).toBe(BigInt(FAR))
    const other = stateChain(states.map((_, i) => owner(i + 1))).chain.at(FAR)
    const served = lying('eth_getBlockByHash', (honest, [hash]) =>
      hash === other.hash ? other.json : honest,
    )
    const result = await getBlock(clientOf(chain, [served]).client, { block: other.hash })
    expect(result).toMatchObject({ status: 'unavailable', error: { code: 'untrusted' } })
  })

  test('behavior: a provider prints a far block with all of its fields', async () => {
    const { client } = clientOf(chain, [methods])
    const params = [`0x${FAR.toString(16)}`, false]
    const printed = await createProvider(client).request({ method: 'eth_getBlockByNumber', params })
    expect(printed).toMatchObject({ hash: chain.at(FAR).hash, gasLimit: '0x1c9c380' })
  })

  test('behavior: further than one slot reaches, by two', async () => {
    const head = REACH + 60
    const [far, middle] = [3, head - REACH]
    const long = stateChain(
      Array.from({ length: head + 1 }, (_, i): StateOf => {
        if (i === head) return keeping([middle])
        return i === middle ? keeping([far]) : {}
      }),
    )
    const { client, exchanges } = clientOf(long.chain, [long.methods])
    const block = await getBlock(client, { block: far })
    expect(proven(block).hash).toBe(long.chain.at(far).hash)
    expect(exchanges).toEqual([1, 1, 1, 1, 1, 1])
    const file = await fetchProof(client, { address: OWNER, at: far })
    const anchor = { block: long.chain.head.hash }
    expect(await verifyProofFile(file, { anchor })).toMatchObject({ status: 'absent' })
  })
})

describe('where there is no such slot, the walk', () => {
  const walked = async (made: typeof methods, on = chain) => {
    const { client, exchanges } = clientOf(on, [made])
    expect(proven(await getBlock(client, { block: FAR })).hash).toBe(on.at(FAR).hash)
    return exchanges
  }
  const chainOf = (last: StateOf) => stateChain([...states.slice(0, -1), last])

  test.each<[string, StateOf]>([
    ['no contract', owner(LENGTH - 1)],
    ['another contract', keeping(undefined, '0x6001')],
    ['nothing in the slot: the fork is younger', keeping([60, 61])],
  ])('behavior: %s', async (_, last) => {
    const made = chainOf(last)
    expect(await walked(made.methods, made.chain)).toEqual([1, 1, 1, 32, 32])
  })

  test('behavior: the node has forgotten the state', async () => {
    const made = lying('eth_getProof', () => {
      throw new ScriptedError(-32000, 'missing trie node')
    })
    expect((await walked(made)).slice(-2)).toEqual([32, 32])
  })
})

describe('lies', () => {
  test.each<[string, ReturnType<typeof lying>, string]>([
    [
      'another hash in the slot',
      lying('eth_getProof', (honest, [address]) => {
        if (!ofHistory(address)) return honest
        const { storageProof: [slot] = [], ...rest } = honest as { storageProof: object[] }
        return { ...rest, storageProof: [{ ...slot, value: chain.at(6).hash }] }
      }),
      'verify.claim',
    ],
    [
      "another block's slot",
      lying('eth_getProof', (honest, [address, , id]) => {
        if (!ofHistory(address)) return honest
        const answer = methods['eth_getProof'] as (...params: unknown[]) => {
          storageProof: object[]
        }
        const { storageProof } = answer(HISTORY, [word(FAR + 1)], id)
        const slots = storageProof.map((slot) => ({ ...slot, key: word(FAR) }))
        return { ...(honest as object), storageProof: slots }
      }),
      'verify.merkle',
    ],
    [
      'the header of another block',
      lying('eth_getBlockByHash', (honest, [hash]) =>
        hash === chain.at(FAR).hash ? chain.at(FAR + 1).json : honest,
      ),
      'verify.header',
    ],
  ])('invalid: %s, and the honest node beside it is asked', async (_, liar, code) => {
    const alone = clientOf(chain, [liar])
    const result = await getBlock(alone.client, { block: FAR })
    expect(result).toMatchObject({ status: 'invalid', error: { code } })
    const both = clientOf(chain, [liar, methods])
    expect(proven(await getBlock(both.client, { block: FAR })).hash).toBe(chain.at(FAR).hash)
  })
})

describe('files', () => {
  const anchor = { block: chain.head.hash }
  const made = async () => {
    const { client } = clientOf(chain, [methods], ASKING)
    const file = await fetchProof(client, { address: OWNER, at: FAR })
    return JSON.parse(JSON.stringify(file)) as FileJson
  }
  interface FileJson {
    source: { header: { hash: string; rlps: string[]; by?: FileJson } }
    proof: string
  }

  test('behavior: checked offline, the reader trusts the newer block alone', async () => {
    const result = await verifyProofFile(await made(), { anchor })
    expect(result).toMatchObject({
      status: 'present',
      value: { account: { balance: 1000n + BigInt(FAR) } },
      trust: {
        block: { number: BigInt(FAR), hash: chain.at(FAR).hash },
        finality: 'ancestor',
        anchor: { kind: 'block', hash: chain.head.hash },
      },
    })
    const now = new Date(1_700_000_000_000 + LENGTH * 12_000)
    const old = await verifyProofFile(await made(), { anchor, now, maxAgeSeconds: 60 })
    expect(old).toMatchObject({ status: 'invalid', error: { code: 'verify.expired' } })
  })

  test.each<[string, (file: FileJson) => void, string]>([
    ['no proof of the hash', ({ source }) => delete source.header.by, 'verify.header'],
    [
      'a proof that starts from another block',
      ({ source: { header } }) => {
        if (header.by) header.by.source.header.hash = chain.at(FAR).hash
      },
      'verify.header',
    ],
    [
      'the proof of nothing',
      ({ source: { header } }) => {
        if (header.by) header.by.proof = '0xc0'
      },
      'decode.shape',
    ],
    [
      'headers of another block behind the proof',
      ({ source: { header } }) => {
        const { hash, rlp } = chain.at(FAR + 1)
        Object.assign(header, { hash, rlps: [toHex(rlp)] })
      },
      'verify.query',
    ],
    [
      'a proof that is none',
      ({ source: { header } }) => void Object.assign(header, { by: 7 }),
      'decode.response',
    ],
    [
      'evidence of signed headers in place of a proof',
      ({ source: { header } }) => void Object.assign(header.by ?? {}, { steps: [] }),
      'decode.response',
    ],
    [
      'proofs in each other without end',
      (file) => {
        const { by } = file.source.header
        if (by === undefined) return
        let nested = by
        for (let i = 0; i < 20; i++) {
          nested = structuredClone({
            ...by,
            source: { header: { ...file.source.header, by: nested } },
          })
        }
        file.source.header.by = nested
      },
      'decode.response',
    ],
  ])('invalid: %s', async (_, change, code) => {
    const file = await made()
    change(file)
    expect(await verifyProofFile(file, { anchor })).toMatchObject({
      status: 'invalid',
      error: { code },
    })
  })

  test('invalid: on a chain of another kind', async () => {
    const file = await made()
    Object.assign(file, { chain: { kind: 'devnet', chainId: 1337, genesisHash: chain.at(0).hash } })
    const result = await verifyProofFile(file, { anchor })
    expect(result).toMatchObject({ status: 'invalid' })
  })

  test('behavior: the transactions of a far block, of a reader who names no chain', async () => {
    const { client } = clientOf(chain, [methods])
    const file = await fetchProof(client, { system: body, list: 'transactions', at: FAR })
    const given = JSON.parse(JSON.stringify(file)) as unknown
    expect(await verifyProofFile(given, { anchor, systems: [body] })).toMatchObject({
      status: 'proven',
      trust: { block: { number: BigInt(FAR) }, finality: 'ancestor' },
    })
  })

  test('behavior: a call of a far block', async () => {
    // Returns the block's number.
    const number = { code: '0x4360005260206000f3' } as const
    const made = stateChain(
      states.map((state) => (before) => {
        const held = typeof state === 'function' ? state(before) : state
        return { ...held, [CALLED]: number }
      }),
      [{ rules: 'london', block: 0 }],
    )
    const { client } = clientOf(made.chain, [made.methods])
    const file = await fetchCallProof(client, { to: CALLED, at: FAR })
    const trusted = { anchor: { block: made.chain.head.hash }, chain: made.chain.chain }
    const result = await verifyCallFile(JSON.parse(JSON.stringify(file)), trusted)
    expect(result).toMatchObject({
      status: 'success',
      value: { output: word(FAR) },
      trust: { finality: 'ancestor', block: { number: BigInt(FAR) } },
    })
    const { hash, rlps } = file.source.header
    const bare = { ...file, source: { header: { hash, rlps } } }
    expect(await verifyCallFile(bare, trusted)).toMatchObject({
      status: 'invalid',
      error: { code: 'verify.header' },
    })
  })

  test('behavior: a balance beyond the walk that is allowed', async () => {
    const { client } = clientOf(chain, [methods], { maxWalk: 10 })
    expect(proven(await getBalance(client, { address: OWNER, at: FAR }))).toBe(1005n)
  })
})
