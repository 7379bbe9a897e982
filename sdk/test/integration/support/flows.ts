/**
 * What programs of viem and of ethers do all day, over proofs: in Node.js and in a page. Each says
 * what it saw.
 */

import { Contract, type Provider as EthersProvider, Wallet } from 'ethers'
import { createPublicClient, createWalletClient, erc20Abi, parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Client } from '../../../src/client/client.js'
import { LightproofProvider } from '../../../src/entry/ethers.js'
import { evm } from '../../../src/entry/evm.js'
import { lightproof } from '../../../src/entry/viem.js'
import { viemDev } from './following.js'
import { FAUCET_KEY } from './genesis.js'

type Hex = `0x${string}`

/** The chain's contracts and accounts, as `startDappWorld` makes them. */
interface FlowWorld {
  readonly token: Hex
  readonly multicall: Hex
  readonly owner: Hex
  readonly friend: Hex
}

/** What a flow saw. All of it is proven. */
interface Seen {
  /** Wei of the friend before and after one ether was sent. */
  readonly before: bigint
  readonly after: bigint
  /** The owner's tokens, before anything was sent. */
  readonly held: bigint
  readonly status: string
  /** Values of the transfers that the watch heard. */
  readonly heard: readonly bigint[]
  readonly watchedBlocks: number
}

const FAST = { pollMs: 100 }

/** Resolves when it is so; tests end what takes too long. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 50))
}

/** viem: a public client and a wallet client. */
async function viemFlow(client: Client, world: FlowWorld): Promise<Seen> {
  const { token, multicall, owner, friend } = world
  const chain = { ...viemDev, contracts: { multicall3: { address: multicall } } }
  const transport = lightproof(client, { extensions: [evm()], ...FAST })
  const common = { chain, transport, pollingInterval: 100 }
  const reader = createPublicClient({ ...common, batch: { multicall: true } })
  const account = privateKeyToAccount(FAUCET_KEY)
  const writer = createWalletClient({ ...common, account })
  const read = { address: token, abi: erc20Abi } as const
  const [before, held] = await Promise.all([
    reader.getBalance({ address: friend }),
    reader.readContract({ ...read, functionName: 'balanceOf', args: [owner] }),
  ])
  let watchedBlocks = 0
  const heard: bigint[] = []
  const stops = [
    reader.watchBlocks({ emitOnBegin: true, onBlock: () => watchedBlocks++ }),
    reader.watchContractEvent({
      ...read,
      eventName: 'Transfer',
      onLogs: (logs) => heard.push(...logs.map(({ args }) => args.value ?? 0n)),
    }),
  ]
  await until(() => watchedBlocks > 0)
  const hash = await writer.sendTransaction({ to: friend, value: parseEther('1') })
  const { status } = await reader.waitForTransactionReceipt({ hash })
  // The first log that is heard says that the watch had begun.
  while (heard.length === 0) {
    const transfer = { functionName: 'transfer', args: [friend, 7n] } as const
    const sent = await writer.writeContract({ ...read, ...transfer })
    await reader.waitForTransactionReceipt({ hash: sent })
  }
  for (const stop of stops) stop()
  const after = await reader.getBalance({ address: friend })
  return { before, after, held, status, heard, watchedBlocks }
}

const TOKEN = [
  'function balanceOf(address) view returns (uint256)',
  'function transfer(address, uint256) returns (bool)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
]

/** ethers: a provider, a wallet and a contract. */
async function ethersFlow(client: Client, world: FlowWorld): Promise<Seen> {
  const { token, owner, friend } = world
  const provider = new LightproofProvider(client, { extensions: [evm()], ...FAST })
  try {
    return await ethersSteps(provider, { token, owner, friend })
  } finally {
    // Not destroyed: ethers may still look for a receipt, and nobody would hear that it failed.
    provider.pause()
  }
}

async function ethersSteps(
  provider: EthersProvider,
  { token, owner, friend }: Omit<FlowWorld, 'multicall'>,
): Promise<Seen> {
  const signer = new Wallet(FAUCET_KEY, provider)
  const contract = new Contract(token, TOKEN, signer)
  const before = await provider.getBalance(friend)
  const held = (await contract.getFunction('balanceOf')(owner)) as bigint
  let watchedBlocks = 0
  const heard: bigint[] = []
  await provider.on('block', () => watchedBlocks++)
  await contract.on('Transfer', (_from, _to, value: bigint) => void heard.push(value))
  const sent = await signer.sendTransaction({ to: friend, value: parseEther('1') })
  const receipt = await sent.wait()
  while (heard.length === 0) await (await contract.getFunction('transfer')(friend, 7n)).wait()
  await until(() => watchedBlocks > 0)
  const after = await provider.getBalance(friend)
  const status = receipt?.status === 1 ? 'success' : 'reverted'
  return { before, after, held, status, heard, watchedBlocks }
}

/** Flows by name. */
export const FLOWS = { viem: viemFlow, ethers: ethersFlow } as const
