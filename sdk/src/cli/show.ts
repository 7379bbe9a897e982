/** Results for people and for programs. */

import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Reverted } from '../evm/types.js'
import type { Evidence } from '../result/file.js'
import { toJson } from '../result/json.js'
import type { Invalid, Trust, Unavailable } from '../result/result.js'
import { age, ago, EXIT, type Io, jsonText, refusal, table } from './io.js'

/** A proven outcome of any action. */
export interface ProvenOutcome {
  readonly status: 'present' | 'absent' | 'deleted' | 'proven' | 'success'
  readonly value: unknown
  readonly trust: Trust
}

/** How an outcome is shown. */
export interface ShowOptions {
  readonly json: boolean
  /** A directory for the bad proofs of liars. */
  readonly evidence?: string | undefined
  /** Those of liars whose answer another node then proved. */
  readonly lies?: readonly Evidence[]
  /** Rows about the value. */
  readonly rows: (outcome: ProvenOutcome) => readonly (readonly [string, string])[]
}

/**
 * Prints an outcome; its exit code. Code that reverts is proven to, and has no value all the same.
 */
export async function show(
  io: Io,
  outcome: ProvenOutcome | Reverted | Invalid | Unavailable,
  { json, evidence, lies = [], rows }: ShowOptions,
): Promise<number> {
  if (json) io.out(jsonText(toJson(outcome)))
  if (!isProven(outcome)) {
    const kept = await keep(outcome.status === 'invalid' ? outcome.evidence : lies, evidence)
    if (!json) {
      io.err(refusal(outcome))
      for (const file of kept) io.err(`evidence: ${file}\n`)
    }
    return outcome.status === 'invalid' ? EXIT.invalid : EXIT.unavailable
  }
  const kept = await keep(lies, evidence)
  if (!json) {
    for (const file of kept) io.err(`evidence: ${file}\n`)
    io.out(
      table([...rows(outcome), ['status', meaning(outcome.status)], ...trustRows(outcome.trust)]),
    )
  }
  return EXIT.ok
}

function isProven(
  outcome: ProvenOutcome | Reverted | Invalid | Unavailable,
): outcome is ProvenOutcome {
  return !('error' in outcome)
}

function meaning(status: ProvenOutcome['status']): string {
  if (status === 'proven') return 'proven'
  if (status === 'success') return 'proven by running the code'
  return status === 'present' ? 'proven present' : `proven ${status}`
}

/** On what grounds a value is held. */
function trustRows(trust: Trust): [string, string][] {
  const { block, finality, anchor, participation, servedBy, tried, proved, notProved } = trust
  const rows: [string, string][] = [
    ['chain', `${trust.chain.name} (${trust.chain.chainId})`],
    [
      'block',
      `${block.number ?? 'unknown'} ${block.hash ?? 'of a pinned root'}, ${age(block.ageSeconds)}`,
    ],
    ['finality', finalityText(finality)],
    // Its age is not the value's: a file's anchor may be days newer than its block.
    ['anchor', `${anchor.kind} ${anchor.hash}, ${ago(anchor.ageSeconds)}`],
  ]
  if (trust.attestedBy !== undefined) {
    const { signed, of } = trust.attestedBy
    rows.push(['attested', `by ${signed} of ${of} operators`])
  } else if (participation !== undefined) {
    rows.push(['signed', `by ${participation.signed} of ${participation.of} members`])
  }
  if (trust.origin !== undefined) rows.push(['follows', followedText(trust)])
  if (trust.setup?.insecure === true) {
    rows.push(['setup', `INSECURE: its secret is known (${trust.setup.digest})`])
  }
  rows.push(['system', `${trust.system}, ${trust.variant}`], ['served by', servedBy])
  for (const { node, code } of tried) rows.push(['in vain', `${node}: ${code}`])
  rows.push(['proved', proved.join(', ')], ['not proved', notProved.join(', ')])
  return rows
}

function finalityText(finality: Trust['finality']): string {
  return finality === 'forced' ? 'FORCED: the client went on without finality' : finality
}

/** What an answer of a chain that follows another was compared with. */
function followedText({ originState, crossChecked = 0 }: Trust): string {
  const state =
    originState === 'equal' ? 'its state is that of its origin' : 'its state is not compared'
  return `its origin is proven; ${state}; ${crossChecked} of its values proven a second time there`
}

/** Writes bad proofs into a directory; their paths. */
export async function keep(
  files: readonly Evidence[],
  directory: string | undefined,
): Promise<readonly string[]> {
  if (directory === undefined || files.length === 0) return []
  await mkdir(directory, { recursive: true })
  const written: string[] = []
  for (const [i, file] of files.entries()) {
    const time = (file.meta?.createdAt ?? '').replace(/[^0-9T]/g, '')
    const place = path.join(directory, `evidence-${time}-${i + 1}.json`)
    await writeFile(place, `${JSON.stringify(file, null, 2)}\n`)
    written.push(place)
  }
  return written
}
