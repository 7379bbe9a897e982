/** Reads a proof file: `unknown` in; what a stranger wrote is malformed until shown otherwise. */

import { type Chain, parseChain } from '../chains.js'
import { type Hex, toHex } from '../encoding/hex.js'
import type { Hash } from '../encoding/input.js'
import { asBytes, asHash, asList, asRecord, malformed } from '../encoding/untrusted.js'
import { InputError, ProofError } from '../errors.js'

/** A file of the right form. Its contents are unchecked. */
export interface ParsedFile {
  /** Named after the file: only its kind matters, to read headers. */
  readonly chain: Chain
  readonly headers: { readonly hash: Hash; readonly rlps: readonly Uint8Array[] } | undefined
  readonly query: Uint8Array
  readonly variant: string
  readonly proof: Uint8Array
  /** The address in the query. Call it once the core has accepted the query. */
  readonly address: () => Hex
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
  if (file['system'] !== 'mpt') throw malformed('system', '"mpt"')
  const { format, paramsDigest } = asRecord(file['config'], 'config')
  if (format !== 'mpt/1') throw malformed('config.format', '"mpt/1"')
  if (paramsDigest !== undefined)
    throw malformed('config.paramsDigest', 'none: mpt has no parameters')
  const { variant } = file
  if (typeof variant !== 'string') throw malformed('variant', 'a name')
  const query = asBytes(file['query'], 'query')
  return {
    chain: chainOf(file['chain']),
    headers: headersOf(asRecord(file['source'], 'source')),
    query,
    variant,
    proof: asBytes(file['proof'], 'proof'),
    address: () => addressIn(query),
  }
}

function chainOf(json: unknown): Chain {
  try {
    return parseChain({ ...asRecord(json, 'chain'), name: 'chain of the file' }, 'chain')
  } catch (cause) {
    if (!(cause instanceof InputError)) throw cause
    // A stranger's file is no argument of the caller.
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

/** The first item of the query's list: one prefix byte, or one and a length, then 0x94 and the address. */
function addressIn(query: Uint8Array): Hex {
  const prefix = query[0] ?? 0
  const start = prefix > 0xf7 ? prefix - 0xf7 + 2 : 2
  return toHex(query.subarray(start, start + 20))
}
