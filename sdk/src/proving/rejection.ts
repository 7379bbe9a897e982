/** What the core refuses, as errors of this package. */

import {
  CORE_CODES,
  type CoreCode,
  InputError,
  PlatformError,
  ProofError,
  UnavailableError,
} from '../result/errors.js'

/** The core's refusal. */
export interface Rejected {
  readonly status: 'rejected'
  readonly code: string
  readonly message: string
  readonly span: readonly [number, number] | null
}

/** What jobs refuse: the core's codes, and that of an answer's JSON. */
const CODES = [...CORE_CODES, 'decode.response'] as const

/**
 * The error that a rejection of the core stands for.
 *
 * @throws {@link PlatformError} if this version knows no such rejection.
 */
export function rejection(
  verdict: Rejected | undefined,
): ProofError | InputError | UnavailableError {
  const code = CODES.find((known) => known === verdict?.code)
  if (verdict === undefined || code === undefined) {
    const problem = `unknown verdict ${verdict?.code ?? '(none)'}: the wasm file is not of this version`
    throw new PlatformError('platform.wasm', problem)
  }
  const { message, span } = verdict
  if (code === 'chain.fork') return new UnavailableError(code, message)
  if (code === 'verify.unsupported') return new UnavailableError('unsupported', message)
  if (isInputCode(code)) return new InputError(code, code.replace('input.', ''), message)
  return new ProofError(code, message, { span: span ?? undefined })
}

function isInputCode(
  code: CoreCode | 'decode.response',
): code is Extract<CoreCode, `input.${string}`> {
  return code.startsWith('input.')
}
