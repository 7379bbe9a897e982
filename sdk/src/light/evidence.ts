/**
 * Evidence of signed headers that do not hold: what the client held, and what it was sent; made
 * here, and checked again.
 */

import type { Chain } from '../client/chains.js'
import { bytesOf, toHex, toQuantity } from '../encoding/hex.js'
import type { Hash } from '../encoding/input.js'
import { asBytes, asHash, asInteger, asList, asRecord, malformed } from '../encoding/untrusted.js'
import { InputError, PlatformError, ProofError, UnavailableError } from '../result/errors.js'
import type { HeaderEvidence, HeaderStep } from '../result/file.js'
import { type LightClient, type LightState, openLight } from './handle.js'
import type { Light } from './light.js'

/** What a source sent that the client did not take yet. */
export interface Sent {
  readonly form: Exclude<HeaderStep['form'], 'import'>
  readonly bytes: Uint8Array
  /** Seconds since 1970; a bootstrap needs no clock. */
  readonly now?: bigint
}

/**
 * The evidence; undefined where a reader would not come to the same end: of what depends on this
 * machine's clock.
 *
 * @throws PlatformError
 */
export async function evidenceOf(
  light: Light,
  client: LightClient,
  { form, bytes, now }: Sent,
  source: string,
  { code }: ProofError,
): Promise<HeaderEvidence | undefined> {
  if (code === 'verify.time') return undefined
  const { chain, state } = light
  const held: HeaderStep[] =
    state === undefined ? [] : [{ form: 'import', bytes: toHex(await client.export()) }]
  const { kind, chainId, genesisHash, consensus } = chain
  const clock = now === undefined ? {} : { now: toQuantity(now) }
  const file: HeaderEvidence = {
    schema: 1,
    kind: 'evidence',
    chain: { kind, chainId, genesisHash, ...(consensus === undefined ? {} : { consensus }) },
    checkpoint: state?.anchorRoot ?? light.checkpoint,
    steps: [...held, { form, bytes: toHex(bytes), ...clock }],
    expected: { result: 'invalid', code },
    meta: { servedBy: source, createdAt: new Date().toISOString() },
  }
  const again = await replay(file, chain, file.checkpoint as Hash).catch((error: unknown) => error)
  return again instanceof ProofError && again.code === code ? file : undefined
}

/**
 * Takes the steps of a file, from the checkpoint that its reader trusts; what a client holds after
 * all of them.
 *
 * @throws ProofError of the last step; `decode.response` if the steps before it do not hold,
 *   `verify.checkpoint` if they start elsewhere; InputError if the chain's headers are not signed;
 *   PlatformError
 */
export async function replay(file: unknown, chain: Chain, checkpoint: Hash): Promise<LightState> {
  const { checkpoint: start, steps } = asRecord(file, 'file')
  if (asHash(start, 'checkpoint') !== checkpoint) {
    const problem = `the file starts from ${start}, but anchor.checkpoint, which you trust, is ${checkpoint}`
    throw new ProofError('verify.checkpoint', problem)
  }
  const list = asList(steps, 'steps')
  const client = await openLight(chain)
  try {
    let state: LightState | undefined
    for (const [i, step] of list.entries()) {
      const field = `steps[${i}]`
      state = await take(client, checkpoint, asRecord(step, field), field).catch((cause) => {
        if (cause instanceof PlatformError) throw cause
        if (cause instanceof UnavailableError) {
          throw new InputError('input.chain', 'chain.consensus.forks', cause.message, { cause })
        }
        // What somebody made up to be lied about convicts nobody.
        if (i < list.length - 1 || !(cause instanceof ProofError)) throw malformed(field, 'a step')
        throw cause
      })
    }
    if (state === undefined) throw malformed('steps', 'a step')
    return state
  } finally {
    client.free()
  }
}

async function take(
  client: LightClient,
  checkpoint: Hash,
  { form, bytes, now = '0x0' }: Record<string, unknown>,
  field: string,
): Promise<LightState> {
  const sent = asBytes(bytes, field)
  if (form === 'bootstrap') return client.bootstrap(checkpoint, sent)
  if (form === 'import') return client.import(sent, bytesOf(checkpoint))
  // Sound: of another form the core takes nothing, and of an update before its bootstrap neither.
  return (await client.apply(form as 'update', sent, asInteger(now, field))).state
}
