/** A dapp of wagmi's hooks over proofs, and a wallet that announces itself; as the guide has it. */

import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement as h, type ReactElement, StrictMode, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { erc20Abi, parseEther } from 'viem'
import {
  createConfig,
  useBalance,
  useConnect,
  useConnection,
  useConnectors,
  useReadContract,
  useSendTransaction,
  useWaitForTransactionReceipt,
  useWatchBlocks,
  useWatchContractEvent,
  useWriteContract,
  WagmiProvider,
} from 'wagmi'
import '../../../src/entry/web.js'
import { announceProvider, createProvider, isFinal } from '../../../src/entry/eip1193.js'
import { evm, recoverAddress } from '../../../src/entry/evm.js'
import { lightproof } from '../../../src/entry/viem.js'
import { followers, viemDev } from '../support/following.js'
import { walletOf } from '../support/wallet.js'
import { codesOf } from './codes.js'
import { parameters } from './parameters.js'

const { oracle, nodes, token, multicall, owner, friend } = parameters()
const FAST = { pollMs: 100 }
const client = await followers(oracle).of(nodes)
const chain = { ...viemDev, contracts: { multicall3: { address: multicall } } }
const extensions = [evm()]
const provider = createProvider(client, { extensions, recoverAddress, ...FAST })
announceProvider(walletOf(provider), {
  name: 'Test',
  rdns: 'org.example.test',
  icon: 'data:image/svg+xml,<svg/>',
})
const config = createConfig({
  chains: [chain],
  transports: { [chain.id]: lightproof(client, { extensions, ...FAST }) },
  pollingInterval: 100,
})
const queries = new QueryClient({
  defaultOptions: { queries: { retry: (count, error) => count < 3 && !isFinal(error) } },
})

const shown = (query: { status: string; data: unknown; error: unknown; failureCount: number }) => ({
  status: query.status,
  data: query.data,
  codes: codesOf(query.error),
  failureCount: query.failureCount,
})

function App(): ReactElement {
  const [blocks, setBlocks] = useState(0)
  const [logs, setLogs] = useState(0)
  const [errors, setErrors] = useState<unknown[]>([])
  const onError = (error: Error): void => setErrors((all) => [...all, ...codesOf(error)].slice(-9))
  const connectors = useConnectors()
  const connecting = useConnect()
  const connection = useConnection()
  const balance = useBalance({ address: friend })
  const read = { address: token, abi: erc20Abi } as const
  const held = useReadContract({ ...read, functionName: 'balanceOf', args: [owner] })
  const sending = useSendTransaction()
  const writing = useWriteContract()
  const landed = useWaitForTransactionReceipt({ hash: sending.data })
  useWatchBlocks({ emitOnBegin: true, onBlock: () => setBlocks((count) => count + 1), onError })
  const eventName = 'Transfer'
  const onLogs = (news: readonly unknown[]): void => setLogs((count) => count + news.length)
  useWatchContractEvent({ ...read, eventName, onLogs, onError })
  const state = {
    connectors: connectors.map(({ id }) => id),
    connection: connection.status,
    balance: shown(balance),
    held: shown(held),
    sent: shown(sending),
    landed: { ...shown(landed), data: landed.data?.status },
    written: shown(writing),
    blocks,
    logs,
    errors,
  }
  const button = (id: string, onClick: () => unknown): ReactElement =>
    h('button', { id, onClick, type: 'button' }, id)
  const [connector] = connectors
  const transfer = { ...read, functionName: 'transfer', args: [friend, 5n] } as const
  return h(
    'main',
    undefined,
    button('connect', () => connector && connecting.mutate({ connector })),
    button('send', () => sending.mutate({ to: friend, value: parseEther('1') })),
    button('write', () => writing.mutate(transfer)),
    button('refetch', () => balance.refetch()),
    h(
      'pre',
      { id: 'state' },
      JSON.stringify(state, (_, v) => (typeof v === 'bigint' ? `${v}` : v)),
    ),
  )
}

const root = document.createElement('div')
document.body.append(root)
const queried = h(QueryClientProvider, { client: queries }, h(App))
createRoot(root).render(h(StrictMode, undefined, h(WagmiProvider, { config }, queried)))
