/**
 * What the actions that run calls have in common: a block, nodes that serve its state, and a
 * machine on it.
 */

import { parseParameters, parseSignal } from '../actions/parameters.js'
import type { Client } from '../client/client.js'
import { parseBlock } from '../proving/at.js'
import type { Located } from '../proving/line.js'
import { askOfBlock } from '../proving/prove.js'
import { configOf, setUp } from '../proving/setup.js'
import { trustOf } from '../proving/trust.js'
import { recallBlock } from '../proving/walk.js'
import type { Grounded, Invalid, Unavailable } from '../result/result.js'
import { mpt } from '../systems/mpt.js'
import { type HashModule, loadHash } from '../wasm/module.js'
import { encodeForks } from './forks.js'
import { Beyond, Machine, NotKept } from './machine.js'
import { OVERRIDES, parseOverrides } from './overrides.js'
import { parseProgress } from './parse.js'
import { Source } from './source.js'
import type { RunParameters } from './types.js'

/** Names of {@link RunParameters}. */
const RUN_PARAMETERS = ['at', 'signal', 'onProgress', ...OVERRIDES] as const

/** What an action does with a machine. */
export type Work<V> = (run: Machine['run'], machine: Pick<Machine, 'ground'>) => Promise<V>

/**
 * Runs calls on the state after a block.
 *
 * @param known - names of the parameters that the action has beside those of {@link RunParameters}.
 * @param parse - the work that they ask for.
 * @throws InputError for a malformed argument, PlatformError, or the reason of an aborted signal.
 */
export async function onState<K extends string, V>(
  client: Client,
  parameters: RunParameters,
  known: readonly K[],
  parse: (given: { readonly [key in K]?: unknown }, hash: HashModule) => Work<V>,
): Promise<Grounded<{ readonly status: 'proven'; readonly value: V }> | Invalid | Unavailable> {
  const given = parseParameters(client, parameters, [...known, ...RUN_PARAMETERS])
  const at = parseBlock(given.at, 'at', client)
  const signal = parseSignal(given.signal)
  const onProgress = parseProgress(given.onProgress)
  signal?.throwIfAborted()
  const { chain } = client
  encodeForks(chain)
  const config = configOf(chain, mpt)
  const hash = await loadHash()
  const overrides = parseOverrides(given, hash)
  const work = parse(given, hash)
  const attempt = async (
    located: Located,
    machine: Machine,
  ): Promise<Located & ({ readonly value: V } | { readonly beyond: Beyond })> => {
    try {
      const value = await work((calls, inSequence) => machine.run(calls, inSequence), machine)
      machine.keep()
      return { ...located, value }
    } catch (error) {
      if (!(error instanceof Beyond)) throw error
      return { ...located, beyond: error }
    }
  }
  const outcome = await askOfBlock(
    client,
    { at, signal },
    (session, located) => {
      const source = (witness: Source['witness']): Source => new Source(session, located, witness)
      return attempt(
        located,
        new Machine(client, located, source, { overrides, signal: session.signal, onProgress }),
      )
    },
    async () => {
      const located = recallBlock(client.lines, at)
      if (located === undefined || client.cache === undefined) return undefined
      try {
        const terms = { overrides, signal, onProgress: undefined }
        return await attempt(located, new Machine(client, located, undefined, terms))
      } catch (error) {
        if (error instanceof NotKept) return undefined
        throw error
      }
    },
  )
  if (outcome.status !== 'proven') return outcome
  const { value: found, tried } = outcome
  if ('beyond' in found) return { status: 'unavailable', error: found.beyond.error, tried }
  const setup = await setUp(chain, mpt, config)
  const trust = trustOf(client, { ...found, setup, variant: 'plain' }, outcome, ['call'])
  const notProved = overrides.areGiven
    ? [...trust.notProved, 'overrides' as const]
    : trust.notProved
  return { status: 'proven', value: found.value, trust: { ...trust, notProved } }
}
