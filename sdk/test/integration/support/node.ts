/** Our own full node. */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { DevnetConsensus } from 'lightproof'
import { startProgram } from './program.js'

/** An address worth asking for. */
interface Sample {
  readonly kind: 'eoa' | 'contract' | 'absent'
  readonly address: string
  readonly slots: readonly string[]
}

/** A running lightproof-node, and what it says of itself to whoever started it. */
export interface LightproofNode {
  readonly url: string
  readonly chainId: number
  readonly genesisHash: string
  readonly head: { readonly number: number; readonly hash: string }
  readonly samples: readonly Sample[]
  readonly consensus: DevnetConsensus
  stop(): Promise<void>
}

const program =
  process.env['LIGHTPROOF_NODE'] ??
  fileURLToPath(new URL('../../../../target/release/lightproof-node', import.meta.url))

/** A node that has made some blocks and makes no more. */
export async function startLightproofNode(blocks: number): Promise<LightproofNode> {
  const dir = await mkdtemp(path.join(tmpdir(), 'lightproof-node-'))
  const clean = (): Promise<void> => rm(dir, { recursive: true, force: true })
  try {
    const args = ['run', '--data', dir, '--prefill', String(blocks), '--blocks', '0']
    const { ready, stop } = await startProgram(program, args, /^\{"event":"ready".*\}$/)
    // The event is the node's contract with its operator, whom this test plays.
    const event = JSON.parse(ready[0]) as Omit<LightproofNode, 'stop'>
    return { ...event, stop: () => stop().then(clean) }
  } catch (error) {
    await clean()
    throw error
  }
}
