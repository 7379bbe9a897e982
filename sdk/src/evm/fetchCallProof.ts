import { type BlockAndSignal, parseParameters } from '../actions/parameters.js'
import type { Client } from '../client/client.js'
import { toHex } from '../encoding/hex.js'
import { lineage } from '../proving/line.js'
import { type CallFile, callToJson, witnessToJson } from './callFile.js'
import { onState } from './onState.js'
import { outcomeOf } from './outcome.js'
import { CALL_FIELDS, parseCall } from './parse.js'
import type { CallRequest, RunParameters } from './types.js'

/** A call, and the block. State is not to be altered: a file is about what is proven. */
export interface CallProofParameters
  extends CallRequest,
    BlockAndSignal,
    Pick<RunParameters, 'onProgress'> {}

/**
 * Runs a call, and gives all that it ran on as a file that anybody can check offline with
 * `verifyCallFile`. A call that reverts makes a file too.
 *
 * @throws ProofError if a node sent a bad proof and none a good one, UnavailableError if none sent
 *   any; InputError for a malformed argument, PlatformError, or the reason of an aborted signal.
 */
export async function fetchCallProof(
  client: Client,
  parameters: CallProofParameters,
): Promise<CallFile> {
  // Overrides are refused: no file could tell them from what is proven.
  parseParameters(client, parameters, [...CALL_FIELDS, 'at', 'signal', 'onProgress'])
  const result = await onState(client, parameters, CALL_FIELDS, (given, hash) => {
    const call = parseCall(given, hash)
    return async (run, machine) => {
      const outcome = outcomeOf((await run([call]))[0])
      return { call, outcome, ...machine.ground }
    }
  })
  if (result.status !== 'proven') throw result.error
  const { call, outcome, located, witness } = result.value
  const { chain, note } = client
  const { chainId, genesisHash } = chain
  const rlps = lineage(located).map(({ rlp }) => toHex(rlp))
  const by = await located.line.leap?.file()
  const [output, gasUsed] =
    outcome.status === 'success'
      ? [outcome.value.output, outcome.value.gasUsed]
      : [outcome.error.data, outcome.gasUsed]
  return {
    schema: 1,
    kind: 'call',
    chain: { kind: 'ethereum', chainId, genesisHash },
    source: { header: { hash: located.line.hash, rlps, ...(by && { by }) } },
    call: callToJson(call),
    witness: witnessToJson(witness),
    expected: { result: outcome.status, output, gasUsed: `0x${gasUsed.toString(16)}` },
    meta: {
      servedBy: result.trust.servedBy,
      createdAt: new Date().toISOString(),
      ...(note && { note }),
    },
  }
}
