/** Whether sources of checkpoints agree: all are asked, and votes are counted. */

import type {
  CheckpointAgreed,
  CheckpointAnswers,
  CheckpointDisagreed,
} from '../actions/agreeOnCheckpoint.js'
import type { Chain } from '../chains.js'
import { Failures, isNodeError } from '../core/failures.js'
import type { Tried } from '../result.js'
import type { Endpoint } from '../transport/http.js'
import {
  beaconCheckpoints,
  type CheckpointSource,
  devnetCheckpoints,
  type FinalBlock,
} from './checkpoints.js'

/**
 * Asks every endpoint about the same slots, the newest first, until `need` of them name one root.
 *
 * @param chain - Ethereum's, if left out.
 * @throws PlatformError, or the signal's reason.
 */
export async function agree(
  chain: Chain | undefined,
  endpoints: readonly Endpoint[],
  need: number,
  signal: AbortSignal | undefined,
): Promise<CheckpointAgreed | CheckpointDisagreed> {
  const sources = sourcesAt(chain, endpoints)
  const first = await poll(sources, signal, (source) => source.newest(signal))
  const slots = [...new Set(first.found.map(({ value }) => value.slot))]
  const answers: CheckpointAnswers[] = []
  for (const slot of slots.sort((a, b) => (a > b ? -1 : 1))) {
    const answer = await askAbout(sources, slot, first.found, signal)
    const agreed = countVotes(answer, need)
    if (agreed !== undefined) return agreed
    answers.push(answer)
  }
  return { status: 'disagreed', answers, failed: first.failed }
}

function sourcesAt(chain: Chain | undefined, endpoints: readonly Endpoint[]): CheckpointSource[] {
  if (chain?.kind !== 'devnet') return endpoints.map(beaconCheckpoints)
  const client = { chain, profiles: new Map() }
  return endpoints.map((endpoint) => devnetCheckpoints(client, endpoint))
}

interface Poll<T> {
  readonly found: readonly { readonly source: string; readonly value: T }[]
  readonly failed: readonly Tried[]
}

async function poll<T>(
  sources: readonly CheckpointSource[],
  signal: AbortSignal | undefined,
  ask: (source: CheckpointSource) => Promise<T>,
): Promise<Poll<T>> {
  const failures = new Failures()
  const found: { source: string; value: T }[] = []
  const one = async (source: CheckpointSource): Promise<void> => {
    try {
      found.push({ source: source.name, value: await ask(source) })
    } catch (error) {
      signal?.throwIfAborted()
      if (!isNodeError(error)) throw error
      failures.add(error, source.name)
    }
  }
  await Promise.all(sources.map(one))
  return { found, failed: failures.tried }
}

async function askAbout(
  sources: readonly CheckpointSource[],
  slot: bigint,
  known: Poll<FinalBlock>['found'],
  signal: AbortSignal | undefined,
): Promise<CheckpointAnswers> {
  const { found, failed } = await poll(sources, signal, async (source) => {
    const own = known.find(({ source: name, value }) => name === source.name && value.slot === slot)
    return own?.value.root ?? source.at(slot, signal)
  })
  const votes = found.map(({ source, value }) => ({ source, root: value }))
  votes.sort((a, b) => (a.source < b.source ? -1 : 1))
  return { slot, votes, failed }
}

function countVotes(answer: CheckpointAnswers, need: number): CheckpointAgreed | undefined {
  const roots = [...new Set(answer.votes.map(({ root }) => root))]
  const enough = roots.filter(
    (wanted) => answer.votes.filter(({ root }) => root === wanted).length >= need,
  )
  const [checkpoint] = enough
  if (checkpoint === undefined || enough.length > 1) return undefined
  const dissent = answer.votes.filter(({ root }) => root !== checkpoint)
  return { status: 'agreed', ...answer, checkpoint, dissent }
}
