/** Starts and stops lightproof-node. */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { DevnetConsensus } from '../../src/client/consensus.js'
import type { Hex } from '../../src/encoding/hex.js'

/** The program. */
export const BINARY =
  process.env['LIGHTPROOF_NODE'] ??
  fileURLToPath(new URL('../../../target/release/lightproof-node', import.meta.url))

export interface Sample {
  readonly kind: 'eoa' | 'contract' | 'absent'
  readonly address: Hex
  readonly slots: readonly Hex[]
}

/** The node's first line. */
export interface Ready {
  readonly url: string
  readonly genesisHash: Hex
  readonly head: { readonly number: number; readonly hash: Hex }
  readonly samples: readonly Sample[]
  readonly systems: {
    readonly lvmt: { readonly format: string; readonly paramsDigest: Hex }
    readonly verkle: { readonly format: string; readonly paramsDigest: Hex }
    readonly balanceproofs: { readonly format: string; readonly paramsDigest: Hex }
  }
  /** Of a chain with signed headers. */
  readonly consensus?: DevnetConsensus
  /** Where it takes blocks, with `--push`. */
  readonly push?: string
}

export interface LiveNode extends Ready {
  /** Its data directory, which goes with it. */
  readonly data: string
  readonly stop: () => Promise<void>
}

/** 2026-01-01, so that every node has the same chain. */
const GENESIS_TIME = '1767225600'

/**
 * A node on a fresh data directory, with `blocks` blocks of the same seed and time as every other,
 * unless others are named; honest but for {@link lying}.
 *
 * @param data - a directory with a chain to go on with, which goes with the node.
 */
export async function startNode(
  blocks: number,
  options: readonly string[] = [],
  data: string = mkdtempSync(path.join(tmpdir(), 'lightproof-')),
): Promise<LiveNode> {
  const still = options.includes('--blocks') ? [] : ['--blocks', '0']
  const seed = options.includes('--seed') ? [] : ['--seed', '7']
  const time = options.includes('--genesis-time') ? [] : ['--genesis-time', GENESIS_TIME]
  const made = options.includes('--push') ? [] : ['--prefill', String(blocks), ...still]
  const chain = [...seed, ...time, ...made, ...options]
  const child = spawn(BINARY, ['run', '--data', data, ...chain, '--lies-by-path'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      const exited = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await exited
    }
    rmSync(data, { recursive: true, force: true })
  }
  try {
    return { ...(await ready(child)), data, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/**
 * The node where it tells a lie. Clients call both places by one name: an honest one beside it is
 * another node.
 */
export function lying<T extends Ready>(node: T, lie: string): T {
  return { ...node, url: `${node.url}/lie/${lie}` }
}

function ready(child: ChildProcess): Promise<Ready> {
  const { stdout } = child
  if (stdout === null) throw new Error('no stdout')
  return new Promise((resolve, reject) => {
    child.once('error', (cause) => reject(new Error(`cannot start ${BINARY}`, { cause })))
    child.once('exit', (code) =>
      reject(new Error(`${BINARY} left with ${code} before it was ready`)),
    )
    createInterface(stdout).once('line', (line) => resolve(JSON.parse(line) as Ready))
  })
}

/** The attacks that the node knows about systems, `headers` or `signatures`. */
export function listLies(
  ...subjects: readonly string[]
): readonly { readonly name: string; readonly about: string }[] {
  const args = ['lies', '--json', '--about', subjects.join(',')]
  return JSON.parse(execFileSync(BINARY, args, { encoding: 'utf8' }))
}
