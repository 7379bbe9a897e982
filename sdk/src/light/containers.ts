/**
 * The light-client containers of the beacon chain by fork, and their JSON into SSZ. Source:
 * consensus-specs.
 */

import type { ContainerShape } from '../client/consensus.js'
import { asRecord, malformed } from '../encoding/untrusted.js'
import { VERSIONS } from './forks.js'
import { encodeSsz, type SszField, type SszType } from './ssz.js'

/** What a beacon node serves to light clients. */
export type BeaconForm = 'bootstrap' | 'update' | 'finality' | 'optimistic'

/** Lengths of the branches to the current and next committee, and to the finalized root. */
const BRANCHES: Readonly<Record<ContainerShape, readonly [committee: number, finality: number]>> = {
  altair: [5, 6],
  capella: [5, 6],
  deneb: [5, 6],
  electra: [6, 7],
  gloas: [11, 9],
}

const UINT: SszType = { kind: 'uint', bytes: 8 }
const HASH: SszType = { kind: 'bytes', length: 32 }
const hashes = (length: number): SszType => ({ kind: 'hashes', length })
const bytes = (length: number): SszType => ({ kind: 'bytes', length })
const container = (...fields: SszField[]): SszType => ({ kind: 'container', fields })

const BEACON_HEADER = container(
  ['slot', UINT],
  ['proposer_index', UINT],
  ['parent_root', HASH],
  ['state_root', HASH],
  ['body_root', HASH],
)

const PAYLOAD_HEADER: readonly SszField[] = [
  ['parent_hash', HASH],
  ['fee_recipient', bytes(20)],
  ['state_root', HASH],
  ['receipts_root', HASH],
  ['logs_bloom', bytes(256)],
  ['prev_randao', HASH],
  ['block_number', UINT],
  ['gas_limit', UINT],
  ['gas_used', UINT],
  ['timestamp', UINT],
  ['extra_data', { kind: 'byteList', limit: 32 }],
  ['base_fee_per_gas', { kind: 'uint', bytes: 32 }],
  ['block_hash', HASH],
  ['transactions_root', HASH],
  ['withdrawals_root', HASH],
]
const BLOB_GAS: readonly SszField[] = [
  ['blob_gas_used', UINT],
  ['excess_blob_gas', UINT],
]

function headerOf(shape: ContainerShape): SszType {
  const beacon: SszField = ['beacon', BEACON_HEADER]
  if (shape === 'altair') return container(beacon)
  if (shape === 'gloas') {
    return container(beacon, ['execution_block_hash', HASH], ['execution_branch', hashes(11)])
  }
  const fields = shape === 'capella' ? PAYLOAD_HEADER : [...PAYLOAD_HEADER, ...BLOB_GAS]
  return container(beacon, ['execution', container(...fields)], ['execution_branch', hashes(4)])
}

function typeOf(form: BeaconForm, shape: ContainerShape, size: number): SszType {
  const [committeeDepth, finalityDepth] = BRANCHES[shape]
  const header = headerOf(shape)
  const committee = container(
    ['pubkeys', { kind: 'keys', length: size }],
    ['aggregate_pubkey', bytes(48)],
  )
  const aggregate = container(
    ['sync_committee_bits', bytes(size / 8)],
    ['sync_committee_signature', bytes(96)],
  )
  const attested: SszField = ['attested_header', header]
  const signed: SszField[] = [
    ['sync_aggregate', aggregate],
    ['signature_slot', UINT],
  ]
  const finality: SszField[] = [
    ['finalized_header', header],
    ['finality_branch', hashes(finalityDepth)],
  ]
  const branch = hashes(committeeDepth)
  switch (form) {
    case 'bootstrap':
      return container(
        ['header', header],
        ['current_sync_committee', committee],
        ['current_sync_committee_branch', branch],
      )
    case 'update': {
      const next: SszField[] = [
        ['next_sync_committee', committee],
        ['next_sync_committee_branch', branch],
      ]
      return container(attested, ...next, ...finality, ...signed)
    }
    case 'finality':
      return container(attested, ...finality, ...signed)
    case 'optimistic':
      return container(attested, ...signed)
  }
}

/**
 * The SSZ of an answer `{ version, data }`.
 *
 * @param size - keys of a committee.
 * @param newest - the shape of a fork that has no name here.
 * @throws ProofError `decode.response`.
 */
export function encodeAnswer(
  form: BeaconForm,
  json: unknown,
  size: number,
  newest: ContainerShape = 'gloas',
): Uint8Array {
  const { version, data } = asRecord(json, form)
  if (typeof version !== 'string') throw malformed(`${form}.version`, "a fork's name")
  const shape = VERSIONS.get(version.toLowerCase()) ?? newest
  return encodeSsz(typeOf(form, shape, size), data, form)
}
