/**
 * The same key by every system, measured here and now: bytes of the proof, and the time that its
 * check takes.
 */

import { type Client, fetchProof, type ProofFile, verifyProofFile } from 'lightproof'
import { clientOf } from '../check/client.js'
import { questionOf, SYSTEMS, systemOf } from '../check/systems.js'
import type { Settings } from '../form/settings.js'
import type { SystemName } from '../form/systems.js'
import { anchorOf, lengthOf } from '../lies/flip.js'

/** Checks of one proof; the first, which prepares the verifier, is not counted. */
const RUNS = 15

/** A proof, measured. */
export interface Measured {
  readonly system: SystemName
  readonly file: ProofFile
  readonly bytes: number
  /** Median. */
  readonly milliseconds: number
}

/** Why a system is not among them. */
export interface Unmeasured {
  readonly system: SystemName
  readonly problem: string
}

/** Measures one system after the other, and tells of each as it is done. */
export async function measureAll(
  settings: Settings,
  systems: readonly SystemName[],
  signal: AbortSignal,
  onRow: (row: Measured | Unmeasured) => void,
): Promise<void> {
  const { client } = clientOf(settings)
  for (const system of systems) {
    signal.throwIfAborted()
    try {
      onRow(await measure(client, { ...settings, system, from: '', to: '' }, system, signal))
    } catch (error) {
      signal.throwIfAborted()
      onRow({ system, problem: error instanceof Error ? error.message : String(error) })
    }
  }
}

async function measure(
  client: Client,
  settings: Settings,
  system: SystemName,
  signal: AbortSignal,
): Promise<Measured> {
  const question = questionOf(settings)
  const file = await fetchProof(client, { system: systemOf(system), ...question, signal })
  const check = checkerOf(client, file)
  await check()
  const times: number[] = []
  for (let run = 0; run < RUNS; run++) {
    const started = performance.now()
    await check()
    times.push(performance.now() - started)
  }
  times.sort((a, b) => a - b)
  const milliseconds = times[Math.floor(RUNS / 2)] ?? Number.NaN
  return { system, file, bytes: lengthOf(file), milliseconds }
}

/** Checks a file as a reader of it does. */
export function checkerOf({ chain }: Pick<Client, 'chain'>, file: ProofFile): () => Promise<void> {
  const anchor = { block: anchorOf(file) }
  return async () => {
    const result = await verifyProofFile(file, { chain, anchor, systems: SYSTEMS })
    if (result.status === 'invalid') throw result.error
  }
}
