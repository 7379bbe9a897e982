import { type Chain, parseChain } from '../client/chains.js'
import { parseOptions } from '../encoding/input.js'
import type { Fetch } from '../encoding/platform.js'
import type { CheckpointAgreed, CheckpointDisagreed } from '../light/votes.js'
import { loadPart } from '../wasm/part.js'
import { parseSignal } from './parameters.js'

/** A source of checkpoints: its URL, and who runs it. */
export interface CheckpointSource {
  readonly url: string | URL
  /** Any name. Sources of one operator are one voice, those of two are two, whatever their URLs. */
  readonly operator: string
}

/** Whom to ask for a checkpoint. */
export interface CheckpointParameters {
  /** Ethereum's, if left out. */
  readonly chain?: Chain
  /**
   * URLs of beacon nodes of different people; on a devnet of its nodes. At most 16. Hosts whose
   * names end in the same two labels (`a.example.org`, `b.example.org`), and ports of one host, are
   * taken as one operator's, unless `operator` says otherwise; only on this machine (`localhost`)
   * each port is an operator's own.
   */
  readonly sources: readonly (string | URL | CheckpointSource)[]
  /** How many operators must name the same root. */
  readonly need: number
  /** Stands in for `globalThis.fetch`. */
  readonly fetch?: Fetch
  /** Milliseconds that one attempt at one source may take. Default 10,000. */
  readonly timeoutMs?: number
  /** Aborts the action, which then throws the signal's reason. */
  readonly signal?: AbortSignal
}

const OPTIONS = ['chain', 'sources', 'need', 'fetch', 'timeoutMs', 'signal'] as const
/**
 * Asks several sources for a checkpoint and compares: trust in any one of them is then not needed,
 * but in `need` operators not conspiring. All are asked about the same slot, since one may be an
 * epoch ahead of another.
 *
 * @returns the agreed checkpoint and the sources that dissent, or all answers without a choice.
 * @throws {@link InputError} for a malformed argument, {@link PlatformError}, or the reason of an
 *   aborted signal.
 */
export async function agreeOnCheckpoint(
  parameters: CheckpointParameters,
): Promise<CheckpointAgreed | CheckpointDisagreed> {
  const given = parseOptions(parameters, 'parameters', OPTIONS)
  const signal = parseSignal(given.signal)
  const chain = given.chain === undefined ? undefined : parseChain(given.chain, 'chain')
  const { agree } = await loadPart(() => import('../light/agree.js'))
  return agree(chain, given, signal)
}
