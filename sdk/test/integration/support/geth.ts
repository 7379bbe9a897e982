/** geth on the loopback interface, offline, in a directory of its own that vanishes with it. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { DEV_CHAIN_ID, devGenesis, type Fork } from './genesis.js'
import { runProgram, startProgram } from './program.js'
import { rpc } from './rpc.js'

/** A running geth. */
export interface Geth {
  readonly url: string
  stop(): Promise<void>
}

const geth =
  process.env['LIGHTPROOF_GETH'] ??
  fileURLToPath(new URL('../../../../.tools/geth', import.meta.url))

// No peers, no discovery; every port is the system's choice.
const OFFLINE = ['--maxpeers', '0', '--nodiscover', '--nat', 'none', '--port', '0', '--ipcdisable']
const HTTP = ['--http', '--http.addr', '127.0.0.1', '--http.port', '0', '--authrpc.port', '0']
// Transactions that wait for one before them.
const POOL = ['--txpool.accountqueue', '1000']
const READY = /HTTP server started\s+endpoint=(127\.0\.0\.1:\d+)/

/**
 * What a development geth keeps of older states: all, or the newest 128 as a node does by default.
 */
type History = 'archive' | 'recent'

const HISTORY: Record<History, { readonly scheme: string; readonly args: readonly string[] }> = {
  archive: { scheme: 'hash', args: ['--gcmode', 'archive'] },
  recent: { scheme: 'path', args: [] },
}

/** Options of {@link startDevGeth}. */
interface DevOptions {
  /** Default `archive`. */
  readonly history?: History
  /**
   * Seconds from block to block. Default: a block whenever a transaction waits, and none else. viem
   * and ethers look for a receipt whenever there is a new block, and can miss the first one while
   * they look: on a chain that stands still they then wait until their time is up.
   */
  readonly period?: number
}

/** A development chain with all rules of a fork. */
export async function startDevGeth(
  fork: Fork,
  { history = 'archive', period }: DevOptions = {},
): Promise<Geth> {
  const { scheme, args } = HISTORY[history]
  return inTempDir(async (dir) => {
    const genesis = path.join(dir, 'genesis.json')
    const store = ['--datadir', path.join(dir, 'data'), '--state.scheme', scheme]
    await writeFile(genesis, devGenesis(fork))
    await runProgram(geth, ['init', ...store, genesis])
    const pace = period === undefined ? [] : ['--dev.period', `${period}`]
    return launch([...store, '--dev', ...pace, ...POOL, ...args], DEV_CHAIN_ID)
  })
}

/** Ethereum's chain at block 0: it knows the genesis state, and nobody to learn more from. */
export async function startMainnetGeth(): Promise<Geth> {
  return inTempDir((dir) => launch(['--mainnet', '--datadir', path.join(dir, 'data')], 1))
}

async function launch(args: readonly string[], chainId: number): Promise<Geth> {
  const options = [...args, ...OFFLINE, ...HTTP, '--http.api', 'eth,debug']
  const { ready, stop } = await startProgram(geth, options, READY)
  const url = `http://${ready[1] ?? ''}`
  const served = Number(await rpc(url, 'eth_chainId'))
  if (served !== chainId) throw new Error(`geth serves chain ${served}, not ${chainId}`)
  return { url, stop }
}

async function inTempDir(start: (dir: string) => Promise<Geth>): Promise<Geth> {
  const dir = await mkdtemp(path.join(tmpdir(), 'lightproof-geth-'))
  const clean = (): Promise<void> => rm(dir, { recursive: true, force: true })
  try {
    const { url, stop } = await start(dir)
    return { url, stop: () => stop().then(clean) }
  } catch (error) {
    await clean()
    throw error
  }
}
