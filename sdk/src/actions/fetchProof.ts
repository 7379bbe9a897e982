import type { Client } from '../client.js'
import { prove } from '../core/prove.js'
import type { Hex } from '../encoding/hex.js'
import { parseSlot, type SlotLike, shown } from '../encoding/input.js'
import { InputError } from '../errors.js'
import type { ProofFile } from '../file.js'
import {
  ACCOUNT_PARAMETERS,
  type AccountParameters,
  parseParameters,
  parseQuestion,
} from './parameters.js'

/** What a proof file is to prove about an account. */
export interface ProofParameters extends AccountParameters {
  /** Storage slots, each once, at most 1,024. Default none. */
  readonly slots?: readonly SlotLike[]
  /** Whether to include the code. Default false. */
  readonly code?: boolean
}

const MAX_SLOTS = 1024

/**
 * Fetches a proof as a file that anybody can check offline. It comes from the first node whose proof holds; whoever
 * reads the file trusts nothing in it and calls `verifyProofFile`.
 *
 * @throws {@link ProofError} if a node sent a bad proof and none a good one, {@link UnavailableError} if none sent any;
 * {@link InputError} for a malformed argument, {@link PlatformError}, or the reason of an aborted signal.
 */
export async function fetchProof(client: Client, parameters: ProofParameters): Promise<ProofFile> {
  const given = parseParameters(client, parameters, [...ACCOUNT_PARAMETERS, 'slots', 'code'])
  const { code = false } = given
  if (typeof code !== 'boolean') {
    throw new InputError('input.option', 'code', `expected true or false, got ${shown(code)}`)
  }
  const outcome = await prove(
    client,
    await parseQuestion(client, given, parseSlots(given.slots), code),
  )
  if (outcome.status !== 'proven') throw outcome.error
  return outcome.value.file()
}

function parseSlots(value: unknown = []): Hex[] {
  if (!Array.isArray(value) || value.length > MAX_SLOTS) {
    throw new InputError('input.slot', 'slots', `expected a list of at most ${MAX_SLOTS} slots`)
  }
  const slots = value.map((slot: unknown, i) => parseSlot(slot, `slots[${i}]`))
  const twice = slots.findIndex((slot, i) => slots.indexOf(slot) !== i)
  if (twice < 0) return slots
  throw new InputError('input.slot', `slots[${twice}]`, 'asked for twice')
}
