/**
 * Calls as files: a header, a call and a witness, with which anybody runs the call again and trusts
 * nobody.
 */

import { type Hex, toHex, toQuantity } from '../encoding/hex.js'
import type { Address } from '../encoding/input.js'
import { asBytes, asHash, asInteger, asList, asRecord, malformed } from '../encoding/untrusted.js'
import type { FileHeaders } from '../proving/readFile.js'
import { ProofError } from '../result/errors.js'
import type { SourceJson } from '../result/file.js'
import { type Call, LIMITS } from './request.js'
import { Witness } from './witness.js'

/** A call in a file. Integers are hex. */
export interface CallJson {
  readonly from: Hex
  /** Null: creates a contract. */
  readonly to: Hex | null
  readonly gas: Hex
  readonly gasPrice: Hex
  readonly value: Hex
  readonly data: Hex
  readonly accessList: readonly { readonly address: Hex; readonly storageKeys: readonly Hex[] }[]
}

/**
 * A call that anybody can check offline with `verifyCallFile`. Nothing in it makes trust: the
 * reader brings the block hash and the chain, whose rules the call follows.
 */
export interface CallFile {
  readonly schema: 1
  readonly kind: 'call'
  readonly chain: { readonly kind: 'ethereum'; readonly chainId: number; readonly genesisHash: Hex }
  /** Headers from a block that the reader trusts back to the one in which the call is run. */
  readonly source: Extract<SourceJson, { readonly header: unknown }>
  readonly call: CallJson
  /** Trie nodes and codes, and headers from the block's parent back. */
  readonly witness: {
    readonly nodes: readonly Hex[]
    readonly codes: readonly Hex[]
    readonly headers: readonly Hex[]
  }
  /** What its maker found; a reader finds it out anew. */
  readonly expected: {
    readonly result: 'success' | 'reverted'
    readonly output: Hex
    readonly gasUsed: Hex
  }
  readonly meta?: {
    readonly servedBy?: string
    /** ISO 8601. */
    readonly createdAt?: string
    readonly note?: string
  }
}

/** Parts of a file that are needed to run its call. */
export interface ParsedCallFile extends FileHeaders {
  readonly chain: { readonly kind: unknown; readonly chainId: unknown; readonly genesisHash: Hex }
  readonly call: Call
  readonly witness: Witness
}

/** Bounds of what a stranger's file may hold: characters of hex, and entries of a list. */
const MAX = { characters: 32 * 1024 * 1024, entries: 100_000, headers: 8_193 } as const

/** The call as files have it. */
export function callToJson(call: Call): CallJson {
  const { from, to = null, gas, gasPrice, value, data, accessList } = call
  return {
    from,
    to,
    gas: toQuantity(gas),
    gasPrice: toQuantity(gasPrice),
    value: toQuantity(value),
    data: toHex(data),
    accessList: accessList.map(({ address, keys }) => ({ address, storageKeys: keys })),
  }
}

/** The witness as files have it. */
export function witnessToJson({ nodes, codes, headers }: Witness): CallFile['witness'] {
  return { nodes: [...nodes.keys()], codes: [...codes.keys()], headers: headers.map(toHex) }
}

/**
 * Reads a file: what a stranger wrote is malformed until shown otherwise.
 *
 * @throws ProofError `decode.response` naming the field, `decode.limit`.
 */
export function parseCallFile(json: unknown): ParsedCallFile {
  const file = asRecord(json, 'file')
  if (file['schema'] !== 1) throw malformed('schema', '1: a newer lightproof may read this file')
  if (file['kind'] !== 'call') throw malformed('kind', '"call"')
  const chain = asRecord(file['chain'], 'chain')
  const header = asRecord(asRecord(file['source'], 'source')['header'], 'source.header')
  const witness = asRecord(file['witness'], 'witness')
  const parsed = new Witness()
  for (const node of bytesIn(witness['nodes'], 'witness.nodes')) parsed.nodes.set(toHex(node), node)
  for (const code of bytesIn(witness['codes'], 'witness.codes')) parsed.addCode(code)
  parsed.headers = bytesIn(witness['headers'], 'witness.headers', MAX.headers)
  return {
    chain: {
      kind: chain['kind'],
      chainId: chain['chainId'],
      genesisHash: asHash(chain['genesisHash'], 'chain.genesisHash'),
    },
    hash: asHash(header['hash'], 'source.header.hash'),
    rlps: bytesIn(header['rlps'], 'source.header.rlps', MAX.headers),
    by: header['by'],
    call: callIn(asRecord(file['call'], 'call')),
    witness: parsed,
  }
}

function bytesIn(value: unknown, field: string, most: number = MAX.entries): Uint8Array[] {
  const list = asList(value, field)
  const size = list.reduce<number>(
    (sum, one) => sum + (typeof one === 'string' ? one.length : 0),
    0,
  )
  if (list.length > most || size > MAX.characters) {
    const problem = `${field}: expected at most ${most} entries and ${MAX.characters} characters`
    throw new ProofError('decode.limit', problem)
  }
  return list.map((one, i) => asBytes(one, `${field}[${i}]`))
}

function callIn({
  from,
  to,
  gas,
  gasPrice,
  value,
  data,
  accessList,
}: Record<string, unknown>): Call {
  const list = asList(accessList, 'call.accessList').map((entry, i) => {
    const at = `call.accessList[${i}]`
    const { address, storageKeys } = asRecord(entry, at)
    const keys = bytesIn(storageKeys, `${at}.storageKeys`).map((key) => toHex(sized(key, at)))
    return { address: addressOf(address, `${at}.address`), keys }
  })
  return {
    from: addressOf(from, 'call.from'),
    to: to === null ? undefined : addressOf(to, 'call.to'),
    gas: atMost(asInteger(gas, 'call.gas'), LIMITS.gas, 'call.gas'),
    gasPrice: atMost(asInteger(gasPrice, 'call.gasPrice'), 2n ** 128n - 1n, 'call.gasPrice'),
    value: asInteger(value, 'call.value'),
    data: asBytes(data, 'call.data'),
    accessList: list,
  }
}

const addressOf = (value: unknown, field: string): Address =>
  toHex(asBytes(value, field, 20)) as Address

function sized(key: Uint8Array, field: string): Uint8Array {
  if (key.length === 32) return key
  throw malformed(field, 'slots of 32 bytes')
}

function atMost(value: bigint, most: bigint, field: string): bigint {
  if (value <= most) return value
  throw malformed(field, `at most ${most}`)
}
