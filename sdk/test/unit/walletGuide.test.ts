/** The guide for wallets: its configuration of wagmi, its announcement and its component run as they stand there. */

import { readFileSync } from 'node:fs'
import { QueryClient } from '@tanstack/react-query'
import { createElement, type FunctionComponent } from 'react'
import { renderToString } from 'react-dom/server'
import ts from 'typescript'
import { expect, test, vi } from 'vitest'
import { createConfig } from 'wagmi'
import { readContract, getBalance as wagmiBalance } from 'wagmi/actions'
import * as eip1193 from '../../src/entry/eip1193.js'
import * as evm from '../../src/entry/evm.js'
import { createClient, getBalance, ProofError } from '../../src/entry/node.js'
import { useProven } from '../../src/entry/react.js'
import { lightproof } from '../../src/entry/viem.js'
import { ALICE, chain, methods, TOKEN } from '../support/callWorld.js'
import { scriptedFetch } from '../support/rpc.js'

const GUIDE = readFileSync(new URL('../../guides/wallet.md', import.meta.url), 'utf8')

/** The code of a section, without its imports; what it exports is returned. */
async function run<T>(section: string, reader: object): Promise<T> {
  const [, text = ''] =
    GUIDE.match(new RegExp(`${section}[^\\n]*\\n[\\s\\S]*?\`\`\`jsx?\\n([\\s\\S]*?)\`\`\``)) ?? []
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
