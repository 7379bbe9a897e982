/** Whether sources of checkpoints agree: all are asked, and votes are counted. */

import type { Chain } from '../client/chains.js'
import { type Hash, parseInteger } from '../encoding/input.js'
import { Failures, isNodeError } from '../proving/failures.js'
import { InputError } from '../result/errors.js'
import type { Tried } from '../result/result.js'
import type { Endpoint } from '../transport/http.js'
import {
  beaconCheckpoints,
  type CheckpointSource,
  devnetCheckpoints,
  type FinalBlock,
} from './checkpoints.js'
import { parseVoices } from './operators.js'
import type { CheckpointAgreed, CheckpointAnswers, CheckpointDisagreed } from './votes.js'

/**
 * Asks every source about the same slots, the newest first, until `need` operators name one root.
 *
 * @param chain - Ethereum's, if left out.
 * @throws InputError, PlatformError, or the signal's reason.
 */
export async function agree(
  chain: Chain | undefined,
  given: { readonly [key in 'sources' | 'need' | 'fetch' | 'timeoutMs']?: unknown },
  signal: AbortSignal | undefined,
): Promise<CheckpointAgreed | CheckpointDisagreed> {
  const voices = parseVoices(given)
  const operators = new Map(voices.map(({ endpoint, operator }) => [endpoint.label, operator]))
  const max = new Set(operators.values()).size
  const need = parseNeed(given.need, max, voices.length)
  const sources = sourcesAt(
    chain,
    voices.map(({ endpoint }) => endpoint),
  )
  const first = await poll(sources, signal, (source) => source.newest(signal))
  const slots = [...new Set(first.found.map(({ value }) => value.slot))]
  const answers: CheckpointAnswers[] = []
  for (const slot of slots.sort((a, b) => (a > b ? -1 : 1))) {
    const answer = await askAbout(sources, operators, slot, first.found, signal)
    const agreed = countVotes(answer, need)
    if (agreed !== undefined) return agreed
    answers.push(answer)
  }
  return { status: 'disagreed', answers, failed: first.failed }
}

function parseNeed(value: unknown, operators: number, sources: number): number {
  const need = parseInteger(value, 'need', { min: 1, max: sources })
  if (need <= operators) return need
  const fix = 'name them by { url, operator } where that is wrong'
  const problem = `is ${need}, but by their host names the sources are of ${operators} operators, each one voice: ${fix}`
  throw new InputError('input.option', 'need', problem)
}

function sourcesAt(chain: Chain | undefined, endpoints: readonly Endpoint[]): CheckpointSource[] {
  if (chain === undefined || chain.kind === 'ethereum') return endpoints.map(beaconCheckpoints)
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
  operators: ReadonlyMap<string, string>,
  slot: bigint,
  known: Poll<FinalBlock>['found'],
  signal: AbortSignal | undefined,
): Promise<CheckpointAnswers> {
  const { found, failed } = await poll(sources, signal, async (source) => {
    const own = known.find(({ source: name, value }) => name === source.name && value.slot === slot)
    return own?.value.root ?? source.at(slot, signal)
  })
  const votes = found.map(({ source, value }) => {
    return { source, operator: operators.get(source) ?? source, root: value }
  })
  votes.sort((a, b) => (a.source < b.source ? -1 : 1))
  return { slot, votes, failed }
}

function countVotes(answer: CheckpointAnswers, need: number): CheckpointAgreed | undefined {
  const roots = [...new Set(answer.votes.map(({ root }) => root))]
  const voicesFor = (wanted: Hash): number =>
    new Set(answer.votes.filter(({ root }) => root === wanted).map(({ operator }) => operator)).size
  const enough = roots.filter((root) => voicesFor(root) >= need)
  const [checkpoint] = enough
  if (checkpoint === undefined || enough.length > 1) return undefined
  const dissent = answer.votes.filter(({ root }) => root !== checkpoint)
  return { status: 'agreed', ...answer, checkpoint, dissent }
}
