/**
 * Starts `lightproof-node` for the tests: an honest one or a lying one, on a chain that is always
 * the same.
 */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { DevnetConsensus, Hex } from 'lightproof'
import { startGroup } from '../../../scripts/engines/process.mjs'

/** An address worth asking for. */
interface Sample {
  readonly kind: 'eoa' | 'contract' | 'absent'
  readonly address: Hex
  readonly slots: readonly Hex[]
}

/** A running node. */
export interface RunningNode {
  readonly url: string
  readonly genesisHash: Hex
  readonly head: { readonly number: number; readonly hash: Hex }
  /** A block to start from, a committee before the head's. */
  readonly checkpoint: { readonly number: number; readonly hash: Hex }
  readonly consensus: DevnetConsensus
  /** The first sample of a kind. */
  sample(kind: Sample['kind']): Sample
  stop(): Promise<void>
}

interface Ready {
  readonly event: string
  readonly url: string
  readonly genesisHash: Hex
  readonly head: RunningNode['head']
  readonly checkpoint: RunningNode['checkpoint']
  readonly consensus: DevnetConsensus
  readonly samples: readonly Sample[]
}

const binary =
  process.env['LIGHTPROOF_NODE'] ??
  fileURLToPath(new URL('../../../target/release/lightproof-node', import.meta.url))

const BLOCKS = 8
/**
 * Of all nodes of a test file, so that they have one chain; its newest block is of now, as on a
 * chain that lives.
 */
const BORN_AT = Math.floor(Date.now() / 1000) - 2 * BLOCKS

/**
 * Starts a node that serves eight blocks, signed by three committees one after the other, and makes
 * no more.
 *
 * @param options - `lie`: answer with this attack. `more`: go on and make so many blocks, one every
 * two seconds. `daysAgo`: another chain, whose blocks are so old.
 */
export async function startNode({
  lie,
  more = 0,
  daysAgo = 0,
}: {
  lie?: string
  more?: number
  daysAgo?: number
} = {}): Promise<RunningNode> {
  const data = await mkdtemp(join(tmpdir(), 'lightproof-node-'))
  const bornAt = BORN_AT - daysAgo * 86_400
  const chain = ['--prefill', `${BLOCKS}`, '--genesis-time', `${bornAt}`, '--period', '4']
  const args = ['run', '--data', data, ...chain, '--blocks', `${more}`, '--lies-by-path']
  const { child, exited, stop } = startGroup(
    binary,
    lie === undefined ? args : [...args, '--lie', lie],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  )
  const end = async () => {
    await stop()
    await rm(data, { recursive: true, force: true })
  }
  const announced = new Promise<Ready>((resolve) => {
    if (child.stdout === null) return
    createInterface(child.stdout).on('line', (line) => {
      const message = JSON.parse(line) as Ready
      if (message.event === 'ready') resolve(message)
    })
  })
  const ready = await Promise.race([announced, exited.then(() => undefined)])
  if (ready === undefined) {
    await end()
    throw new Error(
      `${binary} ended before it was ready; build it: cargo build --release -p lightproof-node`,
    )
  }
  const { url, genesisHash, head, checkpoint, consensus, samples } = ready
  const sample = (kind: Sample['kind']) => {
    const found = samples.find((candidate) => candidate.kind === kind)
    if (found === undefined) throw new Error(`the node offers no sample of kind ${kind}`)
    return found
  }
  return { url, genesisHash, head, checkpoint, consensus, sample, stop: end }
}

/**
 * The settings that both pages read from the part of their address after `#`: this node and its
 * head, unless told otherwise.
 */
export function fragment(
  { genesisHash, head, consensus, url }: RunningNode,
  settings: Readonly<Record<string, string>> = {},
): string {
  const { committeeSize, periodLength } = consensus
  const committee = `${committeeSize}/${periodLength}`
  const trusted = { trust: 'block', anchor: head.hash, genesis: genesisHash, committee }
  const own = { chain: 'devnet', node: url, ...trusted }
  return `#${new URLSearchParams({ ...own, ...settings })}`
}

/** An address at which nothing listens: a server took the port and gave it back. */
export async function deadUrl(): Promise<string> {
  const { createServer } = await import('node:net')
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no port')
  return `http://127.0.0.1:${address.port}`
}
