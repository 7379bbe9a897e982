/** A node that is trusted for its newest block, and what a client that trusts it says. */

import { readFileSync } from 'node:fs'
import { createPublicClient } from 'viem'
import { describe, expect, test, vi } from 'vitest'
import { isPublic } from '../../src/dev/publicChains.js'
import { watchBlocks } from '../../src/entry/blocks.js'
import { chainOf, trustNode } from '../../src/entry/dev.js'
import { createProvider } from '../../src/entry/eip1193.js'
import { followedChain } from '../../src/entry/follows.js'
import {
  type Client,
  type ClientOptions,
  createClient,
  defineChain,
  devnet,
  fetchProof,
  getBalance,
  getBlock,
  getStorage,
  hoodi,
  mainnet,
  memoryStore,
  type Present,
  sepolia,
  sync,
  verifyProofFile,
} from '../../src/entry/node.js'
import { lightproof } from '../../src/entry/viem.js'
import { honest, makeChain, OWNER, SLOT, type TestChain } from '../support/chain.js'
import { type Methods, scriptedFetch } from '../support/rpc.js'

const NODE = 'http://n1'

/** A node whose head can be moved along the chain. */
function nodeOf(chain: TestChain, overrides: Methods = {}) {
  const place = { head: 1 }
  const head = () => chain.at(place.head)
  const methods = honest(chain, {
    ...(chain.chain.kind === 'devnet'
      ? {
          lp_status: () => ({
            chainId: '0x4c50',
            genesisHash: chain.chain.genesisHash,
            head: { number: `0x${place.head.toString(16)}`, hash: head().hash },
            limits: { headers: 4 },
          }),
        }
      : {
          eth_getBlockByNumber: (tag: string) =>
            (tag === 'latest'
              ? head()
              : chain.blocks.find(({ number }) => Number(tag) === Number(number))
            )?.json ?? null,
        }),
    ...overrides,
  })
  const script = scriptedFetch({ [NODE]: methods })
  const clientWith = (options: Partial<ClientOptions> = {}): Client =>
    createClient({
      chain: chain.chain,
      anchor: trustNode(NODE),
      nodes: [NODE],
      fetch: script.fetch,
      retries: 0,
      ...options,
    })
  return { place, clientWith, methods, ...script }
}

const ethereum = makeChain(6, 'ethereum')

describe('the newest block is that of the node', () => {
  test.each([ethereum, makeChain(6)])(
    'default: it moves with the node, forth and back',
    async (chain) => {
      const { place, clientWith } = nodeOf(chain)
      const client = clientWith()
      for (const number of [1, 4, 5, 2]) {
        place.head = number
        const balance = await getBalance(client, { address: OWNER })
        expect(balance).toMatchObject({ status: 'present', value: 1000n + BigInt(number) })
        expect(await getBlock(client, { block: 'head' })).toMatchObject({
          value: { number: BigInt(number) },
        })
      }
      // Block 5 was its head, and is in the chain no longer.
      const gone = await getBlock(client, { block: chain.at(5).hash })
      expect(gone).toMatchObject({ status: 'unavailable', error: { code: 'untrusted' } })
      const older = await getBalance(client, { address: OWNER, at: 1 })
      expect(older).toMatchObject({ value: 1001n, trust: { finality: 'claimed' } })
    },
  )

  test('behavior: events come', async () => {
    const { place, clientWith } = nodeOf(ethereum)
    const stop = new AbortController()
    const seen: bigint[] = []
    const watch = watchBlocks(clientWith(), { pollMs: 10, signal: stop.signal })
    const run = (async () => {
      for await (const { block } of watch) {
        seen.push(block.number)
        if (block.number === 4n) stop.abort()
        else place.head = 4
      }
    })().catch(() => undefined)
    await new Promise((resolve) => setTimeout(resolve, 50))
    place.head = 3
    await run
    expect(seen).toEqual([2n, 3n, 4n])
  })

  test('error: it cannot be reached, or names no block', async () => {
    const { clientWith } = nodeOf(ethereum)
    const away = clientWith({ anchor: trustNode('http://away') })
    expect(await getBalance(away, { address: OWNER })).toMatchObject({
      status: 'unavailable',
      error: { code: 'unreachable' },
      tried: [{ node: 'http://away', code: 'transport.network' }],
    })
    const silent = nodeOf(ethereum, { eth_getBlockByNumber: () => null }).clientWith()
    expect(await getBalance(silent, { address: OWNER })).toMatchObject({
      status: 'invalid',
      error: { code: 'decode.response' },
    })
  })

  test('error: it serves another chain, or the same anew', async () => {
    const { clientWith } = nodeOf(ethereum)
    const named = { name: 'other', kind: 'ethereum', chainId: 1337 } as const
    const other = defineChain({ ...named, genesisHash: ethereum.at(1).hash })
    const result = await getBalance(clientWith({ chain: other }), { address: OWNER })
    expect(result).toMatchObject({ status: 'unavailable', error: { code: 'chain' } })
    expect('error' in result && result.error.message).toContain(ethereum.at(0).hash)
    const id = defineChain({ ...named, chainId: 31337, genesisHash: ethereum.at(0).hash })
    expect(await getBalance(clientWith({ chain: id }), { address: OWNER })).toMatchObject({
      status: 'unavailable',
      error: { code: 'chain' },
    })
  })
})

describe('the mark', () => {
  test('default: every report says that a node is believed', async () => {
    const client = nodeOf(ethereum).clientWith()
    const { hash } = ethereum.at(1)
    const mark = {
      finality: 'claimed',
      anchor: { kind: 'node', hash, node: NODE },
      notProved: ['node', 'anchor', 'recency'],
    }
    const at = [undefined, 0, 1, ethereum.at(0).hash] as const
    for (const block of at) {
      const given = block === undefined ? {} : { at: block }
      const { trust } = (await getBalance(client, { address: OWNER, ...given })) as {
        trust: unknown
      }
      expect(trust).toMatchObject(mark)
      // What was kept is told in the same way.
      const again = (await getBalance(client, { address: OWNER, ...given })) as { trust: unknown }
      expect(again.trust).toMatchObject({ ...mark, servedBy: 'cache' })
    }
    const answers: unknown[] = []
    const provider = createProvider(client, {
      onAnswer: ({ proven, trust }) => answers.push({ proven, trust }),
    })
    await provider.request({ method: 'eth_getBalance', params: [OWNER, 'latest'] })
    await provider.request({ method: 'eth_getBlockByNumber', params: ['latest', false] })
    await provider.request({ method: 'eth_chainId' })
    const marked = { proven: false, trust: mark }
    expect(answers).toMatchObject([marked, marked, { proven: true, trust: undefined }])
  })

  test('default: nothing is final, and nothing is signed', async () => {
    const client = nodeOf(ethereum).clientWith()
    await expect(getBalance(client, { address: OWNER, at: 'finalized' })).rejects.toMatchObject({
      code: 'input.block',
    })
    await expect(sync(client)).rejects.toMatchObject({ code: 'input.anchor' })
    const provider = createProvider(client)
    for (const tag of ['finalized', 'safe']) {
      const asked = provider.request({ method: 'eth_getBalance', params: [OWNER, tag] })
      await expect(asked).rejects.toMatchObject({ code: 4200 })
    }
    expect(() => followedChain(client)).toThrow(/nothing is final/)
    const follows = { compare: async () => ({}) } as unknown as NonNullable<
      ClientOptions['follows']
    >
    expect(() => nodeOf(makeChain(2)).clientWith({ follows })).toThrow(/vouches for no other chain/)
    for (const option of ['beacons', 'maxHeadLagSeconds']) {
      expect(() => nodeOf(ethereum).clientWith({ [option]: 1 })).toThrow(/anchor.checkpoint/)
    }
  })

  test('default: a proof file says it, and its reader trusts his own hash alone', async () => {
    const client = nodeOf(ethereum).clientWith()
    const file = await fetchProof(client, { address: OWNER })
    expect(file.meta?.note).toMatch(/n1 named, which was trusted for it: compare/)
    await expect(verifyProofFile(file, { anchor: {} } as never)).rejects.toThrow(/give \{ block \}/)
    const read = { anchor: { block: ethereum.at(1).hash }, chain: ethereum.chain }
    expect(await verifyProofFile(file, read)).toMatchObject({
      trust: { anchor: { kind: 'block' } },
    })
    // Without the note it proves no more.
    const { meta: _, ...bare } = file
    const other = { ...read, anchor: { block: ethereum.at(2).hash } }
    expect(await verifyProofFile(bare, other)).toMatchObject({ status: 'invalid' })
  })

  test('behavior: what a lying node left in a store shows nobody a false balance', async () => {
    // Another chain with the same id and, by the configuration, the same block 0.
    const forged = makeChain(6, 'ethereum', (n) => n + 77n)
    const rich = {
      ...forged,
      chain: ethereum.chain,
      blocks: [ethereum.at(0), ...forged.blocks.slice(1)],
    }
    const at = (number: number) => rich.blocks[number] ?? forged.head
    const store = memoryStore()
    const liar = nodeOf({ ...rich, at }).clientWith({ store })
    const question = { address: OWNER, slot: SLOT }
    const lie = await getStorage(liar, question)
    expect(lie).toMatchObject({
      value: 78n,
      trust: { anchor: { kind: 'node' }, finality: 'claimed' },
    })
    await new Promise((resolve) => setTimeout(resolve, 700))
    const pinned = nodeOf(ethereum).clientWith({ store, anchor: { block: ethereum.at(1).hash } })
    const { trust, ...found } = (await getStorage(pinned, question)) as Present<bigint>
    expect(found).toEqual({ status: 'present', value: 2n })
    expect(trust).toMatchObject({
      finality: 'pinned',
      servedBy: NODE,
      notProved: ['anchor', 'recency'],
    })
  })
})

describe('public chains', () => {
  const asked = { nodes: [NODE] }

  test.each([
    mainnet,
    sepolia,
    hoodi,
    { ...mainnet, chainId: 31337 },
    { ...mainnet, genesisHash: ethereum.at(0).hash },
    defineChain({ name: 'op', kind: 'ethereum', chainId: 10, genesisHash: ethereum.at(0).hash }),
  ])('error: $name ($chainId) needs consent', (chain) => {
    expect(() => createClient({ chain, anchor: trustNode(NODE), ...asked })).toThrow(
      /can show any balance; give .*nodeMayLie: true/,
    )
    const consented = trustNode(NODE, { nodeMayLie: true })
    expect(createClient({ chain, anchor: consented, ...asked }).anchor.kind).toBe('node')
  })

  test('default: development chains are not among them', () => {
    for (const chainId of [1337, 31337, 0x4c50]) expect(isPublic({ chainId })).toBe(false)
    const own = devnet(ethereum.at(0).hash)
    expect(createClient({ chain: own, anchor: trustNode(NODE), ...asked }).anchor.kind).toBe('node')
  })

  test.each([
    [() => trustNode('ftp://n1'), undefined],
    [() => trustNode(NODE, { nodeMayLie: 1 as never }), /true or false/],
    [() => trustNode(NODE, { iKnow: true } as never), /known: nodeMayLie/],
  ])('error: a malformed argument', (make, problem) => {
    const client = () => createClient({ chain: ethereum.chain, anchor: make(), ...asked })
    expect(client).toThrow(problem ?? /http: or https:/)
  })
})

describe('chainOf', () => {
  test('default: id and block 0, by the node', async () => {
    const { fetch } = nodeOf(ethereum)
    const chain = await chainOf(NODE, { fetch, name: 'mine' })
    expect(chain).toMatchObject({
      name: 'mine',
      kind: 'ethereum',
      chainId: 1337,
      genesisHash: ethereum.at(0).hash,
    })
    const client = createClient({ chain, anchor: trustNode(NODE), nodes: [NODE], fetch })
    expect(await getBalance(client, { address: OWNER })).toMatchObject({ value: 1001n })
  })

  test('error: a public chain is configured by the caller', async () => {
    const { fetch } = nodeOf(ethereum, { eth_chainId: () => '0x1' })
    await expect(chainOf(NODE, { fetch })).rejects.toMatchObject({ code: 'input.chain' })
    const genesis = nodeOf(ethereum, {
      eth_getBlockByNumber: () => ({ hash: mainnet.genesisHash }),
    })
    await expect(chainOf(NODE, { fetch: genesis.fetch })).rejects.toThrow(/which is public/)
  })

  test('error: malformed', async () => {
    await expect(chainOf('n1')).rejects.toMatchObject({ argument: 'url[0]' })
    const { fetch } = nodeOf(ethereum, { eth_chainId: () => 'zero' })
    await expect(chainOf(NODE, { fetch })).rejects.toMatchObject({ code: 'input.chain' })
  })
})

test('default: the client of viem follows it', async () => {
  const { place, clientWith } = nodeOf(ethereum)
  const viem = createPublicClient({ transport: lightproof(clientWith()), cacheTime: 0 })
  expect(await viem.getBlockNumber()).toBe(1n)
  place.head = 3
  expect(await viem.getBlockNumber()).toBe(3n)
  expect(await viem.getBalance({ address: OWNER })).toBe(1003n)
})

test('default: the guide runs as it stands there', async () => {
  const guide = readFileSync(new URL('../../guides/development.md', import.meta.url), 'utf8')
  const [, code = ''] = /```js\n(.*?)```/s.exec(guide) ?? []
  expect(code).toContain('trustNode')
  const { fetch } = scriptedFetch({ 'http://127.0.0.1:8545': nodeOf(ethereum).methods })
  vi.stubGlobal('fetch', fetch)
  const printed: unknown[] = []
  const reader = {
    createClient,
    getBalance,
    chainOf,
    trustNode,
    address: OWNER,
    console: { log: (...values: unknown[]) => printed.push(...values) },
  }
  const AsyncFunction = (async () => undefined).constructor as new (
    ...parts: string[]
  ) => (...values: unknown[]) => Promise<void>
  const body = code.replace(/^import .*\n/gm, '')
  await new AsyncFunction(...Object.keys(reader), body)(...Object.values(reader))
  vi.unstubAllGlobals()
  expect(printed).toEqual([1001n, 'claimed'])
})
