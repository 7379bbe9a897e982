/** An application's blocks, pushed to three operators who attest them. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Chain, defineChain } from '../../src/entry/node.js'
import { createPushClient, type PushBlock, pushBlock } from '../../src/entry/push.js'
import { makeOperators } from './attesters.js'

const SECRET = '07'.repeat(32)
const PERIOD = 4
const address = (index: number): string => `0x${(index + 1).toString(16).padStart(40, 'a')}`
export const word = (value: bigint): string => `0x${value.toString(16).padStart(64, '0')}`
export const HOLDERS: readonly string[] = Array.from({ length: 100 }, (_, i) => address(i))
export const TOKEN: string = address(1000)
/** Deletes itself later. */
export const SPENT: string = address(1001)
/** What EIP-7702 leaves at an account that delegates to the token. */
export const DELEGATION: string = `0xef0100${TOKEN.slice(2)}`

/** Balances after all blocks. */
export const balanceOf = (i: number): bigint => BigInt(i) * 10n ** 15n + (i === 1 ? 7n : 0n)
/**
 * What the token's slot 1 holds after blocks 1, 2 and 3, which are followed by ones that do not
 * write it.
 */
export const HELD: readonly bigint[] = [10n, 0n, 25n]

const BLOCKS: readonly PushBlock[] = [
  {
    number: 1,
    timestamp: 100,
    accounts: [
      ...HOLDERS.map((address, i) => ({ address, nonce: 0, balance: BigInt(i) * 10n ** 15n })),
      { address: TOKEN, nonce: 1, balance: 0, code: '0x6080' },
      { address: SPENT, nonce: 1, balance: 3n },
    ],
    slots: [
      { address: TOKEN, slot: 1, value: 10n },
      // 500 of them, so that every system's trees have several levels.
      ...Array.from({ length: 500 }, (_, i) => ({
        address: TOKEN,
        slot: 1000 + i,
        value: BigInt(i) + 1n,
      })),
    ],
  },
  { number: 2, timestamp: 101, slots: [{ address: TOKEN, slot: 1, value: 0n }] },
  {
    number: 3,
    timestamp: 102,
    accounts: [
      { address: HOLDERS[1] ?? '', nonce: 1, balance: balanceOf(1), code: DELEGATION },
      { address: SPENT, deleted: true },
    ],
    slots: [{ address: TOKEN, slot: 1, value: 25n }],
  },
  // Past the first handover.
  ...[4, 5, 6].map((number) => ({
    number,
    timestamp: 100 + number,
    slots: [{ address: TOKEN, slot: 2, value: BigInt(number) }],
  })),
]
export const LAST: number = BLOCKS.length

/** A chain whose blocks were pushed, and the nodes of its operators. */
export interface PushedChain {
  readonly chain: Chain
  readonly nodes: readonly string[]
  stop(): Promise<void>
}

/**
 * Starts the operators, and pushes the blocks to each.
 *
 * @throws if they do not make the same blocks of them.
 */
export async function startPushedChain(): Promise<PushedChain> {
  const directory = mkdtempSync(path.join(tmpdir(), 'lightproof-push-'))
  const [jwt = '', balances = ''] = ['jwt.hex', 'balances.txt'].map((name) => {
    return path.join(directory, name)
  })
  writeFileSync(jwt, SECRET)
  writeFileSync(balances, HOLDERS.map((address) => `${address}\n`).join(''))
  const push = ['--push', '127.0.0.1:0', '--jwt', jwt, '--genesis-time', '1']
  const operators = await makeOperators(3, PERIOD, [...push, '--balances', balances])
  const stop = async (): Promise<void> => {
    await operators.stop()
    rmSync(directory, { recursive: true, force: true })
  }
  try {
    const nodes = await Promise.all([0, 1, 2].map(operators.start))
    const pushers = nodes.map((node) => createPushClient({ url: node.push ?? '', secret: SECRET }))
    for (const block of BLOCKS) {
      const hashes = await Promise.all(pushers.map((pusher) => pushBlock(pusher, block)))
      // The same content is the same block, whoever commits to it.
      if (new Set(hashes.map(({ hash }) => hash)).size !== 1) throw new Error('blocks differ')
    }
    await Promise.all(nodes.map(({ announced }) => announced(LAST)))
    const [one] = nodes
    if (one === undefined) throw new Error('no operator')
    const { kind, chainId, genesisHash, consensus, systems } = one
    const chain = defineChain({ name: 'ours', kind, chainId, genesisHash, consensus, systems })
    return { chain, nodes: nodes.map(({ url }) => url), stop }
  } catch (error) {
    await stop()
    throw error
  }
}
