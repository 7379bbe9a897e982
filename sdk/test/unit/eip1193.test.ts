import { describe, expect, test } from 'vitest'
import {
  createProvider,
  type ProviderAnswer,
  type ProviderExtension,
  ProviderRpcError,
  RPC_CODES,
} from '../../src/entry/eip1193.js'
import type { Json } from '../../src/result/json.js'
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
    expect(listed).toContainEqual(['eth_call', 'require'])
    expect(listed.length).toBe(38)
  })
})

describe('what is not', () => {
  const believed = { eth_call: () => '0x01', eth_blobBaseFee: () => '0x9' }

  test('error: refused with 4200 and the option that allows it', async () => {
    const { provider, calls } = providerOf([honest(chain, believed)])
    const error = await failure(provider.request({ method: 'eth_call', params: [{}, 'latest'] }))
    expect(error).toMatchObject({ code: 4200, data: { code: 'unprovable' } })
    // Not how to believe a node: what a call answers can be proven.
    expect(error.message).toContain('extensions: [evm()]')
    expect(error.message).not.toContain("'off'")
    expect(calls).toEqual([])
  })

  test('behavior: a policy for all methods allows none that cannot be proven', async () => {
    const options = { verify: 'prefer', onAnswer: () => undefined } as const
    const { provider } = providerOf([honest(chain, believed)], options)
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
      expect(await failure(provider.request({ method: 'eth_blobBaseFee' }))).toMatchObject({
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

  test('behavior: prefer believes a node that cannot prove, and says so; but none that lied', async () => {
    const params = [OWNER, 'latest']
    const word = { eth_getBalance: () => '0x7' }
    const { eth_getProof: _, ...proofless } = honest(chain, word)
    const told: ProviderAnswer[] = []
    const options = { verify: 'prefer', onAnswer: (a: ProviderAnswer) => told.push(a) } as const
    const believing = providerOf([proofless], options)
    expect(await believing.provider.request({ method: 'eth_getBalance', params })).toBe('0x7')
    expect(told).toMatchObject([{ proven: false, trust: undefined, reason: { code: -32004 } }])
    const lied = providerOf([{ ...liar, ...word }], options)
    const error = await failure(lied.provider.request({ method: 'eth_getBalance', params }))
    expect(error.code).toBe(-32070)
    expect(lied.calls).not.toContain('eth_getBalance')
  })

  test.each(['prefer', { eth_getBalance: 'prefer' }, { eth_call: 'prefer' }] as const)(
    'error: verify %j without a listener, who would not see that nothing was proven',
    (verify) => {
      const { client } = clientOf(chain, [honest(chain)])
      const make = (): unknown => createProvider(client, { verify })
      expect(make).toThrow(expect.objectContaining({ code: 'input.option', argument: 'onAnswer' }))
    },
  )

  test.each(['off', 'prefer'] as const)(
    'error: a node that lied once is not believed by %s, also where it refuses to prove now',
    async (verify) => {
      let lies = true
      const turned = honest(chain, {
        eth_getBalance: () => '0xffffff',
        eth_getProof: (address: string, slots: readonly string[]) => {
          if (!lies) throw new ScriptedError(-32601, 'no such method')
          return { ...proofJson(chain.head, address, slots), balance: '0xffff' }
        },
      })
      const { client, calls } = clientOf(chain, [turned])
      const onAnswer = (): void => undefined
      const provider = createProvider(client, { verify: { eth_getBalance: verify }, onAnswer })
      await failure(provider.request({ method: 'eth_getCode', params: [OWNER, 'latest'] }))
      lies = false
      const work = provider.request({ method: 'eth_getBalance', params: [OWNER, 'latest'] })
      expect(await failure(work)).toMatchObject({
        code: -32070,
        data: { code: 'verify.claim', node: 'http://n1' },
      })
      expect(calls).not.toContain('eth_getBalance')
    },
  )

  test('behavior: the word of another node, where one lied', async () => {
    const nodes = [{ ...liar, eth_blobBaseFee: () => '0x1' }, honest(chain, believed)]
    const { provider } = providerOf(nodes, { verify: { eth_blobBaseFee: 'off' } })
    await provider.request({ method: 'eth_getBalance', params: [OWNER] })
    expect(await provider.request({ method: 'eth_blobBaseFee' })).toBe('0x9')
  })

  const OWN = [
    ['eth_chainId', [], '0x4c50'],
    ['net_version', [], '19536'],
    ['web3_clientVersion', [], 'lightproof'],
    ['web3_sha3', ['0x'], '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'],
    ['eth_accounts', [], []],
    ['eth_requestAccounts', [], 4100],
    ...[
      ...['eth_sign', 'eth_signTransaction', 'eth_signTypedData', 'eth_signTypedData_v3'],
      ...['eth_signTypedData_v4', 'eth_sendTransaction', 'eth_sendRawTransactionSync'],
      ...['personal_sign', 'personal_ecRecover', 'eth_decrypt', 'eth_getEncryptionPublicKey'],
      ...['wallet_sendCalls', 'wallet_watchAsset', 'wallet_getPermissions', 'eth_coinbase'],
    ].map((method) => [method, [], 4200] as const),
  ] as const

  test.each(OWN)(
    'behavior: %s goes to no node, whatever the policy',
    async (method, params, own) => {
      for (const verify of ['off', { [method]: 'off' }, { [method]: 'prefer' }] as const) {
        const stranger = new Proxy(honest(chain), { get: () => () => ['0xbad'] })
        const { provider, calls } = providerOf([stranger], { verify, onAnswer: () => undefined })
        const work = provider.request({ method, params })
        if (typeof own === 'number') expect(await failure(work)).toMatchObject({ code: own })
        else expect(await work).toEqual(own)
        expect(calls).toEqual([])
      }
    },
  )

  test('error: keys are for wallets', async () => {
    const { provider } = providerOf([honest(chain)])
    const codes = ['eth_requestAccounts', 'personal_sign', 'eth_sendTransaction'].map(
      async (method) => (await failure(provider.request({ method }))).code,
    )
    expect(await Promise.all(codes)).toEqual([4100, 4200, 4200])
  })
})

describe('extensions', () => {
  const extension: ProviderExtension = {
    methods: {
      eth_gasPrice: { proves: 'a test' },
      eth_newFilter: { proves: 'a test', isOwn: true },
    },
    handle: async (method, { params }) => ({
      result: [method, ...params] as Json,
      trust: undefined,
    }),
  }
  const extensions = [extension]

  test('behavior: a method of an extension is answered, listed and under the policy', async () => {
    const word = honest(chain, { eth_gasPrice: () => '0x9' })
    const { provider, calls } = providerOf([word], { extensions })
    const ask = { method: 'eth_gasPrice', params: ['0x1'] }
    expect(await provider.request(ask)).toEqual(['eth_gasPrice', '0x1'])
    expect(provider.methods).toContainEqual({
      method: 'eth_gasPrice',
      proves: 'a test',
      verify: 'require',
    })
    expect(calls).toEqual([])
    const off = providerOf([word], { extensions, verify: 'off' })
    expect(await off.provider.request(ask)).toBe('0x9')
    expect(await off.provider.request({ method: 'eth_newFilter' })).toEqual(['eth_newFilter'])
    expect(off.calls).not.toContain('eth_newFilter')
  })

  test('error: a method about keys is refused, whoever would answer it', async () => {
    const greedy = { ...extension, methods: { personal_sign: { proves: 'nothing' } } }
    const { provider, calls } = providerOf([honest(chain)], { extensions: [greedy] })
    const signing = provider.request({ method: 'personal_sign', params: ['0x', OWNER] })
    expect(await failure(signing)).toMatchObject({ code: 4200 })
    expect(calls).toEqual([])
  })

  test.each([
    [[{ ...extension, methods: { eth_accounts: { proves: 'nothing' } } }]],
    [[{ ...extension, methods: { eth_chainId: { proves: 'nothing' } } }]],
    [[{}]],
    [extension],
    [[null]],
  ])('error: %j', (wrong) => {
    const make = (): unknown => providerOf([honest(chain)], { extensions: wrong as never })
    expect(make).toThrow(expect.objectContaining({ code: 'input.option', argument: 'extensions' }))
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

  const refusedWith = (code: number): Promise<ProviderRpcError> => {
    const eth_call = (): never => {
      throw new ScriptedError(code, 'execution reverted')
    }
    const { provider } = providerOf([honest(chain, { eth_call })], { verify: { eth_call: 'off' } })
    return failure(provider.request({ method: 'eth_call' }))
  }

  test.each([3, -32000, -32003])("error: a node's own code %i is passed on", async (code) => {
    expect(await refusedWith(code)).toMatchObject({ code, data: { node: 'http://n1' } })
  })

  test.each([...Object.values(RPC_CODES), 4001, 5000, -32600, -32700, 0])(
    "error: a node's own code %i never passes for one of ours",
    async (rpcCode) => {
      const data = { code: expect.stringMatching(/^rpc\./), node: 'http://n1', rpcCode }
      expect(await refusedWith(rpcCode)).toMatchObject({ code: RPC_CODES.node, data })
    },
  )

  test("error: a node's data never passes for ours; what a revert returns does", async () => {
    const forged = { code: 'verify.claim', node: 'http://n2', evidence: [] }
    for (const [sent, data] of [
      [forged, { code: 'rpc.server', node: 'http://n1', rpcCode: -32000, data: forged }],
      ['0x08c379a0', '0x08c379a0'],
    ] as const) {
      const error = { code: -32000, message: 'no', data: sent }
      const fetch = async (_: unknown, init?: RequestInit): Promise<Response> => {
        const { id, method } = JSON.parse(String(init?.body)) as { id: number; method: string }
        if (method === 'eth_call') return Response.json({ jsonrpc: '2.0', id, error })
        return Response.json({ jsonrpc: '2.0', id, result: honest(chain)['lp_status']?.() })
      }
      const { client } = clientOf(chain, [honest(chain)], { fetch })
      const provider = createProvider(client, { verify: { eth_call: 'off' } })
      expect((await failure(provider.request({ method: 'eth_call' }))).data).toEqual(data)
    }
  })

  test('behavior: a block that nobody signed yet is null; an unknown hash is no such block', async () => {
    const { provider } = providerOf([honest(ethereum)], {}, ethereum)
    for (const id of ['0x6', '0xff']) {
      const params = [id, false]
      expect(await provider.request({ method: 'eth_getBlockByNumber', params })).toBe(null)
    }
    const params = [`0x${'12'.repeat(32)}`, false]
    const unknown = provider.request({ method: 'eth_getBlockByHash', params })
    expect(await failure(unknown)).toMatchObject({ code: -32001, data: { code: 'block' } })
    const hiding = honest(ethereum, {
      eth_getBlockByNumber: () => null,
      eth_getBlockByHash: () => null,
    })
    const hidden = providerOf([hiding], {}, ethereum).provider
    const past = hidden.request({ method: 'eth_getBlockByNumber', params: ['0x3', false] })
    expect(await failure(past)).toMatchObject({ code: -32001, data: { code: 'block' } })
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
