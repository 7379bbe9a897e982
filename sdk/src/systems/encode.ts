/**
 * What plain Ethereum nodes answer, into the core's bytes: the work of workers, by system. Each
 * system's part is loaded when it is first needed.
 */

import { loadPart } from '../wasm/part.js'
import type { BodyAnswers } from './body/encode.js'

/** A node's answers, untrusted: about a block's lists, or about an account. */
export type EncodeJob = { readonly kind: 'encode' } & (
  | { readonly answers: BodyAnswers }
  /** Answers of `eth_getProof`, and of `eth_getCode` if the query wants the code. */
  | {
      readonly reply: Readonly<Record<string, unknown>>
      readonly code?: { readonly result: unknown }
    }
)

/**
 * The core's proof RLP.
 *
 * @throws ProofError `decode.response`; PlatformError.
 */
export async function encode(job: EncodeJob): Promise<Uint8Array> {
  if ('answers' in job) {
    return (await loadPart(() => import('./body/encode.js'))).encodeBody(job.answers)
  }
  return (await loadPart(() => import('./mpt/encode.js'))).encodeProof(job.reply, job.code)
}
