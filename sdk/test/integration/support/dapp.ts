/**
 * What a dapp of the tests finds on the development chain: a token, Multicall3, an honest node and
 * one that lies.
 */

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { keccak256, toBeHex } from 'ethers'
import { deploying, MOVING_TOKEN_CODE } from '../../support/contracts.js'
import { crowdMember, faucet } from './genesis.js'
import { type Geth, startDevGeth } from './geth.js'
import { Sender } from './history.js'
import { lieOfAll } from './lies.js'
import { type LyingNode, startProxy } from './proxy.js'
import { rpc } from './rpc.js'

type Hex = `0x${string}`
const word = (value: bigint | number): string => toBeHex(value, 32).slice(2)

/** All of the token, at first the faucet's. */
export const SUPPLY = 10n ** 24n

/** The chain, its contracts and accounts. */
export interface DappWorld {
  readonly geth: Geth
  /** Passes on what geth says, to pages too. */
  readonly honest: LyingNode
  /**
   * The same, but its newest block stays one that holds a transaction: of an empty block the liar has
   * nothing to drop.
   */
  readonly still: LyingNode
  /** Lies about everything. */
  readonly liar: LyingNode
  readonly token: Hex
  readonly multicall: Hex
  /** The faucet, who has the token. */
  readonly owner: Hex
  readonly friend: Hex
  /** By geth's own word, now. */
  balanceOf(who: Hex): Promise<bigint>
  heldBy(who: Hex): Promise<bigint>
  stop(): Promise<void>
}

/** Starts it. */
export async function startDappWorld(): Promise<DappWorld> {
  const geth = await startDevGeth('osaka', { period: 1 })
  const sender = new Sender(geth.url)
  const owner = faucet.address as Hex
  const slot = keccak256(`0x${word(BigInt(owner))}${word(0)}`) as Hex
  const made = await sender.send({ data: deploying(MOVING_TOKEN_CODE, [[slot, SUPPLY]]) })
  const token = made.contract as Hex
  const last = await sender.send({ data: multicallBytes() })
  const multicall = last.contract as Hex
  const honest = await startProxy(geth.url)
  const liar = await startProxy(geth.url)
  liar.tamper = lieOfAll
  const still = await startProxy(geth.url)
  still.tamper = (method, result) => (method === 'eth_blockNumber' ? toBeHex(last.block) : result)
  const told = async (method: string, about: unknown): Promise<bigint> =>
    BigInt(String(await rpc(geth.url, method, [about, 'latest'])))
  return {
    geth,
    honest,
    still,
    liar,
    token,
    multicall,
    owner,
    friend: crowdMember(1).address as Hex,
    balanceOf: (who) => told('eth_getBalance', who),
    heldBy: (who) => told('eth_call', { to: token, data: `0x70a08231${word(BigInt(who))}` }),
    async stop() {
      await Promise.all([honest, still, liar].map((node) => node.close()))
      await geth.stop()
    },
  }
}

/** What deploys Multicall3, as viem has it. */
function multicallBytes(): string {
  const folder = createRequire(import.meta.url).resolve('viem/package.json')
  const file = new URL('constants/contracts.ts', `file://${folder}`)
  const text = readFileSync(file, 'utf8')
  const [, bytes = ''] = /multicall3Bytecode =\s*'(0x[0-9a-f]+)'/.exec(text) ?? []
  return bytes
}
