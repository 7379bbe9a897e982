/** Reads a proof file: `unknown` in; what a stranger wrote is malformed until shown otherwise. */

import { type Chain, parseChain, parseSystem } from '../client/chains.js'
import { type Hash, isRecord, shown, timeOf } from '../encoding/input.js'
import { asBytes, asHash, asList, asRecord, malformed } from '../encoding/untrusted.js'
import { InputError, ProofError } from '../result/errors.js'
import type { ProofSystem, SystemConfig } from '../systems/system.js'
import { MAX_BYTES } from '../transport/endpoint.js'

/** Headers of a file. */
export interface FileHeaders {
  readonly hash: Hash
  readonly rlps: readonly Uint8Array[]
  /** A file that proves `hash` under a newer block; not looked at yet. */
  readonly by: unknown
}

/** A file of the right form. Its contents are unchecked. */
export interface ParsedFile<S extends ProofSystem = ProofSystem> {
  /** Named after the file: only its kind matters, to read headers. */
  readonly chain: Chain
  readonly system: S
  readonly config: SystemConfig
  readonly headers: FileHeaders | undefined
  readonly query: Uint8Array
  readonly variant: string
  readonly proof: Uint8Array
  /** Milliseconds since 1970. */
  readonly expires: number | undefined
}

/**
 * Headers of a file come from many answers: those of the longest walk that is taken by default are
 * this much.
 */
const MAX_HEADERS = 8193
/** A node is asked for no more at once. */
const HEADERS_PER_CALL = 256

/**
 * Refuses what no node could have sent in one answer, before any of it is decoded.
 *
 * @throws ProofError `decode.limit`
 */
function checkSize(field: string, ...parts: readonly unknown[]): void {
  const size = parts.reduce<number>(
    (sum, part) => sum + (typeof part === 'string' ? part.length : 0),
    0,
  )
  if (size <= MAX_BYTES) return
  const problem = `${field}: expected at most ${MAX_BYTES} characters, got ${size}`
  throw new ProofError('decode.limit', problem)
}

/**
 * Parses a proof file.
 *
 * @param systems - those that the reader knows.
 * @throws {@link ProofError} `decode.response` naming the field that is not of its form.
 */
export function parseFile<S extends ProofSystem>(
  json: unknown,
  systems: readonly S[],
): ParsedFile<S> {
  const file = asRecord(json, 'file')
  if (file['schema'] !== 1) throw malformed('schema', '1: a newer lightproof may read this file')
  if (file['kind'] !== 'proof' && file['kind'] !== 'evidence') {
    throw malformed('kind', '"proof" or "evidence"')
  }
  if (file['steps'] !== undefined) {
    const problem = 'the file is about signed headers: give { checkpoint }, and the chain'
    throw new InputError('input.anchor', 'anchor', problem)
  }
  const { variant, config } = file
  checkSize('file', file['query'], file['proof'], isRecord(config) ? config['params'] : undefined)
  const system = systemOf(file['system'], systems)
  if (typeof variant !== 'string') throw malformed('variant', 'a name')
  return {
    chain: chainOf(file['chain']),
    system,
    config: asInput(() => parseSystem(system.name, config, 'config', system.formats)),
    headers: headersOf(asRecord(file['source'], 'source')),
    query: asBytes(file['query'], 'query'),
    variant,
    proof: asBytes(file['proof'], 'proof'),
    expires: expiryOf(file['expires']),
  }
}

/**
 * Parses a proof file that stands inside another file, where the reader has no anchor to give for
 * signed headers.
 *
 * @throws {@link ProofError} `decode.response` naming the field that is not of its form.
 */
export function parseInner<S extends ProofSystem>(
  json: unknown,
  systems: readonly S[],
  field: string,
): ParsedFile<S> {
  if (asRecord(json, field)['steps'] !== undefined) throw malformed(field, 'a proof of a value')
  return parseFile(json, systems)
}

/** The chain of a file. Named after the file: only its kind matters, to read headers. */
export function chainOf(value: unknown): Chain {
  const named = { ...asRecord(value, 'chain'), name: 'chain of the file' }
  return asInput(() => parseChain(named, 'chain'))
}

/** The system that the file names, of those that the reader knows. */
function systemOf<S extends ProofSystem>(name: unknown, systems: readonly S[]): S {
  const system = systems.find((one) => one.name === name)
  if (system !== undefined) return system
  const names = systems.map((one) => one.name).join(' or ')
  throw malformed('system', `${names}, got ${shown(name)}`)
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

export function headersOf(source: Record<string, unknown>): FileHeaders | undefined {
  if (source['header'] === undefined) return undefined
  const header = asRecord(source['header'], 'source.header')
  const rlps = asList(header['rlps'], 'source.header.rlps')
  if (rlps.length > MAX_HEADERS) throw malformed('source.header.rlps', `at most ${MAX_HEADERS}`)
  for (let i = 0; i < rlps.length; i += HEADERS_PER_CALL) {
    checkSize('source.header.rlps', ...rlps.slice(i, i + HEADERS_PER_CALL))
  }
  return {
    hash: asHash(header['hash'], 'source.header.hash'),
    rlps: rlps.map((rlp, i) => asBytes(rlp, `source.header.rlps[${i}]`)),
    by: header['by'],
  }
}
