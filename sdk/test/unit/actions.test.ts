import { describe, expect, test } from 'vitest'
import type { ClientOptions } from '../../src/entry/node.js'
import * as lightproof from '../../src/entry/node.js'
import {
  CODE,
  honest,
  makeChain,
  NOBODY,
  OWNER,
  proofJson,
  SLOT,
  type TestChain,
} from '../support/chain.js'
import { type Methods, ScriptedError, scriptedFetch } from '../support/rpc.js'

const { getAccount, getBalance, getBlock, getCode, getNonce, getStorage, fetchProof, proven } =
  lightproof

const devnet = makeChain(12)
const ethereum = makeChain(70, 'ethereum')

/** A client of scripted nodes http://n1, http://n2, … pinned at the chain's head. */
function clientOf(
  chain: TestChain,
  nodes: readonly Methods[],
  options: Partial<ClientOptions> = {},
) {
  const origins = nodes.map((_, i) => `http://n${i + 1}`)
  const script = scriptedFetch(Object.fromEntries(origins.map((o, i) => [o, nodes[i] ?? {}])))
  const client = lightproof.createClient({
    chain: chain.chain,
    anchor: { block: chain.head.hash },
    nodes: origins,
    fetch: script.fetch,
    retries: 0,
    ...options,
  })
  return { client, ...script }
}

describe.each(['devnet', 'ethereum'] as const)('an honest %s node', (kind) => {
  const chain = kind === 'devnet' ? devnet : ethereum
  test('default: every action proves what the pinned block holds', async () => {
    const { client } = clientOf(chain, [honest(chain)])
    const address = OWNER
    const { balance, slotValue, storageRoot } = chain.head
    expect(await getBalance(client, { address })).toMatchObject({
      status: 'present',
      value: balance,
      trust: {
        block: { number: chain.head.number, hash: chain.head.hash },
        finality: 'pinned',
        anchor: { kind: 'block', hash: chain.head.hash },
        system: 'mpt',
        variant: 'plain',
        servedBy: 'http://n1',
        tried: [],
        proved: ['header', 'account', 'balance'],
        notProved: ['anchor', 'recency'],
      },
    })
    expect(proven(await getNonce(client, { address }))).toBe(1n)
    expect(proven(await getStorage(client, { address, slot: SLOT }))).toBe(slotValue)
    expect(proven(await getCode(client, { address }))).toBe(CODE)
    expect(proven(await getAccount(client, { address }))).toMatchObject({
      nonce: 1n,
      balance,
      storageHash: storageRoot,
    })
  })

  test('behavior: an absent account reads as the protocol reads it', async () => {
    const { client } = clientOf(chain, [honest(chain)])
    const address = NOBODY
    expect(await getBalance(client, { address })).toMatchObject({ status: 'absent', value: 0n })
    expect(await getNonce(client, { address })).toMatchObject({ status: 'absent', value: 0n })
    expect(await getCode(client, { address })).toMatchObject({ status: 'absent', value: '0x' })
    expect(await getAccount(client, { address })).toMatchObject({ status: 'absent', value: null })
    const slot = await getStorage(client, { address, slot: 1 })
    expect(slot).toMatchObject({ status: 'absent', value: 0n })
  })

  test('behavior: an absent slot of a present account is absent', async () => {
    const { client } = clientOf(chain, [honest(chain)])
    const result = await getStorage(client, { address: OWNER, slot: 1n })
    expect(result).toMatchObject({ status: 'absent', value: 0n })
  })

  test('behavior: an ancestor by number, by hash and as a Block', async () => {
    const { client } = clientOf(chain, [honest(chain)])
    const { hash, balance, stateRoot } = chain.at(2)
    const block = proven(await getBlock(client, { block: 2 }))
    expect(block).toMatchObject({ number: 2n, hash, parentHash: chain.at(1).hash, stateRoot })
    for (const at of [2, 2n, hash, block]) {
      const result = await getBalance(client, { address: OWNER, at })
      expect(result).toMatchObject({ value: balance, trust: { finality: 'ancestor' } })
    }
  })

  test('behavior: an ancestor by a hash that the client has not met', async () => {
    const { client } = clientOf(chain, [honest(chain)])
    const { hash, balance } = chain.at(5)
    expect(proven(await getBalance(client, { address: OWNER, at: hash }))).toBe(balance)
  })

  test('behavior: verified headers are remembered', async () => {
    const { client, calls } = clientOf(chain, [honest(chain)])
    proven(await getBlock(client, { block: 0 }))
    const walked = calls.length
    proven(await getBlock(client, { block: 1 }))
    proven(await getBlock(client, { block: chain.at(3).hash }))
    expect(calls).toHaveLength(walked)
  })

  test('behavior: walks of several actions at once agree', async () => {
    const { client } = clientOf(chain, [honest(chain)])
    const numbers = [9, 3, 7, 1, 5]
    const blocks = await Promise.all(numbers.map((block) => getBlock(client, { block })))
    expect(blocks.map((block) => proven(block).hash)).toEqual(numbers.map((n) => chain.at(n).hash))
    expect(client.headers.map(({ number }) => number)).toEqual(
      client.headers.map((_, i) => chain.head.number - BigInt(i)),
    )
  })

  test('error: a block above the pin is untrusted, and no other node is asked', async () => {
    const pin = chain.at(6).hash
    const nodes = [honest(chain), honest(chain)]
    const { client } = clientOf(chain, nodes, { anchor: { block: pin } })
    for (const at of [7, chain.at(7).hash]) {
      const result = await getBalance(client, { address: OWNER, at })
      expect(result).toMatchObject({
        status: 'unavailable',
        error: { name: 'UnavailableError', code: 'untrusted' },
        tried: [{ node: 'http://n1', code: 'untrusted' }],
      })
    }
  })

  test('error: a block of another branch is untrusted', async () => {
    const { client } = clientOf(chain, [honest(chain)])
    const at = { number: 3n, hash: chain.at(4).hash }
    const fresh = await getBlock(client, { block: at })
    expect(fresh).toMatchObject({ status: 'unavailable', error: { code: 'untrusted' } })
  })

  test('error: a block beyond maxWalk is not walked to', async () => {
    const { client, calls } = clientOf(chain, [honest(chain)], { maxWalk: 4 })
    const result = await getBlock(client, { block: 0 })
    expect(result).toMatchObject({ status: 'unavailable', error: { code: 'walk' } })
    expect(calls).toHaveLength(2)
  })
})

describe('header walks', () => {
  test('behavior: Ethereum blocks are asked for in batches of 32', async () => {
    const { client, exchanges } = clientOf(ethereum, [honest(ethereum)])
    proven(await getBlock(client, { block: 0 }))
    expect(exchanges).toEqual([1, 1, 32, 32, 5])
  })

  test('behavior: a node that refuses batches is asked one by one', async () => {
    const { client, fetch } = clientOf(ethereum, [honest(ethereum)])
    let refused = 0
    const single: typeof fetch = (input, init) => {
      if (!String(init?.body).startsWith('[')) return fetch(input, init)
      refused++
      const error = { code: -32600, message: 'batches are not allowed' }
      return Promise.resolve(Response.json({ jsonrpc: '2.0', id: null, error }))
    }
    const options = { ...client, anchor: { block: ethereum.head.hash }, nodes: ['http://n1'] }
    const { chain, anchor, nodes } = options
    const alone = lightproof.createClient({ chain, anchor, nodes, fetch: single })
    expect(proven(await getBlock(alone, { block: 60 })).hash).toBe(ethereum.at(60).hash)
    expect(refused).toBe(1)
  })

  test('behavior: a node whose chain left the pin behind is asked by hash', async () => {
    const fork = makeChain(3, 'ethereum')
    const methods = honest(ethereum, { eth_getBlockByNumber: () => fork.at(1).json })
    const { client } = clientOf(ethereum, [methods])
    expect(proven(await getBlock(client, { block: 66 })).hash).toBe(ethereum.at(66).hash)
  })

  test('error: a header that is not the pinned one is invalid, with evidence', async () => {
    const methods = honest(devnet, { lp_getHeader: () => lightproofHex(devnet.at(3).rlp) })
    const { client } = clientOf(devnet, [methods])
    const result = await getBalance(client, { address: OWNER })
    expect(result).toMatchObject({
      status: 'invalid',
      error: { name: 'ProofError', code: 'verify.header', kind: 'verify', node: 'http://n1' },
      evidence: [{ kind: 'evidence', expected: { result: 'invalid', code: 'verify.header' } }],
    })
    if (result.status !== 'invalid') throw new Error('unreachable')
    const anchor = { block: devnet.head.hash }
    const again = await lightproof.verifyProofFile(result.evidence[0], { anchor })
    expect(again).toMatchObject({ status: 'invalid', error: { code: 'verify.header' } })
  })

  test('error: a false ancestor is invalid', async () => {
    const bad = lightproofHex(devnet.at(3).rlp)
    const lies = { lp_getHeaders: () => [bad], lp_getHeader: liesBelowHead(bad) }
    const { client } = clientOf(devnet, [honest(devnet, lies)])
    const result = await getBlock(client, { block: 8 })
    expect(result).toMatchObject({ status: 'invalid', error: { code: 'verify.header' } })
  })

  test('error: a gap among the fields of a header names the field', async () => {
    const gap = { ...ethereum.head.json, baseFeePerGas: null, withdrawalsRoot: ethereum.head.hash }
    const { client } = clientOf(ethereum, [honest(ethereum, { eth_getBlockByHash: () => gap })])
    const result = await getBlock(client)
    expect(result).toMatchObject({ status: 'invalid', error: { code: 'decode.response' } })
    expect(result).toHaveProperty('error.message', expect.stringContaining('baseFeePerGas'))
  })

  test('behavior: fields of an unknown fork are fetched raw', async () => {
    const { json, rlp, hash } = ethereum.head
    const { baseFeePerGas, ...old } = json
    const later = { ...old, newFee: baseFeePerGas }
    const lies = {
      eth_getBlockByHash: () => later,
      debug_getRawHeader: (id: string) => (id === hash ? lightproofHex(rlp) : null),
    }
    const { client } = clientOf(ethereum, [honest(ethereum, lies)])
    expect(proven(await getBlock(client)).hash).toBe(hash)
  })

  test('error: fields of an unknown fork and no raw headers is no lie', async () => {
    const { baseFeePerGas, ...old } = ethereum.head.json
    const later = { ...old, newFee: baseFeePerGas }
    const { client } = clientOf(ethereum, [honest(ethereum, { eth_getBlockByHash: () => later })])
    const result = await getBlock(client)
    expect(result).toMatchObject({ status: 'unavailable', error: { code: 'unsupported' } })
    expect(result).toHaveProperty('error.message', expect.stringContaining('newFee'))
  })
})

describe('eth_getProof by block', () => {
  const byNumber = (chain: TestChain): Methods =>
    honest(chain, {
      eth_getProof: (address: string, slots: readonly string[], id: unknown) => {
        if (typeof id !== 'string') throw new ScriptedError(-32602, 'invalid argument 2')
        return proofJson(chain.at(Number(id)), address, slots)
      },
    })

  test('behavior: falls back to the number, and remembers it', async () => {
    const { client, calls } = clientOf(ethereum, [byNumber(ethereum)])
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
    expect(result.error.cause).toBeInstanceOf(lightproof.ProofError)
    const anchor = { block: devnet.head.hash }
    const again = await lightproof.verifyProofFile(result.evidence[0], { anchor })
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

describe("the caller's mistakes", () => {
  const { client } = clientOf(devnet, [honest(devnet)])

  test.each([
    [{ address: '0x12' }, 'input.address', 'address'],
    [{ address: 12 }, 'input.address', 'address'],
    [{ address: `0x${'Aa'.repeat(20)}` }, 'input.checksum', 'address'],
    [{ address: OWNER, at: 'latest' }, 'input.block', 'at'],
    [{ address: OWNER, at: -1 }, 'input.block', 'at'],
    [{ address: OWNER, at: 1.5 }, 'input.block', 'at'],
    [{ address: OWNER, at: { hash: '0x12', number: 1 } }, 'input.block', 'at.hash'],
    [{ address: OWNER, signal: true }, 'input.option', 'signal'],
    [{ address: OWNER, block: 1 }, 'input.option', 'block'],
    [undefined, 'input.option', 'parameters'],
  ])('error: %j', async (parameters, code, argument) => {
    const promise = getBalance(client, parameters as never)
    await expect(promise).rejects.toMatchObject({ name: 'InputError', code, argument })
  })

  test('error: a slot that is no 32-byte integer', async () => {
    for (const slot of [-1, '0x', '12', 2n ** 256n, 0.5, `0x${'0'.repeat(65)}`]) {
      const promise = getStorage(client, { address: OWNER, slot })
      await expect(promise).rejects.toMatchObject({ code: 'input.slot', argument: 'slot' })
    }
  })

  test('error: too many slots, or one twice', async () => {
    const many = Array.from({ length: 1025 }, (_, i) => i)
    const twice = fetchProof(client, { address: OWNER, slots: [1, '0x01'] })
    await expect(twice).rejects.toMatchObject({ argument: 'slots[1]' })
    const tooMany = fetchProof(client, { address: OWNER, slots: many })
    await expect(tooMany).rejects.toMatchObject({ code: 'input.slot', argument: 'slots' })
  })

  test('error: something that is no client', async () => {
    const promise = getBalance({} as never, { address: OWNER })
    await expect(promise).rejects.toMatchObject({ code: 'input.option', argument: 'client' })
  })

  test('behavior: abort rethrows the reason, before and during the action', async () => {
    const reason = new Error('user left')
    const before = getBalance(client, { address: OWNER, signal: AbortSignal.abort(reason) })
    await expect(before).rejects.toBe(reason)
    const abort = new AbortController()
    const hanging = lightproof.createClient({
      chain: devnet.chain,
      anchor: { block: devnet.head.hash },
      nodes: ['http://n1', 'http://n2'],
      fetch: () => {
        queueMicrotask(() => abort.abort(reason))
        return new Promise(() => {})
      },
    })
    const during = getBalance(hanging, { address: OWNER, signal: abort.signal })
    await expect(during).rejects.toBe(reason)
  })
})

function lightproofHex(bytes: Uint8Array): string {
  return `0x${Buffer.from(bytes).toString('hex')}`
}

/** Serves the true header of the head, and the given one for every other hash. */
function liesBelowHead(bad: string): (hash: string) => string {
  return (hash) => (hash === devnet.head.hash ? lightproofHex(devnet.head.rlp) : bad)
}
