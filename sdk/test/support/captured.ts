/**
 * A captured set of the reference vectors: one checkpoint, its updates, later headers, and state
 * proofs under them.
 */

import { expect } from 'vitest'
import { mainnet } from '../../src/client/chains.js'
import type { Hex } from '../../src/encoding/hex.js'
import { parseHash } from '../../src/encoding/input.js'
import { encodeHeader } from '../../src/ethereum/header.js'
import { encodeAnswer } from '../../src/light/containers.js'
import { linkHeaders } from '../../src/proving/verifier.js'
import type { FactJson } from '../../src/systems/mpt.js'
import { type Answer, chunksOf, list, readBytes, readJson } from './beacon.js'
import { attested, type LightWasm } from './light.js'
import { proveReply } from './reply.js'

/** Slots of a committee's period. */
const PERIOD = 8192n

interface Named {
  readonly name: string
  readonly json: Answer & { readonly result?: unknown }
}

interface Payload {
  readonly block_hash: Hex
  readonly block_number: string
  readonly state_root: Hex
}

/** A captured set. */
export interface Captured {
  /** In the order of their slots. */
  readonly bootstraps: readonly (Named & { readonly period: bigint; readonly ssz: Uint8Array })[]
  /** In the order of their slots; one that stands in two files is there once. */
  readonly updates: readonly { readonly name: string; readonly ssz: Uint8Array }[]
  /** Finality and optimistic updates. */
  readonly headers: readonly (Named & {
    readonly form: 'finality' | 'optimistic'
    readonly ssz: Uint8Array
    readonly slot: bigint
  })[]
  readonly proofs: readonly Named[]
  readonly blocks: readonly Named[]
  /** Files of no known form. */
  readonly unknown: readonly string[]
  /** Keys and aggregate by period. */
  readonly committees: Map<bigint, Uint8Array>
  /** Remembers the committees that a client holds, and the blocks that were signed. */
  learn(client: LightWasm): void
  /** Status of a header by the committee of its signature's period, whatever a store says. */
  stateless(json: Answer): string
  /** An `eth_getProof` answer, under the signed block that its file's name points at. */
  account(proof: Named): Promise<FactJson>
  /** A block's header under its own hash, which was signed, or is a signed block's child. */
  block(json: Named['json']): Promise<void>
}

const slotOf = (header: unknown): bigint =>
  BigInt((header as { readonly beacon: { readonly slot: string } }).beacon.slot)

/** Reads a folder; what a file is, is read off its content. */
export function captured(folder: string): Captured {
  const bootstraps: Captured['bootstraps'][number][] = []
  const updates: { name: string; ssz: Uint8Array; slot: bigint }[] = []
  const headers: Captured['headers'][number][] = []
  const proofs: Named[] = []
  const blocks: Named[] = []
  const unknown: string[] = []
  const addUpdate = (name: string, ssz: Uint8Array): void => {
    const view = new DataView(ssz.buffer, ssz.byteOffset)
    const slot = view.getBigUint64(view.getUint32(0, true), true)
    if (!updates.some((other) => Buffer.compare(other.ssz, ssz) === 0)) {
      updates.push({ name, ssz, slot })
    }
  }
  const addJson = (name: string, json: Named['json']): void => {
    const { data, result } = json
    if (Array.isArray(json)) {
      for (const [i, update] of json.entries()) {
        addUpdate(`${name}[${i}]`, encodeAnswer('update', update, 512))
      }
    } else if (data !== undefined && 'current_sync_committee' in data) {
      const period = slotOf(data['header']) / PERIOD
      bootstraps.push({ name, json, period, ssz: encodeAnswer('bootstrap', json, 512) })
    } else if (data !== undefined && 'attested_header' in data) {
      const form = 'finalized_header' in data ? 'finality' : 'optimistic'
      const slot = slotOf(data['attested_header'])
      headers.push({ name, json, form, slot, ssz: encodeAnswer(form, json, 512) })
    } else if (typeof result === 'object' && result !== null) {
      if ('accountProof' in result) proofs.push({ name, json })
      else if ('stateRoot' in result) blocks.push({ name, json })
      else unknown.push(name)
    } else unknown.push(name)
  }
  for (const name of list(folder)) {
    if (name.endsWith('.json')) addJson(name, readJson(folder + name))
    else if (name.endsWith('.ssz')) {
      const chunks = chunksOf(readBytes(folder + name))
      chunks.forEach((chunk, i) => {
        addUpdate(`${name}[${i}]`, chunk.slice(12))
      })
    } else unknown.push(name)
  }
  bootstraps.sort((a, b) => Number(a.period - b.period))
  updates.sort((a, b) => Number(a.slot - b.slot))
  return { bootstraps, updates, headers, proofs, blocks, unknown, ...knowledge() }
}

/** What the walk proved. */
function knowledge(): Pick<Captured, 'committees' | 'learn' | 'stateless' | 'account' | 'block'> {
  const committees = new Map<bigint, Uint8Array>()
  const signed = new Set<string>()
  /** State roots of signed payloads, by slot and by block number. */
  const roots = new Map<bigint, Hex>()
  return {
    committees,
    learn: (client) => {
      interface Header {
        readonly execution: { readonly hash: string } | null
      }
      const state = JSON.parse(client.state()) as {
        readonly period: Hex
        readonly finalized: Header
        readonly head: Header
      }
      const period = BigInt(state.period)
      for (const one of [period, period + 1n]) {
        const committee = client.committee(one)
        if (committee.length > 0) committees.set(one, committee)
      }
      for (const { execution } of [state.finalized, state.head]) {
        if (execution !== null) signed.add(execution.hash)
      }
    },
    stateless: ({ version, data }) => {
      const slot = BigInt(data['signature_slot'] ?? 0)
      // As an optimistic update: its header stands behind the aggregate and the signature's slot.
      const ssz = encodeAnswer('optimistic', { version, data }, 512)
      const at = new DataView(ssz.buffer, ssz.byteOffset).getUint32(0, true)
      const aggregate = ssz.slice(4, at - 8)
      const committee = committees.get(slot / PERIOD) ?? new Uint8Array(0)
      const verdict = attested(mainnet, committee, ssz.slice(at), aggregate, slot) as {
        readonly status: string
        readonly header?: { readonly slot: Hex; readonly execution: object }
      }
      const header = data['attested_header'] as unknown as { readonly execution: Payload }
      const { block_hash, block_number, state_root } = header.execution
      const number = BigInt(block_number)
      if (verdict.header === undefined) return JSON.stringify(verdict)
      const hex = `0x${number.toString(16)}`
      expect(verdict.header.execution).toEqual({ hash: block_hash, number: hex })
      roots.set(BigInt(verdict.header.slot), state_root)
      roots.set(number, state_root)
      signed.add(block_hash)
      return verdict.status
    },
    account: ({ name, json }) => {
      const [, number = ''] = /^eth_getProof_(0x[0-9a-f]+|[0-9]+)/.exec(name) ?? []
      const root = roots.get(BigInt(number))
      if (root === undefined) throw new Error(`no signed header for ${name}`)
      return proveReply(root, json.result)
    },
    block: async ({ result }) => {
      const block = result as { readonly hash: Hex; readonly stateRoot: Hex }
      const { rlp } = encodeHeader(block)
      const hash = parseHash(block.hash, 'hash', 'input.block')
      const [header] = await linkHeaders(mainnet, hash, [rlp])
      expect(header?.commitments).toEqual({ mpt: block.stateRoot })
      expect(signed.has(hash) || signed.has(header?.parentHash ?? '')).toBe(true)
    },
  }
}
