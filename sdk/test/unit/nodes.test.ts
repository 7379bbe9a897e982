import { describe, expect, test } from 'vitest'
import { getBalance, getCode, ProofError, proven, verifyProofFile } from '../../src/entry/node.js'
import { honest, makeChain, NOBODY, OWNER, proofJson, type TestChain } from '../support/chain.js'
import { ASKING, clientOf } from '../support/client.js'
import { type Methods, ScriptedError } from '../support/rpc.js'

const devnet = makeChain(12)
const ethereum = makeChain(70, 'ethereum')

describe('eth_getProof by block', () => {
  const byNumber = (chain: TestChain): Methods =>
    honest(chain, {
      eth_getProof: (address: string, slots: readonly string[], id: unknown) => {
        if (typeof id !== 'string') throw new ScriptedError(-32602, 'invalid argument 2')
        return proofJson(chain.at(Number(id)), address, slots)
      },
    })

  test('behavior: falls back to the number, and remembers it', async () => {
    const { client, calls } = clientOf(ethereum, [byNumber(ethereum)], ASKING)
    expect(proven(await getBalance(client, { address: OWNER }))).toBe(ethereum.head.balance)
    const before = calls.length
    proven(await getBalance(client, { address: OWNER }))
    expect(calls.slice(before)).toEqual(['eth_getProof'])
  })

  test('error: another block at that number is no lie', async () => {
    const methods = {
      ...byNumber(ethereum),
      eth_getBlockByNumber: () => ethereum.at(1).json,
      eth_getProof: (address: string, slots: readonly string[], id: unknown) => {
        if (typeof id !== 'string') throw new ScriptedError(-32602, 'invalid argument 2')
        return proofJson(ethereum.at(1), address, slots)
      },
    }
    const { client } = clientOf(ethereum, [methods])
    const result = await getBalance(client, { address: OWNER })
    expect(result).toMatchObject({ status: 'unavailable', error: { code: 'block' } })
  })
})

describe('several nodes', () => {
  const liar = honest(devnet, {
    eth_getProof: (address: string, slots: readonly string[]) => ({
      ...proofJson(devnet.head, address, slots),
      balance: '0xffff',
    }),
  })
  const pruned = honest(devnet, {
    eth_getProof: () => {
      throw new ScriptedError(-32012, 'outside the window')
    },
  })

  test('behavior: a liar is passed over, and named', async () => {
    const { client } = clientOf(devnet, [liar, honest(devnet)])
    const result = await getBalance(client, { address: OWNER })
    expect(result).toMatchObject({
      status: 'present',
      value: devnet.head.balance,
      trust: { servedBy: 'http://n2', tried: [{ node: 'http://n1', code: 'verify.claim' }] },
    })
  })

  test('behavior: a node that cannot be reached is passed over', async () => {
    const { client } = clientOf(devnet, [honest(devnet)], { nodes: ['http://off', 'http://n1'] })
    const result = await getBalance(client, { address: OWNER })
    expect(result).toMatchObject({
      status: 'present',
      trust: { tried: [{ node: 'http://off', code: 'transport.network' }] },
    })
  })

  test('error: a bad proof and no good one is invalid, with evidence that holds offline', async () => {
    const { client } = clientOf(devnet, [pruned, liar])
    const result = await getBalance(client, { address: OWNER })
    if (result.status !== 'invalid') throw new Error(result.status)
    expect(result.error).toMatchObject({ code: 'verify.claim', node: 'http://n2' })
    expect(result.error.cause).toBeInstanceOf(ProofError)
    const anchor = { block: devnet.head.hash }
    const again = await verifyProofFile(result.evidence[0], { anchor })
    expect(again).toMatchObject({ status: 'invalid', error: { code: 'verify.claim' } })
    expect(() => proven(result)).toThrow(result.error)
  })

  test('error: no proof at all is unavailable, with the most telling code', async () => {
    const { client } = clientOf(devnet, [pruned], { nodes: ['http://off', 'http://n1'] })
    const result = await getBalance(client, { address: OWNER })
    if (result.status !== 'unavailable') throw new Error(result.status)
    expect(result.error.code).toBe('window')
    expect(result.error.cause).toMatchObject({ name: 'RpcError', code: 'rpc.window' })
    expect(result.tried).toEqual([
      { node: 'http://off', code: 'transport.network' },
      { node: 'http://n1', code: 'rpc.window' },
    ])
    expect(() => proven(result)).toThrow(result.error)
  })

  test('error: a node of another chain is named', async () => {
    const other = honest(devnet, { lp_status: () => ({ ...status(), chainId: '0x1' }) })
    const genesis = honest(devnet, {
      lp_status: () => ({ ...status(), genesisHash: devnet.at(1).hash }),
    })
    for (const methods of [other, genesis, honest(ethereum)]) {
      const { client } = clientOf(devnet, [methods])
      const result = await getBalance(client, { address: OWNER })
      const code = methods['lp_status'] === undefined ? 'unsupported' : 'chain'
      expect(result).toMatchObject({ status: 'unavailable', error: { code } })
    }
    const { client } = clientOf(ethereum, [honest(ethereum, { eth_chainId: () => '0x1' })])
    const result = await getBalance(client, { address: OWNER })
    expect(result).toMatchObject({ status: 'unavailable', error: { code: 'chain' } })
  })

  function status(): object {
    const limits = { headers: 4 }
    return { chainId: '0x4c50', genesisHash: devnet.chain.genesisHash, limits }
  }
})

describe('false and malformed proofs', () => {
  const cases: [
    name: string,
    change: (json: ReturnType<typeof proofJson>) => unknown,
    code: string,
  ][] = [
    ['another nonce', (json) => ({ ...json, nonce: '0x2' }), 'verify.claim'],
    ['another block', () => proofJson(devnet.at(0), OWNER, []), 'verify.root'],
    ['another address', (json) => ({ ...json, address: NOBODY }), 'verify.query'],
    ['no nodes', (json) => ({ ...json, accountProof: [] }), 'verify.incomplete'],
    ['the empty trie', (json) => ({ ...json, accountProof: ['0x80'] }), 'verify.incomplete'],
    [
      'a node too many',
      (json) => ({ ...json, accountProof: [json.accountProof[0], '0xc0'] }),
      'decode.node',
    ],
    ['a number for a quantity', (json) => ({ ...json, balance: 1000 }), 'decode.response'],
    ['a missing field', ({ nonce: _, ...json }) => json, 'decode.response'],
    ['odd hex', (json) => ({ ...json, codeHash: '0x123' }), 'decode.response'],
    ['a string', () => 'proof', 'decode.response'],
  ]

  test.each(cases)('error: %s', async (_, change, code) => {
    const eth_getProof = (address: string, slots: readonly string[]): unknown =>
      change(proofJson(devnet.head, address, slots))
    const { client } = clientOf(devnet, [honest(devnet, { eth_getProof })])
    const result = await getBalance(client, { address: OWNER })
    expect(result).toMatchObject({ status: 'invalid', error: { code } })
  })

  test('error: code that does not hash to the code hash', async () => {
    const { client } = clientOf(devnet, [honest(devnet, { eth_getCode: () => '0x6002' })])
    const result = await getCode(client, { address: OWNER })
    expect(result).toMatchObject({ status: 'invalid', error: { code: 'verify.code' } })
  })
})
