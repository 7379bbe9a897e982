/** The one JSON form of results, for command lines, webview bridges and files. */

import { toQuantity } from '../encoding/hex.js'
import { isRecord } from '../encoding/input.js'
import type { Finding } from '../systems/system.js'
import { ProofError, RpcError, TransportError } from './errors.js'
import type { Grounded, Invalid, Unavailable } from './result.js'

/** JSON values. */
export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [key: string]: Json }

/**
 * A result as JSON: bigints become hex quantities (`0x2a`), errors objects with `name`, `code`,
 * `message` and their details. Fields that are undefined are left out.
 */
export function resultToJson(result: Grounded<Finding> | Invalid | Unavailable): {
  readonly [key: string]: Json
} {
  return recordToJson({ ...result })
}

/** @internal */
export function toJson(value: unknown): Json {
  if (typeof value === 'bigint') return toQuantity(value)
  if (typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (value instanceof Error) return errorToJson(value)
  if (Array.isArray(value)) return value.map(toJson)
  return isRecord(value) ? recordToJson(value) : null
}

function recordToJson(record: Record<string, unknown>): { readonly [key: string]: Json } {
  const entries = Object.entries(record).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries.map(([key, value]) => [key, toJson(value)]))
}

/** @internal */
export function errorToJson(error: unknown): Json {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) }
  const { name, code, message, argument }: Error & { code?: unknown; argument?: unknown } = error
  const isNodes =
    error instanceof ProofError || error instanceof TransportError || error instanceof RpcError
  const { kind, span, node }: Partial<ProofError> = isNodes ? (error as Partial<ProofError>) : {}
  return recordToJson({ name, code, message, argument, kind, span, node })
}
