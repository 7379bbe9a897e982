/** What the core refuses, as errors of this package. */

import { CORE_CODES, type CoreCode, InputError, PlatformError, ProofError } from '../errors.js'

/** The core's refusal. */
export interface Rejected {
  readonly status: 'rejected'
  readonly code: string
  readonly message: string
  readonly span: readonly [number, number] | null
}

/**
 * The error that a rejection of the core stands for.
 *
 * @throws {@link PlatformError} if this version knows no such rejection.
 */
export function rejection(verdict: Rejected | undefined): ProofError | InputError {
  const code = CORE_CODES.find((known) => known === verdict?.code)
  if (verdict === undefined || code === undefined) {
    const problem = `the verifier answered ${verdict?.code ?? 'nothing'}: its wasm is of another version`
    throw new PlatformError('platform.wasm', problem)
  }
  const { message, span } = verdict
  if (isInputCode(code)) return new InputError(code, code.replace('input.', ''), message)
  return new ProofError(code, message, { span: span ?? undefined })
}

function isInputCode(code: CoreCode): code is Extract<CoreCode, `input.${string}`> {
  return code.startsWith('input.')
}

/** A trap (say, out of memory) is no verdict. */
export function run<T>(call: () => T): T {
  try {
    return call()
  } catch (cause) {
    if (!(cause instanceof WebAssembly.RuntimeError) && !(cause instanceof RangeError)) throw cause
    throw new PlatformError('platform.wasm', `the verifier stopped: ${cause.message}`, { cause })
  }
}
