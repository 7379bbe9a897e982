import type { Client } from '../client/client.js'
import { parseTime } from '../encoding/input.js'
import { prove } from '../proving/prove.js'
import type { ProofFile } from '../result/file.js'
import { type DefaultTypes, defaultSystem } from '../systems/default.js'
import type { ProofSystem, TypesOf } from '../systems/system.js'
import { type BlockAndSignal, parseInquiry, parseParameters, parseSystem } from './parameters.js'

/** What a proof file is to prove: without a system, about an Ethereum account. */
export type ProofParameters<S extends ProofSystem = ProofSystem<DefaultTypes>> = {
  /** From the system's entry. Default mpt. */
  readonly system?: S
  /**
   * From when on readers are to refuse the file; a Date, or text as it prints in JSON. Default
   * never.
   */
  readonly expires?: Date | string
} & TypesOf<S>['question'] &
  BlockAndSignal

/**
 * Fetches a proof as a file that anybody can check offline. It comes from the first node whose
 * proof holds; whoever reads the file trusts nothing in it and calls `verifyProofFile`.
 *
 * @throws {@link ProofError} if a node sent a bad proof and none a good one,
 *   {@link UnavailableError} if none sent any; {@link InputError} for a malformed argument,
 *   {@link PlatformError}, or the reason of an aborted signal.
 */
export async function fetchProof<S extends ProofSystem = ProofSystem<DefaultTypes>>(
  client: Client,
  parameters: ProofParameters<S>,
): Promise<ProofFile> {
  const system = parseSystem(parameters?.system ?? defaultSystem, 'parse')
  const known = ['system', 'expires', 'at', 'signal', ...system.asks]
  const given = parseParameters(client, parameters, known)
  const { expires } = given as { readonly expires?: unknown }
  const end = expires === undefined ? undefined : new Date(parseTime(expires, 'expires'))
  const inquiry = await parseInquiry(client, given, (hash) => system.parse(given, hash))
  const outcome = await prove(client, system, inquiry)
  if (outcome.status !== 'proven') throw outcome.error
  const file = await outcome.value.file()
  return end === undefined ? file : { ...file, expires: end.toISOString() }
}
