/** Operators who attest one chain, each with a node and keys of its own. */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import type { AttestedConsensus } from '../../src/client/consensus.js'
import type { Hex } from '../../src/encoding/hex.js'
import type { Systems } from '../../src/systems/registry.js'
import { BINARY, type Sample } from './liveNode.js'

/** What the node of an operator prints first. */
interface AttesterReady {
  readonly url: string
  readonly kind: 'attested'
  readonly chainId: number
  readonly genesisHash: Hex
  readonly consensus: AttestedConsensus
  readonly samples: readonly Sample[]
  /** Where it takes blocks, with `--push`. */
  readonly push?: string
  readonly systems: Systems
}

export interface Attester extends AttesterReady {
  /** Resolves when this operator's node announces block `number` or a later one. */
  readonly announced: (number: number) => Promise<Hex>
  /** Kills the process; its data and keys stay. */
  readonly kill: () => Promise<void>
}

/** Free ports: whoever collects signatures must know where before anyone starts. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer()
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      return server
    }),
  )
  const ports = servers.map((server) => {
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('no port')
    return address.port
  })
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}

/**
 * Operators of one chain.
 *
 * @param options - of `lightproof-node run`, the same for each unless they are asked for.
 * @param program - with cargo's feature `ethereum`, where they follow a chain.
 */
export async function makeOperators(
  count: number,
  periodLength: number,
  options: readonly string[] | ((index: number) => readonly string[]),
  program: string = BINARY,
): Promise<{
  readonly start: (index: number) => Promise<Attester>
  readonly stop: () => Promise<void>
}> {
  const optionsOf = typeof options === 'function' ? options : () => options
  const root = mkdtempSync(path.join(tmpdir(), 'lightproof-attest-'))
  const ports = await freePorts(count)
  const urls = ports.map((port) => `http://127.0.0.1:${port}`)
  const members = urls.map((_, index) => {
    mkdirSync(path.join(root, `${index}`))
    const key = path.join(root, `${index}`, 'key')
    return JSON.parse(execFileSync(program, ['keys', 'new', '--out', key], { encoding: 'utf8' }))
  })
  const committee = path.join(root, 'committee.json')
  writeFileSync(committee, JSON.stringify({ periodLength, committees: [{ from: 0, members }] }))
  const running = new Set<ChildProcess>()
  const end = async (child: ChildProcess): Promise<void> => {
    running.delete(child)
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await exited
  }
  const start = async (index: number): Promise<Attester> => {
    const directory = path.join(root, `${index}`)
    const others = urls.filter((_, other) => other !== index).join(',')
    const own = ['--data', path.join(directory, 'data'), '--keys', path.join(directory, 'key')]
    const shared = ['--committee', committee, '--listen', `127.0.0.1:${ports[index]}`]
    const args = ['run', ...own, ...shared, '--attesters', others, ...optionsOf(index)]
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'] })
    running.add(child)
    if (child.stdout === null) throw new Error('no stdout')
    const lines = createInterface(child.stdout)
    const news = newsOf(lines)
    const ready = await readyOf(child, lines)
    return { ...ready, announced: news, kill: () => end(child) }
  }
  const stop = async (): Promise<void> => {
    await Promise.all([...running].map(end))
    rmSync(root, { recursive: true, force: true })
  }
  return { start, stop }
}

function readyOf(child: ChildProcess, lines: Interface): Promise<AttesterReady> {
  return new Promise((resolve, reject) => {
    child.once('error', (cause) => reject(new Error(`cannot start ${BINARY}`, { cause })))
    child.once('exit', (code) => reject(new Error(`left with ${code} before it was ready`)))
    lines.once('line', (line) => resolve(JSON.parse(line) as AttesterReady))
  })
}

/** Blocks as they are announced. */
function newsOf(lines: Interface): (number: number) => Promise<Hex> {
  let newest = { number: -1, hash: '0x' as Hex }
  const waiting = new Set<() => void>()
  lines.on('line', (line) => {
    const event = JSON.parse(line) as { event: string; number: number; hash: Hex }
    if (event.event !== 'block') return
    newest = event
    for (const tell of [...waiting]) tell()
  })
  return (number) =>
    new Promise((resolve) => {
      const tell = (): void => {
        if (newest.number < number) return
        waiting.delete(tell)
        resolve(newest.hash)
      }
      waiting.add(tell)
      tell()
    })
}
