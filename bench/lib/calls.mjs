/** Calls over proven state, for each engine: ours in WebAssembly and natively, and an EVM in JS. */

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createEVM } from '@ethereumjs/evm'
import { fromMerkleStateProof } from '@ethereumjs/statemanager'
import { createAddressFromString } from '@ethereumjs/util'
import { keccak256 } from 'ethers'
import { cargoBench } from '../../scripts/lib/cargo.mjs'
import { at } from '../../scripts/lib/repo.mjs'
import { startModule } from './glue.mjs'
import { ascii, encode, fromHex, integer, toHex } from './rlp.mjs'

/** @typedef {import('./callState.mjs').RecordedCall} RecordedCall */
/** @typedef {{ status: string, output: string, gasUsed: string }} Answer */

/** Prague since block 0: which rules the calls follow. */
const FORKS = encode([[ascii('prague'), ascii('block'), integer(0n), integer(5_007_716n)]])
const CHAIN = encode([ascii('ethereum'), integer(1n), new Uint8Array(32)])
const GAS = 1n << 26n
const NOBODY = '0x0000000000000000000000000000000000000000'

/** Calls that were recorded on mainnet; none where the folder of reference vectors is not there. */
export function recordedCalls() {
  const vectors = process.env['LIGHTPROOF_REFERENCE_VECTORS'] ?? at('..', 'shared', 'vectors')
  const file = path.join(vectors, 'eth-call', 'usdc-balance-electra.json')
  if (!existsSync(file)) return []
  const { header, call, proofs, codes, expected } = JSON.parse(readFileSync(file, 'utf8'))
  const { output } = expected
  const title = 'mainnet: balance of USDC'
  /** @type {RecordedCall[]} */
  const calls = [{ id: 'mainnet-usdc', title, header, calls: [call], proofs, codes, output }]
  return calls
}

/**
 * What our module takes.
 *
 * @param {RecordedCall} recorded
 */
function requestOf({ header, calls, proofs, codes }) {
  const nodes = proofs.flatMap(({ accountProof, storageProof }) => [
    ...accountProof,
    ...storageProof.flatMap(({ proof }) => proof),
  ])
  const [none, zero] = [new Uint8Array(0), integer(0n)]
  return encode([
    [fromHex(keccak256(header)), [fromHex(header)]],
    [[...new Set(nodes)].map(fromHex), Object.values(codes).map(fromHex), []],
    calls.map(({ to, data }) => [
      ...[fromHex(NOBODY), fromHex(to), integer(GAS), none, none, fromHex(data)],
      [],
    ]),
    [integer(GAS), integer(GAS), integer(10_000n)],
    [[], [[], [], [], [], [], [], []]],
    zero,
  ])
}

/** @param {RecordedCall} recorded */
export function bytesOf(recorded) {
  return requestOf(recorded).length
}

/**
 * @param {RecordedCall} recorded
 * @param {string} text the module's answer
 * @returns {readonly Answer[]}
 * @throws if a call did not end as was expected
 */
function answersIn({ id, output }, text) {
  /** @type {{ answers?: readonly Answer[] }} */
  const { answers = [] } = JSON.parse(text)
  const isWrong = (/** @type {Answer} */ answer) =>
    answer.status !== 'success' || (output !== undefined && answer.output !== output)
  if (answers.length === 0 || answers.some(isWrong)) throw new Error(`${id}: ${text.slice(0, 300)}`)
  return answers
}

/** @type {Promise<{ calls(...args: unknown[]): string }> | undefined} */
let loading

/**
 * Ours: what is not proven does not exist for it.
 *
 * @param {RecordedCall} recorded
 * @returns {Promise<() => readonly Answer[]>}
 */
export async function prepareOurs(recorded) {
  loading ??= startModule('evm')
  const module = await loading
  const request = requestOf(recorded)
  const curves = { precompile: () => new Uint8Array(0) }
  return () => answersIn(recorded, module.calls(CHAIN, FORKS, request, curves))
}

/**
 * The same requests natively.
 *
 * @param {readonly RecordedCall[]} all
 * @param {{ profile: string, seconds: number }} how
 * @returns {Promise<Map<string, { medianUs: number, runs: number }>>} by id
 */
export async function measureNativeCalls(all, { profile, seconds }) {
  const dir = mkdtempSync(path.join(tmpdir(), 'lightproof-bench-'))
  try {
    const file = path.join(dir, 'calls.json')
    const cases = all.map((recorded) => ({
      id: recorded.id,
      chain: toHex(CHAIN),
      request: toHex(requestOf(recorded)),
    }))
    writeFileSync(file, JSON.stringify({ forks: toHex(FORKS), cases }))
    const options = ['--cases', file, '--seconds', String(seconds)]
    /** @type {{ case: string, result: string, medianUs: number, runs: number }[]} */
    const lines = await cargoBench('lightproof-evm', 'calls', profile, options)
    const byId = new Map(lines.map((line) => [line.case, line]))
    for (const recorded of all) answersIn(recorded, byId.get(recorded.id)?.result ?? '{}')
    return byId
  } finally {
    rmSync(dir, { recursive: true })
  }
}

/**
 * An EVM in JavaScript over the same proofs: its state is built anew from them each time.
 *
 * @param {RecordedCall} recorded
 * @returns {Promise<() => Promise<bigint>>} gas that all calls used
 */
export async function prepareEthereumjs(recorded) {
  const { proofs, codes, calls, output } = recorded
  const caller = createAddressFromString(NOBODY)
  const codeOf = new Map(proofs.map(({ address, codeHash }) => [address, codes[codeHash]]))
  return async () => {
    const stateManager = await fromMerkleStateProof(/** @type {any} */ (proofs), true)
    for (const [address, code] of codeOf) {
      if (code !== undefined)
        await stateManager.putCode(createAddressFromString(address), fromHex(code))
    }
    const evm = await createEVM({ stateManager })
    let gas = 0n
    for (const { to, data } of calls) {
      const { execResult } = await evm.runCall({
        caller,
        to: createAddressFromString(to),
        data: fromHex(data),
        gasLimit: GAS,
        skipBalance: true,
      })
      const got = toHex(execResult.returnValue)
      const isWrong = output !== undefined && got !== output
      if (execResult.exceptionError !== undefined || isWrong) throw new Error(got)
      gas += execResult.executionGasUsed
      // Each call is a transaction of its own: what one has read is cold again for the next.
      evm.journal.cleanJournal()
    }
    return gas
  }
}
