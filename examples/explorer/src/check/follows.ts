/** What of an answer was compared with the Ethereum chain that the operators follow. */

import {
  type Block,
  type Client,
  getAccount,
  getBlock,
  getStorage,
  getValue,
  type Trust,
  type ValueParameters,
  type ValueSystem,
} from 'lightproof'
import { getHistory } from 'lightproof/cole'
import type { Settings } from '../form/settings.js'
import { questionOf, systemOf } from './systems.js'

/** The part of a trust report that a file does not have. */
export type Compared = Pick<Trust, 'origin' | 'originState' | 'crossChecked'>

/** Whose trust is told. */
interface Told {
  readonly error?: Error
  readonly trust?: Trust
}

/**
 * Asks once more, for the comparison alone: a file speaks of one chain.
 *
 * @throws what keeps it from being proven, a contradiction among that.
 */
export async function comparedOf(
  client: Client,
  settings: Settings,
  given: { readonly at?: Block; readonly signal: AbortSignal },
): Promise<Compared> {
  const { error, trust } = await askAgain(client, settings, given)
  if (error !== undefined) throw error
  const { origin, originState, crossChecked } = trust ?? {}
  return {
    ...(origin && { origin }),
    ...(originState && { originState }),
    ...(crossChecked !== undefined && { crossChecked }),
  }
}

async function askAgain(
  client: Client,
  settings: Settings,
  given: { readonly at?: Block; readonly signal: AbortSignal },
): Promise<Told> {
  const { system, address, from } = settings
  const question = questionOf(settings)
  switch (system) {
    case 'mpt': {
      const [slot] = (question['slots'] ?? []) as readonly string[]
      return slot === undefined
        ? getAccount(client, { address, ...given })
        : getStorage(client, { address, slot, ...given })
    }
    case 'balanceproofs': {
      // Nobody says here whose balance stands at which position.
      const { at, signal } = given
      return getBlock(client, { signal, ...(at && { block: at }) })
    }
    case 'cole':
      return from === ''
        ? getValue(client, valueIn(system, question, given))
        : getHistory(client, { address, fromBlock: 0, ...question, ...given })
    default:
      return getValue(client, valueIn(system, question, given))
  }
}

/** The parameters of one value, by whichever system. */
function valueIn(system: string, question: object, given: object): ValueParameters<ValueSystem> {
  return {
    system: systemOf(system),
    ...question,
    ...given,
  } as unknown as ValueParameters<ValueSystem>
}
