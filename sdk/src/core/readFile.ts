/** Reads a proof file: `unknown` in; what a stranger wrote is malformed until shown otherwise. */

import {
  type Chain,
  isSystem,
  parseChain,
  parseSystem,
  type SystemConfig,
  type SystemName,
} from '../chains.js'
import { type Hash, timeOf } from '../encoding/input.js'
import { asBytes, asHash, asList, asRecord, malformed } from '../encoding/untrusted.js'
import { InputError, ProofError } from '../errors.js'

/** A file of the right form. Its contents are unchecked. */
export interface ParsedFile {
  /** Named after the file: only its kind matters, to read headers. */
  readonly chain: Chain
  readonly system: SystemName
  readonly config: SystemConfig
  readonly headers: { readonly hash: Hash; readonly rlps: readonly Uint8Array[] } | undefined
  readonly query: Uint8Array
  readonly variant: string
  readonly proof: Uint8Array
  /** Milliseconds since 1970. */
  readonly expires: number | undefined
}

/**
 * Parses a proof file.
 *
 * @throws {@link ProofError} `decode.response` naming the field that is not of its form.
 */
export function parseFile(json: unknown): ParsedFile {
  const file = asRecord(json, 'file')
  if (file['schema'] !== 1) throw malformed('schema', '1: a newer lightproof may read this file')
  if (file['kind'] !== 'proof' && file['kind'] !== 'evidence') {
    throw malformed('kind', '"proof" or "evidence"')
  }
  if (file['steps'] !== undefined) {
    const problem = 'the file is about signed headers: give { checkpoint }, and the chain'
    throw new InputError('input.anchor', 'anchor', problem)
  }
  const { variant, system } = file
  if (!isSystem(system)) throw malformed('system', 'one that this version knows')
  if (typeof variant !== 'string') throw malformed('variant', 'a name')
  return {
    chain: asInput(() =>
      parseChain({ ...asRecord(file['chain'], 'chain'), name: 'chain of the file' }, 'chain'),
    ),
    system,
    config: asInput(() => parseSystem(system, file['config'], 'config')),
    headers: headersOf(asRecord(file['source'], 'source')),
    query: asBytes(file['query'], 'query'),
    variant,
    proof: asBytes(file['proof'], 'proof'),
    expires: expiryOf(file['expires']),
  }
}

function expiryOf(value: unknown): number | undefined {
  if (value === undefined) return undefined
  const time = timeOf(value)
  if (Number.isNaN(time)) throw malformed('expires', 'a time such as 2026-01-31T12:00:00Z')
  return time
}

/** A stranger's file is no argument of the caller. */
function asInput<T>(parse: () => T): T {
  try {
    return parse()
  } catch (cause) {
    if (!(cause instanceof InputError)) throw cause
    throw new ProofError('decode.response', cause.message, { cause })
  }
}

function headersOf(source: Record<string, unknown>): ParsedFile['headers'] {
  if (source['header'] === undefined) return undefined
  const header = asRecord(source['header'], 'source.header')
  const rlps = asList(header['rlps'], 'source.header.rlps')
  return {
    hash: asHash(header['hash'], 'source.header.hash'),
    rlps: rlps.map((rlp, i) => asBytes(rlp, `source.header.rlps[${i}]`)),
  }
}
