import { describe, expect, test } from 'vitest'
import { createProvider, ProviderRpcError } from '../../src/eip1193.js'
import { fromHex, toHex } from '../../src/encoding/hex.js'
import { loadHash } from '../../src/wasm/module.js'
import { honest, makeChain, NOBODY, OWNER, proofJson, SLOT } from '../support/chain.js'
import { clientOf } from '../support/client.js'
import { type Methods, ScriptedError } from '../support/rpc.js'

const chain = makeChain(12)
const ethereum = makeChain(6, 'ethereum')

const providerOf = (
  nodes: readonly Methods[],
  options: Parameters<typeof createProvider>[1] = {},
  of = chain,
) => {
  const { client, calls } = clientOf(of, nodes)
  return { provider: createProvider(client, options), calls }
}

const failure = async (work: Promise<unknown>): Promise<ProviderRpcError> => {
  const error = await work.then(
    (value) => new Error(`passed: ${JSON.stringify(value)}`),
    (thrown: unknown) => thrown,
  )
  if (error instanceof ProviderRpcError) return error
  throw error
}

const liar = honest(chain, {
  eth_getProof: (address: string, slots: readonly string[]) => ({
    ...proofJson(chain.head, address, slots),
    balance: '0xffff',
  }),
})

describe('what is proven', () => {
  const { provider } = providerOf([honest(chain)])
  const head = `0x${chain.head.number.toString(16)}`
  const word = `0x${chain.head.slotValue.toString(16).padStart(64, '0')}`

  test.each([
    ['eth_chainId', [], '0x4c50'],
    ['net_version', [], '19536'],
    ['eth_accounts', [], []],
    ['web3_sha3', ['0x'], '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'],
    ['eth_blockNumber', [], head],
    ['eth_getBalance', [OWNER, 'latest'], `0x${chain.head.balance.toString(16)}`],
    ['eth_getBalance', [OWNER], `0x${chain.head.balance.toString(16)}`],
    ['eth_getBalance', [OWNER, '0x3'], `0x${chain.at(3).balance.toString(16)}`],
    ['eth_getBalance', [OWNER, 'earliest'], `0x${chain.at(0).balance.toString(16)}`],
    ['eth_getBalance', [OWNER, { blockHash: chain.at(4).hash }], `0x${(1004).toString(16)}`],
    ['eth_getBalance', [OWNER, { blockNumber: '0x5' }], `0x${(1005).toString(16)}`],
    ['eth_getBalance', [NOBODY, 'latest'], '0x0'],
    ['eth_getTransactionCount', [OWNER, 'latest'], '0x1'],
    ['eth_getCode', [OWNER, 'latest'], '0x6001600155'],
    ['eth_getStorageAt', [OWNER, SLOT, 'latest'], word],
    ['eth_getStorageAt', [OWNER, '0x0', 'latest'], `0x${'0'.repeat(64)}`],
  ] as const)('%s %j', async (method, params, expected) => {
    expect(await provider.request({ method, params })).toEqual(expected)
  })

  test('eth_getProof is the proof that was checked', async () => {
    const proof = await provider.request({ method: 'eth_getProof', params: [OWNER, [SLOT], '0x7'] })
    expect(proof).toEqual(proofJson(chain.at(7), OWNER, [SLOT]))
  })

  test('eth_getBlockBy*: the header, and of its lists only those that are empty', async () => {
    const { provider } = providerOf([honest(ethereum)], {}, ethereum)
    const { json } = ethereum.at(3)
    const { size: _, uncles: __, ...header } = json
    for (const [method, id] of [
      ['eth_getBlockByNumber', '0x3'],
      ['eth_getBlockByHash', ethereum.at(3).hash],
    ] as const) {
      expect(await provider.request({ method, params: [id, true] })).toEqual(header)
    }
  })

  test('behavior: every answer is told with its trust', async () => {
    const told: unknown[] = []
    const { provider } = providerOf([honest(chain)], { onAnswer: (answer) => told.push(answer) })
    await provider.request({ method: 'eth_getBalance', params: [OWNER, '0x2'] })
    expect(told).toMatchObject([
      { method: 'eth_getBalance', proven: true, trust: { block: { number: 2n } } },
    ])
  })

  test('default: the list of methods says what each one proves', () => {
    const listed = provider.methods.map(({ method, verify }) => [method, verify])
    expect(listed).toContainEqual(['eth_getBalance', 'require'])
    expect(listed).toContainEqual(['eth_sendRawTransaction', 'off'])
    expect(listed.length).toBe(14)
  })
})

describe('what is not', () => {
  const believed = { eth_call: () => '0x01', eth_gasPrice: () => '0x9' }

  test('error: refused with 4200 and the option that allows it', async () => {
    const { provider, calls } = providerOf([honest(chain, believed)])
    const error = await failure(provider.request({ method: 'eth_call', params: [{}, 'latest'] }))
    expect(error).toMatchObject({ code: 4200, data: { code: 'unprovable' } })
    expect(error.message).toContain("verify: { eth_call: 'off' }")
    expect(calls).toEqual([])
  })

  test('behavior: a policy for all methods allows none that cannot be proven', async () => {
    const { provider } = providerOf([honest(chain, believed)], { verify: 'prefer' })
    expect(await failure(provider.request({ method: 'eth_call' }))).toMatchObject({ code: 4200 })
  })

  test.each(['off', 'prefer'] as const)(
    'behavior: %s takes the node at its word',
    async (verify) => {
      const told: unknown[] = []
      const options = { verify: { eth_call: verify }, onAnswer: (a: unknown) => told.push(a) }
      const { provider } = providerOf([{}, honest(chain, believed)], options)
      expect(await provider.request({ method: 'eth_call', params: [{}, 'latest'] })).toBe('0x01')
      expect(told).toMatchObject([{ proven: false, trust: undefined }])
      expect(await failure(provider.request({ method: 'eth_gasPrice' }))).toMatchObject({
        code: 4200,
      })
    },
  )

  test('behavior: off asks for no proof', async () => {
    const { provider, calls } = providerOf([honest(chain, { eth_getBalance: () => '0x7' })], {
      verify: { eth_getBalance: 'off' },
    })
    expect(await provider.request({ method: 'eth_getBalance', params: [OWNER] })).toBe('0x7')
    expect(calls).toEqual(['lp_status', 'eth_getBalance'])
  })

  test('behavior: prefer believes a node that cannot prove, but none that lied', async () => {
    const params = [OWNER, 'latest']
    const word = { eth_getBalance: () => '0x7' }
    const { eth_getProof: _, ...proofless } = honest(chain, word)
    const believing = providerOf([proofless], { verify: 'prefer' })
    expect(await believing.provider.request({ method: 'eth_getBalance', params })).toBe('0x7')
    const lied = providerOf([{ ...liar, ...word }], { verify: 'prefer' })
    const error = await failure(lied.provider.request({ method: 'eth_getBalance', params }))
    expect(error.code).toBe(-32070)
    expect(lied.calls).not.toContain('eth_getBalance')
  })

  test('error: keys are for wallets', async () => {
    const { provider } = providerOf([honest(chain)])
    const codes = ['eth_requestAccounts', 'personal_sign', 'eth_sendTransaction'].map(
      async (method) => (await failure(provider.request({ method }))).code,
    )
    expect(await Promise.all(codes)).toEqual([4100, 4200, 4200])
  })

  test('behavior: a raw transaction is passed on, and its hash computed here', async () => {
    const raw = '0x02c0'
    const { keccak256 } = await loadHash()
    const hash = toHex(keccak256(fromHex(raw) ?? new Uint8Array(0)))
    const call = { method: 'eth_sendRawTransaction', params: [raw] }
    const good = providerOf([honest(chain, { eth_sendRawTransaction: () => hash })])
    expect(await good.provider.request(call)).toBe(hash)
    const bad = providerOf([honest(chain, { eth_sendRawTransaction: () => chain.head.hash })])
    expect(await failure(bad.provider.request(call))).toMatchObject({ code: -32070 })
    const strict = providerOf([honest(chain)], { verify: { eth_sendRawTransaction: 'require' } })
    expect(await failure(strict.provider.request(call))).toMatchObject({ code: 4200 })
  })
})

describe('codes', () => {
  const ask = { method: 'eth_getBalance', params: [OWNER, 'latest'] }
  const { eth_getProof: _, ...proofless } = honest(chain)
  const elsewhere = honest(chain, {
    lp_status: () => ({ chainId: '0x1', genesisHash: chain.chain.genesisHash, limits: {} }),
  })
  const refusing = honest(chain, {
    eth_getProof: () => {
      throw new ScriptedError(-32012, 'outside the window')
    },
  })

  test.each([
    ['a lie', [liar], ask, -32070, 'verify.claim'],
    ['no method for proofs', [proofless], ask, -32004, 'unsupported'],
    [
      'a block that nobody signed',
      [honest(chain)],
      { ...ask, params: [OWNER, '0xff'] },
      -32002,
      'untrusted',
    ],
    ['outside the window', [refusing], ask, -32002, 'window'],
    ['another chain', [elsewhere], ask, 4901, 'chain'],
    ['no address', [honest(chain)], { ...ask, params: [7] }, -32602, 'input.option'],
    ['a bad address', [honest(chain)], { ...ask, params: ['0x1'] }, -32602, 'input.address'],
    ['a bad block', [honest(chain)], { ...ask, params: [OWNER, 'newest'] }, -32602, 'input.option'],
    ['pending', [honest(chain)], { ...ask, params: [OWNER, 'pending'] }, 4200, 'unprovable'],
    [
      'final where a block is pinned',
      [honest(chain)],
      { ...ask, params: [OWNER, 'finalized'] },
      4200,
      'unprovable',
    ],
    [
      'transactions of a devnet block',
      [honest(chain)],
      { method: 'eth_getBlockByNumber', params: ['0xz'] },
      -32602,
      'input.option',
    ],
  ] as const)('error: %s', async (_name, nodes, request, code, own) => {
    const { provider } = providerOf([...nodes] as Methods[])
    expect(await failure(provider.request(request))).toMatchObject({ code, data: { code: own } })
  })

  test('error: a lie goes with its evidence', async () => {
    const { provider } = providerOf([liar])
    const { data } = await failure(provider.request(ask))
    expect(data).toMatchObject({ node: 'http://n1', evidence: [{ kind: 'evidence' }] })
  })

  test('error: a request of no form', async () => {
    const { provider } = providerOf([honest(chain)])
    for (const request of [undefined, {}, { method: 7 }, { method: 'eth_chainId', params: {} }]) {
      const work = provider.request(request as unknown as { method: string })
      expect(await failure(work)).toMatchObject({ code: -32600 })
    }
  })

  test("error: a node's own refusal keeps its code and data", async () => {
    const eth_call = (): never => {
      throw new ScriptedError(3, 'execution reverted')
    }
    const { provider } = providerOf([honest(chain, { eth_call })], { verify: { eth_call: 'off' } })
    expect(await failure(provider.request({ method: 'eth_call' }))).toMatchObject({ code: 3 })
  })

  test('error: malformed options', () => {
    const { client } = clientOf(chain, [honest(chain)])
    for (const options of [
      { verify: 'yes' },
      { verify: { eth_call: 1 } },
      { pollMs: 0 },
      { x: 1 },
    ]) {
      expect(() => createProvider(client, options as never)).toThrow(/verify|pollMs|x/)
    }
  })
})

describe('events', () => {
  test('behavior: connect, disconnect and connect again', async () => {
    const heard: unknown[] = []
    let up = true
    const script = clientOf(chain, [honest(chain)])
    const { client } = clientOf(chain, [honest(chain)], {
      fetch: (input, init) =>
        up ? script.fetch(input, init) : Promise.reject(new TypeError('down')),
    })
    const provider = createProvider(client)
    provider.on('connect', (info) => heard.push(info))
    provider.on('disconnect', ({ code }) => heard.push(code))
    const ask = (at: string): Promise<unknown> =>
      provider.request({ method: 'eth_getBalance', params: [OWNER, at] }).catch(() => undefined)
    await provider.request({ method: 'eth_chainId' })
    expect(heard).toEqual([])
    await ask('latest')
    up = false
    await ask('0x1')
    await ask('0x1')
    up = true
    await ask('0x1')
    const connect = { chainId: '0x4c50' }
    expect(heard).toEqual([connect, 4900, connect])
  })

  test('behavior: chainChanged, when another client is chosen', async () => {
    const heard: string[] = []
    const one = clientOf(chain, [honest(chain)]).client
    const two = clientOf(ethereum, [honest(ethereum)]).client
    const provider = createProvider([one, two])
    provider.on('chainChanged', (chainId) => heard.push(chainId))
    const change = (chainId: unknown): Promise<unknown> =>
      provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId }] })
    expect(await change('0x539')).toBe(null)
    expect(await provider.request({ method: 'eth_chainId' })).toBe('0x539')
    await change('0x539')
    expect(await failure(change('0x7'))).toMatchObject({ code: 4902 })
    expect(await failure(change(7))).toMatchObject({ code: -32602 })
    expect(heard).toEqual(['0x539'])
  })

  test('behavior: a listener that left hears nothing', async () => {
    const { provider } = providerOf([honest(chain)])
    const heard: unknown[] = []
    const listener = (info: unknown): void => void heard.push(info)
    provider.on('connect', listener)
    provider.removeListener('connect', listener)
    await provider.request({ method: 'eth_blockNumber' })
    expect(heard).toEqual([])
  })

  test('behavior: a closed provider answers 4900', async () => {
    const { provider } = providerOf([honest(chain)])
    provider.close()
    provider.close()
    expect(await failure(provider.request({ method: 'eth_chainId' }))).toMatchObject({ code: 4900 })
  })

  test('error: subscriptions need a checkpoint, and are to new heads', async () => {
    const { provider } = providerOf([honest(chain)])
    for (const kind of ['newHeads', 'logs']) {
      const work = provider.request({ method: 'eth_subscribe', params: [kind] })
      expect(await failure(work)).toMatchObject({ code: 4200 })
    }
    expect(await provider.request({ method: 'eth_unsubscribe', params: ['0x1'] })).toBe(false)
  })
})
