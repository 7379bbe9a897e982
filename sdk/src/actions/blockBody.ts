/** What the actions about a block's body have in common. */

import type { Client } from '../client/client.js'
import { prove } from '../proving/prove.js'
import { trustOf } from '../proving/trust.js'
import type { Present, Result } from '../result/result.js'
import type { BodyValue } from '../systems/body/types.js'
import { body } from '../systems/body.js'
import type { Given } from '../systems/system.js'
import { parseInquiry } from './parameters.js'

/** The block's kind of value that a question asks for. */
export type ValueWith<K extends string> = Extract<BodyValue, { readonly [key in K]: unknown }>

/**
 * Proves what the question asks of a block's body; never absent.
 *
 * @param kind - the member that the value has.
 * @throws InputError, PlatformError, or the reason of an aborted signal.
 */
export async function proveBody<K extends string>(
  client: Client,
  given: Given,
  kind: K,
): Promise<Exclude<Result<ValueWith<K>, never>, { readonly status: 'absent' }>> {
  const inquiry = await parseInquiry(client, given, (hash) => body.parse(given, hash))
  const outcome = await prove(client, body, inquiry)
  if (outcome.status !== 'proven') return outcome
  const { finding, proved } = body.read(outcome.value.fact, outcome.value.query)
  if (!(kind in finding.value)) throw new TypeError('the core answered another question')
  // Sound: the value has the member, and no two kinds share one.
  const value = finding.value as ValueWith<K>
  const trust = trustOf(client, outcome.value, outcome, proved)
  const present: Present<ValueWith<K>> = { status: 'present', value, trust }
  return present
}
