/** Starts lightproof-node and reads what it announces on its console. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { nodeProgram } from '../../scripts/lib/repo.mjs'
import { start } from '../../scripts/lib/run.mjs'

/**
 * @typedef {object} Ready The node's first line.
 * @property {number} pid of the process
 * @property {string} url
 * @property {string} genesisHash
 * @property {{ number: number, hash: string }} head
 * @property {{ number: number, hash: string }} checkpoint block to start from, a committee before the head's
 * @property {import('lightproof').DevnetConsensus} consensus
 * @property {{ kind: 'eoa' | 'contract' | 'absent', address: string, slots: string[] }[]} samples
 */

/**
 * What makes a chain.
 *
 * @typedef {object} Making
 * @property {number} prefill blocks made at once
 * @property {number} bornAt time of block 0, in seconds since 1970
 * @property {number} period blocks for which a committee signs
 * @property {number} [blocks] made after them, one by one; without end if left out
 */

/**
 * Starts a node with a new database in a temporary directory, which goes away with this process, as
 * the node does.
 *
 * @param {Making} options
 * @returns {Promise<Ready>}
 * @throws {Error} with what it printed, if it ends before it is ready
 */
export async function startNode({ prefill, bornAt, period, blocks }) {
  const data = mkdtempSync(path.join(tmpdir(), 'lightproof-devnet-'))
  const chain = ['--prefill', `${prefill}`, '--genesis-time', `${bornAt}`, '--period', `${period}`]
  process.once('exit', () => rmSync(data, { recursive: true, force: true }))
  const more = blocks === undefined ? [] : ['--blocks', `${blocks}`]
  const program = process.env.LIGHTPROOF_NODE ?? nodeProgram()
  return runNode(program, ['--data', data, ...chain, ...more, '--lies-by-path'])
}

/**
 * Runs a node, which goes away with this process.
 *
 * @param {string} program
 * @param {string[]} options of `lightproof-node run`
 * @param {(event: any) => boolean} [isReady] of what it announces, what is waited for after its
 *   first line
 * @returns {Promise<Ready>} its first line
 * @throws {Error} with what it printed, if it ends before it is ready
 */
export function runNode(program, options, isReady = () => true) {
  const node = start(program, ['run', ...options])
  const complaints = ['lightproof-node ended early']
  createInterface({ input: node.stderr }).on('line', (line) => complaints.push(line))
  return new Promise((resolve, reject) => {
    /** @type {Ready | undefined} */
    let first
    createInterface({ input: node.stdout }).on('line', (line) => {
      const event = JSON.parse(line)
      first ??= { ...event, pid: node.pid }
      if (first !== undefined && isReady(event)) resolve(first)
    })
    node.once('error', reject)
    node.once('close', () => reject(new Error(complaints.join('\n'))))
  })
}
