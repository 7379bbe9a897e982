/**
 * The guide for wallets: its client, its configuration of wagmi, its announcement and its component
 * run as they stand there, and what it says of privacy is so.
 */

import { readFileSync } from 'node:fs'
import { QueryClient } from '@tanstack/react-query'
import { createElement, type FunctionComponent } from 'react'
import { renderToString } from 'react-dom/server'
import ts from 'typescript'
import { describe, expect, test, vi } from 'vitest'
import { createConfig } from 'wagmi'
import { readContract, getBalance as wagmiBalance } from 'wagmi/actions'
import * as eip1193 from '../../src/entry/eip1193.js'
import * as evm from '../../src/entry/evm.js'
import {
  type BadProof,
  type Client,
  type ClientOptions,
  createClient,
  getBalance,
  ProofError,
  proven,
} from '../../src/entry/node.js'
import { useProven } from '../../src/entry/react.js'
import { lightproof } from '../../src/entry/viem.js'
import { ALICE, chain, methods, TOKEN } from '../support/callWorld.js'
import { GUIDES } from '../support/guides.js'
import { type Methods, scriptedFetch } from '../support/rpc.js'

const GUIDE = readFileSync(new URL('../../guides/wallet.md', import.meta.url), 'utf8')

/** The code of a section, without its imports; what it exports is returned. */
async function run<T>(section: string, reader: object): Promise<T> {
  const [, text = ''] =
    GUIDE.match(
      new RegExp(`${section}[^\\n]*\\n[\\s\\S]*?\`\`\`(?:jsx?|ts)\\n([\\s\\S]*?)\`\`\``),
    ) ?? []
  if (text === '') throw new Error(`the guide has no code in ${section}`)
  const { outputText } = ts.transpileModule(text.replace(/^import .*\n/gm, ''), {
    compilerOptions: { target: ts.ScriptTarget.ES2022, jsx: ts.JsxEmit.React },
    fileName: 'guide.jsx',
  })
  const names = [...outputText.matchAll(/^(?:export )?(?:const|function) (\w+)/gm)].map(
    ([, name]) => name,
  )
  const body = `${outputText.replace(/^export (?=const|function)/gm, '')}\nreturn { ${names.join(', ')} }`
  const AsyncFunction = (async () => undefined).constructor as new (
    ...parts: string[]
  ) => (...values: unknown[]) => Promise<T>
  return new AsyncFunction(...Object.keys(reader), body)(...Object.values(reader))
}

const { fetch } = scriptedFetch({ 'https://rpc.example': methods })
const pinned = {
  chain: chain.chain,
  anchor: { block: chain.head.hash },
  nodes: ['https://rpc.example'],
  fetch,
}

/** What a client of the guide's first section asks of whom, and what it tells of those that lie. */
async function clientOfGuide(nodes: Readonly<Record<string, Methods>>, more: object = {}) {
  const told: unknown[][] = []
  const asked: string[] = []
  const script = scriptedFetch(nodes)
  const { client } = await run<{ client: Client }>('## 1. A checkpoint', {
    agreeOnCheckpoint: async () => ({ status: 'agreed', checkpoint: chain.head.hash }),
    mainnet: chain.chain,
    checkpointSources: [],
    rpcUrl: 'https://rpc.example',
    otherRpcUrl: 'https://other.example/key',
    beaconUrl: 'https://beacon.example',
    store: undefined,
    report: (...words: unknown[]) => void told.push(words),
    // Whoever reads the guide has a chain of signed headers; here a block of it is pinned.
    createClient: ({ nodes, onBadProof, hedgeMs }: ClientOptions) =>
      createClient({
        ...pinned,
        nodes,
        ...(onBadProof && { onBadProof }),
        ...(hedgeMs !== undefined && { hedgeMs }),
        fetch: (input, init) => {
          asked.push(new URL(String(input)).origin)
          return script.fetch(input, init)
        },
        ...more,
      }),
  })
  return { client, told, asked }
}

describe('privacy', () => {
  const eth_getProof = (...params: never[]): unknown => {
    return { ...(methods['eth_getProof']?.(...params) as object), balance: '0x7' }
  }
  const liar = { ...methods, eth_getProof }

  test('telemetry hears of a node that lied by its origin and the code, and of no account', async () => {
    const heard: BadProof[] = []
    const { client, told } = await clientOfGuide({
      'https://rpc.example': liar,
      'https://other.example': methods,
    })
    await getBalance(client, { address: ALICE })
    expect(told).toEqual([['https://rpc.example', 'verify.claim']])
    // What is left at home names the account, as the guide says.
    const own = createClient({
      ...pinned,
      fetch: scriptedFetch({ 'https://rpc.example': liar }).fetch,
      onBadProof: (one) => void heard.push(one),
    })
    await getBalance(own, { address: ALICE })
    expect(JSON.stringify(heard[0]?.evidence)).toContain(ALICE.slice(2))
    expect(JSON.stringify(told)).not.toContain(ALICE.slice(2))
    expect(heard[0]?.error.message).not.toContain(ALICE.slice(2))
  })

  test('no document passes evidence on', () => {
    const all = GUIDES.map((file) =>
      readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8'),
    )
    const blocks = all.flatMap((text) => [...text.matchAll(/```\w+\n([\s\S]*?)```/g)])
    const handlers = blocks.flatMap(([, code = '']) => code.match(/onBadProof[\s\S]*?\n/g) ?? [])
    expect(handlers).toEqual(['onBadProof: ({ node, error }) => report(node, error.code),\n'])
    for (const text of all.filter((text) => text.includes('`onBadProof'))) {
      expect(text.replace(/\s+/g, ' ')).toMatch(/keep it on the device/i)
    }
  })

  test('the next node learns the account after three seconds, and never without a failure if told so', async () => {
    const words = GUIDE.replace(/\s+/g, ' ')
    expect(words).toContain(
      'A node learns which accounts you ask about. If it does not answer within three seconds, the',
    )
    expect(words).toContain('`hedgeMs: Infinity` asks the next one only after a failure')
    expect(words).toContain('a single node in `nodes` tells nobody else')
    const nodes = { 'https://rpc.example': methods, 'https://other.example': methods }
    const { client, asked } = await clientOfGuide(nodes)
    expect(client.hedgeMs).toBe(3000)
    expect(proven(await getBalance(client, { address: ALICE }))).toBe(10n ** 18n)
    expect(new Set(asked)).toEqual(new Set(['https://rpc.example']))
    const never = await clientOfGuide(nodes, { hedgeMs: Number.POSITIVE_INFINITY })
    expect(never.client.hedgeMs).toBeUndefined()
    const failing = { ...nodes, 'https://rpc.example': liar }
    const after = await clientOfGuide(failing, { hedgeMs: Number.POSITIVE_INFINITY })
    expect(proven(await getBalance(after.client, { address: ALICE }))).toBe(10n ** 18n)
    expect(after.asked).toContain('https://other.example')
  })
})

test('wagmi: reads over the configuration are proven, and refusals are not asked again', async () => {
  const wagmiChain = {
    id: chain.chain.chainId,
    name: 'test',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [] } },
  }
  const { config, queries } = await run<{
    config: Parameters<typeof wagmiBalance>[0]
    queries: QueryClient
  }>('## 3. A dapp with wagmi', {
    ...eip1193,
    ...evm,
    createConfig,
    lightproof,
    QueryClient,
    chain: wagmiChain,
    mainnet: chain.chain,
    createClient: () => createClient(pinned),
    checkpoint: '',
    nodes: [],
    beacons: [],
  })
  const abi = [
    {
      type: 'function',
      name: 'balanceOf',
      stateMutability: 'view',
      inputs: [{ name: 'owner', type: 'address' }],
      outputs: [{ name: '', type: 'uint256' }],
    },
  ] as const
  const read = { address: TOKEN, abi, functionName: 'balanceOf', args: [ALICE] } as const
  expect(await readContract(config, read)).toBe(77n)
  const balance = await wagmiBalance(config, { address: ALICE })
  const direct = await getBalance(createClient(pinned), { address: ALICE })
  expect(direct).toMatchObject({ value: balance.value })
  const ask = vi.fn(() => Promise.reject(new ProofError('verify.root', 'false')))
  await expect(queries.fetchQuery({ queryKey: ['x'], queryFn: ask })).rejects.toThrow('false')
})

test('announcement: dapps find the wallet, and its signer', async () => {
  const page = new EventTarget()
  const heard: { provider: { request(call: object): Promise<unknown> } }[] = []
  page.addEventListener('eip6963:announceProvider', (event) => {
    heard.push((event as CustomEvent).detail)
  })
  await run('## 4. Your wallet', {
    ...eip1193,
    ...evm,
    announceProvider: (provider: eip1193.Provider, info: eip1193.ProviderInfo) =>
      eip1193.announceProvider(provider, info, { target: page }),
    client: createClient(pinned),
    icon: 'data:image/png;base64,AA==',
    askUser: async () => [ALICE],
  })
  expect(await heard[0]?.provider.request({ method: 'eth_requestAccounts' })).toEqual([ALICE])
})

test('React: the component renders', async () => {
  const reader = { React: { createElement }, getBalance, useProven }
  const { Balance } = await run<{ Balance: FunctionComponent<object> }>('## 5. React', reader)
  const props = { client: createClient(pinned), address: ALICE }
  const html = renderToString(createElement(Balance, props))
  expect(html).toBe('<p>asking …</p>')
})
