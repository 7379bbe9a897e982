/**
 * A beacon chain made by hand, whose committees' secret keys are known: every lie that members
 * could tell can be signed. It is independent of the code under test: hashes are Node's, signatures
 * are of @noble/curves.
 */

import { createHash } from 'node:crypto'
import { normalizeZ } from '@noble/curves/abstract/curve.js'
import { bls12_381 } from '@noble/curves/bls12-381.js'
import type { BeaconFork, ContainerShape } from '../../src/client/consensus.js'
import { fromHex, type Hex, toHex } from '../../src/encoding/hex.js'
import type { BeaconChain } from '../../src/entry/node.js'
import type { Answer, Script } from './beacon.js'
import type { TestChain } from './chain.js'

const { G1, longSignatures } = bls12_381
const ORDER = bls12_381.fields.Fr.ORDER
const DST = 'BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_'
const ZERO = new Uint8Array(32)
const ROOT_OF_VALIDATORS: Hex = `0x${'ab'.repeat(32)}`

const bytes = (hex: Hex): Uint8Array => fromHex(hex) ?? new Uint8Array(0)
const pair = (...parts: readonly Uint8Array[]): Uint8Array => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return new Uint8Array(hash.digest())
}

function leafOf(value: bigint | number, size = 8): Uint8Array {
  const leaf = new Uint8Array(32)
  for (let i = 0, rest = BigInt(value); i < size; i++, rest >>= 8n) leaf[i] = Number(rest & 255n)
  return leaf
}

/** The root of leaves, with zeros up to 2^depth of them. */
function rootOf(leaves: readonly Uint8Array[], depth: number): Uint8Array {
  let layer = [...leaves]
  let zero: Uint8Array = ZERO
  for (let i = 0; i < depth; i++) {
    const next: Uint8Array[] = []
    for (let at = 0; at < layer.length; at += 2) {
      next.push(pair(layer[at] ?? zero, layer[at + 1] ?? zero))
    }
    layer = next
    zero = pair(zero, zero)
  }
  return layer[0] ?? zero
}

/** A tree with some of its nodes by generalized index; every other one is zero. */
class Tree {
  readonly #nodes: ReadonlyMap<number, Uint8Array>

  constructor(nodes: readonly (readonly [gindex: number, node: Uint8Array])[]) {
    this.#nodes = new Map(nodes)
  }

  node(gindex: number): Uint8Array {
    const own = this.#nodes.get(gindex)
    if (own !== undefined) return own
    const isAbove = [...this.#nodes.keys()].some((below) => {
      let at = below
      while (at > gindex) at >>= 1
      return at === gindex
    })
    return isAbove ? pair(this.node(2 * gindex), this.node(2 * gindex + 1)) : ZERO
  }

  branch(gindex: number): Hex[] {
    const branch: Hex[] = []
    for (let at = gindex; at > 1; at >>= 1) branch.push(toHex(this.node(at ^ 1)))
    return branch
  }
}

/** Keys that sign for a period. */
export class Committee {
  readonly size: number
  readonly #secret: bigint
  readonly json: { readonly pubkeys: readonly Hex[]; readonly aggregate_pubkey: Hex }
  readonly root: Uint8Array

  /** Member i has the secret key `secret + i`. */
  constructor(secret: bigint, size: number) {
    this.size = size
    this.#secret = secret
    const sums = [G1.Point.BASE.multiply(secret)]
    while (sums.length < size) sums.push((sums.at(-1) ?? G1.Point.ZERO).add(G1.Point.BASE))
    const keys = normalizeZ(G1.Point, sums)
    const compressed = keys.map((key) => key.toBytes(true))
    const aggregate = keys.reduce((sum, key) => sum.add(key), G1.Point.ZERO).toBytes(true)
    const keyRoot = (key: Uint8Array): Uint8Array =>
      pair(key.subarray(0, 32), Uint8Array.of(...key.subarray(32), ...new Uint8Array(16)))
    this.json = { pubkeys: compressed.map((key) => toHex(key)), aggregate_pubkey: toHex(aggregate) }
    this.root = pair(rootOf(compressed.map(keyRoot), Math.log2(size)), keyRoot(aggregate))
  }

  /** The first members' signature of a message. */
  sign(message: Uint8Array, signers: number): Record<string, Hex> {
    const bits = new Uint8Array(this.size / 8)
    let secret = 0n
    for (let i = 0; i < signers; i++) {
      bits[i >> 3] = (bits[i >> 3] ?? 0) | (1 << (i & 7))
      secret += this.#secret + BigInt(i)
    }
    const key = bytes(`0x${(secret % ORDER).toString(16).padStart(64, '0')}`)
    const point = longSignatures.sign(longSignatures.hash(message, DST), key)
    return {
      sync_committee_bits: toHex(bits),
      sync_committee_signature: toHex(longSignatures.Signature.toBytes(point)),
    }
  }
}

interface Indices {
  readonly finalized: number
  readonly current: number
  readonly next: number
  readonly execution: number
}

const INDICES: Readonly<Partial<Record<ContainerShape, Indices>>> = {
  electra: { finalized: 169, current: 86, next: 87, execution: 25 },
  gloas: { finalized: 735, current: 2945, next: 2946, execution: 2856 },
}
const VERSIONS: Readonly<Partial<Record<ContainerShape, string>>> = {
  electra: 'electra',
  gloas: 'gloas',
}

/** How a chain is made. */
export interface ForgeOptions {
  /** Block n of it is slot n's. */
  readonly blocks: TestChain
  /** Default 32. */
  readonly size?: number
  /** Default one of shape electra, from the start. */
  readonly forks?: readonly BeaconFork[]
  /**
   * Slot of the newest final block in the state of a slot; default the start of the epoch two
   * before.
   */
  readonly finalizedAt?: (slot: number) => number
  /** The committee of a period. */
  readonly committeeOf?: (period: number) => Committee
}

/** How an update is made. */
export interface UpdateOptions {
  /** How many sign. Default all. */
  readonly signers?: number
  /** Default the committee of the signature's period. */
  readonly committee?: Committee
  /** Default the slot after the header's. */
  readonly signatureSlot?: number
  /** What the answer calls its fork. */
  readonly version?: string
}

export const SLOTS_PER_EPOCH = 8
export const SLOTS_PER_PERIOD = 64
const SECONDS_PER_SLOT = 12
const GENESIS_TIME = 1_700_000_000
const VERSION: Hex = '0x05000000'

/** The clock at a slot, in seconds since 1970. */
export const timeOfSlot = (slot: number): number => GENESIS_TIME + slot * SECONDS_PER_SLOT

const committees = new Map<string, Committee>()

/** The honest committee of a period; keys are made once. */
export function committeeOf(period: number, size: number): Committee {
  const name = `${period} ${size}`
  const known = committees.get(name) ?? new Committee(BigInt(1_000_000 * (period + 1)), size)
  committees.set(name, known)
  return known
}

/** A chain of beacon blocks over execution blocks. */
export class Forge {
  readonly chain: BeaconChain
  readonly #options: Required<ForgeOptions>
  readonly #headers = new Map<number, Header>()

  constructor(options: ForgeOptions) {
    const { size = 32 } = options
    const forks = options.forks ?? [{ epoch: 0, version: VERSION, shape: 'electra' as const }]
    this.#options = {
      size,
      finalizedAt: (slot) => (Math.floor(slot / SLOTS_PER_EPOCH) - 2) * SLOTS_PER_EPOCH,
      committeeOf: (period) => committeeOf(period, size),
      ...options,
      forks,
    }
    const { chain } = options.blocks
    this.chain = {
      ...chain,
      kind: 'ethereum',
      consensus: {
        committeeSize: size,
        slotsPerEpoch: SLOTS_PER_EPOCH,
        epochsPerPeriod: SLOTS_PER_PERIOD / SLOTS_PER_EPOCH,
        secondsPerSlot: SECONDS_PER_SLOT,
        genesisTime: GENESIS_TIME,
        genesisValidatorsRoot: ROOT_OF_VALIDATORS,
        forks,
      },
    }
  }

  root(slot: number): Hex {
    return toHex(this.#header(slot).root)
  }

  bootstrap(slot: number): Answer {
    const { json, state, shape, period } = this.#header(slot)
    const { current } = indicesOf(shape)
    return this.#answer(shape, {
      header: json,
      current_sync_committee: this.#options.committeeOf(period).json,
      current_sync_committee_branch: state.branch(current),
    })
  }

  update(slot: number, options: UpdateOptions = {}): Answer {
    const { state, shape, period } = this.#header(slot)
    const { version, data } = this.finality(slot, options)
    return {
      version,
      data: {
        ...data,
        next_sync_committee: this.#options.committeeOf(period + 1).json,
        next_sync_committee_branch: state.branch(indicesOf(shape).next),
      } as never,
    }
  }

  finality(slot: number, options: UpdateOptions = {}): Answer {
    const { state, shape } = this.#header(slot)
    const { version, data } = this.optimistic(slot, options)
    const final = this.#finalAt(slot)
    const finality_branch = state.branch(indicesOf(shape).finalized)
    const finalized_header = this.#header(final).json
    return { version, data: { ...data, finalized_header, finality_branch } as never }
  }

  optimistic(slot: number, options: UpdateOptions = {}): Answer {
    const { size } = this.#options
    const { signers = size, signatureSlot = slot + 1 } = options
    const { json, root, shape } = this.#header(slot)
    const committee =
      options.committee ?? this.#options.committeeOf(Math.floor(signatureSlot / SLOTS_PER_PERIOD))
    const { version } = this.#forkAt(Math.max(signatureSlot, 1) - 1)
    const forkData = pair(
      Uint8Array.of(...bytes(version), ...new Uint8Array(28)),
      bytes(ROOT_OF_VALIDATORS),
    )
    const domain = Uint8Array.of(7, 0, 0, 0, ...forkData.subarray(0, 28))
    const data = {
      attested_header: json,
      sync_aggregate: committee.sign(pair(root, domain), signers),
      signature_slot: String(signatureSlot),
    }
    return this.#answer(shape, data, options.version)
  }

  /** A beacon node of this chain at a slot, with one update a period. */
  node(slot: number, checkpoint: number): Script {
    return (route, query) => {
      if (route === `bootstrap/${this.root(checkpoint)}`) return this.bootstrap(checkpoint)
      if (route === 'finality_update') return this.finality(slot)
      if (route === 'optimistic_update') return this.optimistic(slot)
      if (route !== 'updates') return undefined
      const first = Number(query.get('start_period'))
      const last = Math.min(
        first + Number(query.get('count')) - 1,
        Math.floor(slot / SLOTS_PER_PERIOD),
      )
      return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) =>
        this.update(Math.min(slot, (first + i + 1) * SLOTS_PER_PERIOD - 2)),
      )
    }
  }

  #answer(shape: ContainerShape, data: object, version = VERSIONS[shape] ?? ''): Answer {
    return { version, data: data as never }
  }

  #finalAt(slot: number): number {
    const final = this.#options.finalizedAt(slot)
    return final < slot ? final : 0
  }

  #forkAt(slot: number): BeaconFork {
    const epoch = Math.floor(slot / SLOTS_PER_EPOCH)
    const fork = this.#options.forks.filter((one) => one.epoch <= epoch).at(-1)
    if (fork === undefined) throw new Error(`no fork at slot ${slot}`)
    return fork
  }

  #header(slot: number): Header {
    const known = this.#headers.get(slot)
    if (known !== undefined) return known
    const { shape } = this.#forkAt(slot)
    const period = Math.floor(slot / SLOTS_PER_PERIOD)
    const { finalized, current, next, execution } = indicesOf(shape)
    const { committeeOf, blocks } = this.#options
    const final = this.#finalAt(slot)
    const state = new Tree([
      [finalized, final <= 0 ? ZERO : this.#header(final).root],
      [current, committeeOf(period).root],
      [next, committeeOf(period + 1).root],
    ])
    const { hash } = blocks.at(slot)
    const payload = payloadOf(shape, hash, slot)
    const body = new Tree([[execution, payload.root]])
    const roots = [ZERO, state.node(1), body.node(1)]
    const [parent_root, state_root, body_root] = roots.map((root) => toHex(root))
    const header: Header = {
      root: rootOf([leafOf(slot), leafOf(0), ...roots], 3),
      state,
      shape,
      period,
      json: {
        beacon: { slot: String(slot), proposer_index: '0', parent_root, state_root, body_root },
        ...payload.json,
        execution_branch: body.branch(execution),
      },
    }
    this.#headers.set(slot, header)
    return header
  }
}

interface Header {
  readonly root: Uint8Array
  readonly state: Tree
  readonly shape: ContainerShape
  readonly period: number
  readonly json: object
}

function indicesOf(shape: ContainerShape): Indices {
  const indices = INDICES[shape]
  if (indices === undefined) throw new Error(`no blocks of shape ${shape} here`)
  return indices
}

/** A payload header that is empty but for the block's hash and number. */
function payloadOf(
  shape: ContainerShape,
  hash: Hex,
  number: number,
): { readonly root: Uint8Array; readonly json: object } {
  if (shape === 'gloas') return { root: bytes(hash), json: { execution_block_hash: hash } }
  const zero = toHex(ZERO)
  const json = {
    parent_hash: zero,
    fee_recipient: toHex(new Uint8Array(20)),
    state_root: zero,
    receipts_root: zero,
    logs_bloom: toHex(new Uint8Array(256)),
    prev_randao: zero,
    block_number: String(number),
    gas_limit: '0',
    gas_used: '0',
    timestamp: '0',
    extra_data: '0x',
    base_fee_per_gas: '0',
    block_hash: hash,
    transactions_root: zero,
    withdrawals_root: zero,
    blob_gas_used: '0',
    excess_blob_gas: '0',
  }
  const leaves = Array.from({ length: 17 }, (): Uint8Array => ZERO)
  leaves[4] = rootOf([], 3)
  leaves[6] = leafOf(number)
  leaves[10] = pair(ZERO, ZERO)
  leaves[12] = bytes(hash)
  return { root: rootOf(leaves, 5), json: { execution: json } }
}
