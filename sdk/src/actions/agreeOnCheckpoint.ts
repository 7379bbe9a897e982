import { type Chain, parseChain } from '../chains.js'
import { type Hash, parseInteger, parseOptions } from '../encoding/input.js'
import { InputError } from '../errors.js'
import type { Tried } from '../result.js'
import { parseEndpoints, parseLimits } from '../transport/endpoint.js'
import type { Endpoint } from '../transport/http.js'
import { loadPart } from '../wasm/part.js'
import { parseSignal } from './parameters.js'

/** Whom to ask for a checkpoint. */
export interface CheckpointParameters {
  /** Ethereum's, if left out. */
  readonly chain?: Chain
  /** URLs of beacon nodes of different people; on a devnet of its nodes. At most 16. */
  readonly sources: readonly (string | URL)[]
  /** How many of them must name the same root. */
  readonly need: number
  /** Stands in for `globalThis.fetch`. */
  readonly fetch?: typeof globalThis.fetch
  /** Milliseconds that one attempt at one source may take. Default 10,000. */
  readonly timeoutMs?: number
  /** Aborts the action, which then throws the signal's reason. */
  readonly signal?: AbortSignal
}

/** What a source says is the root of a slot. */
export interface CheckpointVote {
  readonly source: string
  readonly root: Hash
}

/** What the sources said of one slot. */
export interface CheckpointAnswers {
  /** Slot of the final block in question; on a devnet its number. */
  readonly slot: bigint
  readonly votes: readonly CheckpointVote[]
  /** Sources that named no root of that slot: unreachable, or not as far yet. */
  readonly failed: readonly Tried[]
}

/** Enough sources name one root, and no other root has as many. */
export interface CheckpointAgreed extends CheckpointAnswers {
  readonly status: 'agreed'
  /** For `anchor: { checkpoint }`. */
  readonly checkpoint: Hash
  /** Sources that name another root for the same slot: they follow another chain, or lie. */
  readonly dissent: readonly CheckpointVote[]
}

/** No root has enough votes, or two have. Each slot that was asked about, the newest first. */
export interface CheckpointDisagreed {
  readonly status: 'disagreed'
  readonly answers: readonly CheckpointAnswers[]
  /** Sources that named no final block at all. */
  readonly failed: readonly Tried[]
}

const OPTIONS = ['chain', 'sources', 'need', 'fetch', 'timeoutMs', 'signal'] as const
const MAX_SOURCES = 16

/**
 * Asks several sources for a checkpoint and compares: trust in any one of them is then not needed, but in `need` of them
 * not conspiring. All are asked about the same slot, since one may be an epoch ahead of another.
 *
 * @returns the agreed checkpoint with those who dissent, or that there is none: it never picks one.
 * @throws {@link InputError} for a malformed argument, {@link PlatformError}, or the reason of an aborted signal.
 */
export async function agreeOnCheckpoint(
  parameters: CheckpointParameters,
): Promise<CheckpointAgreed | CheckpointDisagreed> {
  const given = parseOptions(parameters, 'parameters', OPTIONS)
  const signal = parseSignal(given.signal)
  const endpoints = parseSources(given)
  const need = parseInteger(given.need, 'need', { min: 1, max: endpoints.length })
  const chain = given.chain === undefined ? undefined : parseChain(given.chain, 'chain')
  const { agree } = await loadPart(() => import('../light/agree.js'))
  return agree(chain, endpoints, need, signal)
}

function parseSources(
  given: { readonly [key in 'sources' | 'fetch' | 'timeoutMs']?: unknown },
): Endpoint[] {
  const { fetch, timeoutMs } = given
  const limits = parseLimits({ fetch, timeoutMs })
  const endpoints = parseEndpoints(given.sources, 'sources', limits)
  if (endpoints.length > MAX_SOURCES) {
    throw new InputError('input.node', 'sources', `expected at most ${MAX_SOURCES}`)
  }
  const labels = endpoints.map(({ url }) => new URL(url).origin)
  const twin = labels.findIndex((label, i) => labels.indexOf(label) !== i)
  if (twin >= 0) {
    throw new InputError(
      'input.node',
      `sources[${twin}]`,
      'of the same origin: one voice counts once',
    )
  }
  return endpoints
}
