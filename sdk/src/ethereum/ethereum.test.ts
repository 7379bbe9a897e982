import { describe, expect, test } from 'vitest'
import '../entry/node.js'
import { type Hex, toHex } from '../encoding/hex.js'
import { ProofError } from '../result/errors.js'
import { encodeProof } from '../systems/mpt/encode.js'
import { loadHash } from '../wasm/module.js'
import { encodeHeader } from './header.js'

const { keccak256 } = await loadHash()

const EMPTY_ROOT = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'

/** Block 0 of Ethereum, as its genesis file defines it. */
const MAINNET_GENESIS = {
  hash: '0xd4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3',
  parentHash: toHex(new Uint8Array(32)),
  sha3Uncles: '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347',
  miner: toHex(new Uint8Array(20)),
  stateRoot: '0xd7f8974fb5ac78d9ac099b9ad5018bedc2ce0a72dad1827a1709da30580f0544',
  transactionsRoot: EMPTY_ROOT,
  receiptsRoot: EMPTY_ROOT,
  logsBloom: toHex(new Uint8Array(256)),
  difficulty: '0x400000000',
  number: '0x0',
  gasLimit: '0x1388',
  gasUsed: '0x0',
  timestamp: '0x0',
  extraData: '0x11bbe8db4e347b4e8c937c1c8370e4b5ed33adb3db69cbdb7a38e1e50b1b82fa',
  mixHash: toHex(new Uint8Array(32)),
  nonce: '0x0000000000000042',
  size: '0x21c',
  totalDifficulty: '0x400000000',
  transactions: [],
  uncles: [],
}

const APPENDED = {
  baseFeePerGas: '0x7',
  withdrawalsRoot: EMPTY_ROOT,
  blobGasUsed: '0x0',
  excessBlobGas: '0x0',
  parentBeaconBlockRoot: toHex(new Uint8Array(32)),
  requestsHash: EMPTY_ROOT,
  blockAccessListHash: EMPTY_ROOT,
  slotNumber: '0x1',
}

describe('headers', () => {
  test("default: mainnet's genesis block hashes to its hash", () => {
    const { rlp, claimedHash, unknown } = encodeHeader(MAINNET_GENESIS)
    expect(toHex(keccak256(rlp))).toBe(MAINNET_GENESIS.hash)
    expect(toHex(claimedHash)).toBe(MAINNET_GENESIS.hash)
    expect(unknown).toEqual([])
  })

  test('behavior: every appended field changes the bytes', () => {
    const lengths = Object.keys(APPENDED).map((_, count) => {
      const fields = Object.entries(APPENDED).slice(0, count + 1)
      return encodeHeader({ ...MAINNET_GENESIS, ...Object.fromEntries(fields) }).rlp.length
    })
    expect(lengths).toEqual([...lengths].sort((a, b) => a - b))
    expect(new Set(lengths).size).toBe(8)
  })

  test('behavior: null is a missing field, and foreign keys are listed', () => {
    const plain = encodeHeader(MAINNET_GENESIS)
    const block = { ...MAINNET_GENESIS, baseFeePerGas: null, newField: '0x1' }
    const { rlp, unknown } = encodeHeader(block)
    expect(rlp).toEqual(plain.rlp)
    expect(unknown).toEqual(['newField'])
  })

  test.each(Object.keys(APPENDED).slice(0, -1))('error: a gap at %s is named', (missing) => {
    const { [missing]: _, ...rest } = APPENDED as Record<string, string>
    expect(() => encodeHeader({ ...MAINNET_GENESIS, ...rest })).toThrow(`block.${missing}`)
  })

  test.each(Object.keys(MAINNET_GENESIS).slice(0, 16))('error: %s missing or malformed', (key) => {
    for (const value of [undefined, null, '', '0x', 1, '0xzz', `0x${'00'.repeat(300)}zz`]) {
      if (key === 'extraData' && value === '0x') continue
      expect(() => encodeHeader({ ...MAINNET_GENESIS, [key]: value })).toThrow(ProofError)
    }
  })
})

describe('eth_getProof', () => {
  const HASH = toHex(new Uint8Array(32).fill(1))
  const RESPONSE = {
    address: toHex(new Uint8Array(20).fill(2)),
    accountProof: ['0xc0', '0xc180'],
    balance: '0x1',
    codeHash: HASH,
    nonce: '0x0',
    storageHash: HASH,
    storageProof: [{ key: '0x1', value: '0x2a', proof: ['0xc0'] }],
  }
  const encode = (change: object): Hex => toHex(encodeProof({ ...RESPONSE, ...change }))
  const slot = (change: object): Hex =>
    encode({ storageProof: [{ ...RESPONSE.storageProof[0], ...change }] })

  test('default: the form that the core reads', () => {
    const account = `94${'02'.repeat(20)}8001a0${'01'.repeat(32)}a0${'01'.repeat(32)}`
    const key = `a0${'00'.repeat(31)}01`
    expect(encode({})).toBe(`0xf887${account}c581c082c180e6e5${key}2ac281c0c0`)
  })

  test('behavior: keys padded or not, with 0x or not, in any case', () => {
    const keys = ['0x1', '1', '01', '0x01', `0x${'0'.repeat(63)}1`, `${'0'.repeat(63)}1`]
    for (const key of keys) expect(slot({ key })).toBe(encode({}))
    expect(slot({ key: '0xAB' })).toBe(slot({ key: 'ab' }))
  })

  test('behavior: the empty trie is [] or its one empty node', () => {
    expect(slot({ proof: ['0x80'] })).toBe(slot({ proof: [] }))
    expect(encode({ accountProof: ['0x80'] })).toBe(encode({ accountProof: [] }))
    expect(slot({ proof: ['0x80', '0x80'] })).not.toBe(slot({ proof: [] }))
  })

  test('behavior: padded quantities are minimal in the proof', () => {
    expect(slot({ value: `0x${'0'.repeat(62)}2a` })).toBe(encode({}))
    expect(encode({ balance: '0x0001' })).toBe(encode({}))
  })

  test('behavior: the code comes last', () => {
    const without = encodeProof(RESPONSE)
    const code = encodeProof(RESPONSE, { result: '0x6001' })
    expect(toHex(without).endsWith('c0')).toBe(true)
    expect(toHex(code).endsWith('c3826001')).toBe(true)
  })

  test.each<[string, object]>([
    ['address', { address: '0x12' }],
    ['nonce', { nonce: 0 }],
    ['balance', { balance: `0x${'1'.repeat(65)}` }],
    ['storageHash', { storageHash: '0x' }],
    ['codeHash', { codeHash: null }],
    ['accountProof', { accountProof: undefined }],
    ['accountProof[1]', { accountProof: ['0xc0', 'c0'] }],
    ['storageProof', { storageProof: {} }],
    ['storageProof[0]', { storageProof: [null] }],
    ['storageProof[0].key', { storageProof: [{ key: `0x${'0'.repeat(66)}` }] }],
    ['storageProof[0].key', { storageProof: [{ key: '' }] }],
    ['storageProof[0].key', { storageProof: [{ key: '0x' }] }],
    ['storageProof[0].key', { storageProof: [{ key: 1 }] }],
    ['storageProof[0].value', { storageProof: [{ key: '0x1', value: '' }] }],
    ['storageProof[0].proof', { storageProof: [{ key: '0x1', value: '0x1', proof: '0x' }] }],
    ['storageProof[0].proof[0]', { storageProof: [{ key: '0x1', value: '0x1', proof: [[]] }] }],
  ])('error: %s', (field, change) => {
    expect(() => encode(change)).toThrow(
      expect.objectContaining({
        code: 'decode.response',
        message: expect.stringMatching(`^${field.replace(/[[\].]/g, '\\$&')}: `),
      }),
    )
  })

  test('error: code that is no hex', () => {
    expect(() => encodeProof(RESPONSE, { result: null })).toThrow('eth_getCode')
  })
})
