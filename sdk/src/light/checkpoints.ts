/** What sources of checkpoints say is final: beacon nodes, and a devnet's nodes. */

import type { Client } from '../client/client.js'
import { toHex, toQuantity } from '../encoding/hex.js'
import type { Hash } from '../encoding/input.js'
import { asBytes, asHash, asInteger, asList, asRecord, malformed } from '../encoding/untrusted.js'
import { profileOf } from '../proving/nodes.js'
import { TransportError, UnavailableError } from '../result/errors.js'
import { type Endpoint, get } from '../transport/http.js'
import { httpNode } from '../transport/rpc.js'
import { loadHash } from '../wasm/module.js'

/** A final block, by one source. */
export interface FinalBlock {
  /** Its slot; on a devnet its number. */
  readonly slot: bigint
  readonly root: Hash
}

/** Whom to ask for checkpoints. */
export interface CheckpointSource {
  readonly name: string
  /** The newest final block. */
  newest(signal: AbortSignal | undefined): Promise<FinalBlock>
  /** The root of the final block of a slot. */
  at(slot: bigint, signal: AbortSignal | undefined): Promise<Hash>
}

const HEADERS = '/eth/v1/beacon/headers'
const JSON_TYPE = 'application/json'

/** A beacon node, or whoever answers `/eth/v1/beacon/headers/{finalized,slot}` as one. */
export function beaconCheckpoints(endpoint: Endpoint): CheckpointSource {
  const header = async (id: string, signal: AbortSignal | undefined): Promise<FinalBlock> => {
    const body = await get(endpoint, `${HEADERS}/${id}`, JSON_TYPE, signal)
    if (body.form === 'bytes') throw malformed('headers', 'JSON')
    const reply = asRecord(body.json, 'headers')
    // An answer that does not say so is no vote: nobody agreed on what may be left in a fork yet.
    if (reply['finalized'] !== true) {
      const problem = `${endpoint.label} does not say of block ${id} that it is final ("finalized": true)`
      throw new UnavailableError('block', problem)
    }
    const data = asRecord(reply['data'], 'headers.data')
    const { message } = asRecord(data['header'], 'headers.data.header')
    const { slot } = asRecord(message, 'headers.data.header.message')
    if (typeof slot !== 'string' || !/^[0-9]{1,19}$/.test(slot)) throw malformed('slot', 'a number')
    return { slot: BigInt(slot), root: asHash(data['root'], 'headers.data.root') }
  }
  return {
    name: endpoint.label,
    newest: (signal) => header('finalized', signal),
    at: async (slot, signal) => {
      const found = await header(String(slot), signal).catch((error: unknown) => {
        if (!(error instanceof TransportError) || error.status !== 404) throw error
        const problem = `${endpoint.label} knows no block of slot ${slot}`
        throw new UnavailableError('block', problem, { cause: error })
      })
      if (found.slot !== slot) throw malformed('slot', String(slot))
      return found.root
    },
  }
}

/** A devnet's node: every block that it serves is final. */
export function devnetCheckpoints(
  client: Pick<Client, 'chain' | 'profiles'>,
  endpoint: Endpoint,
): CheckpointSource {
  const node = httpNode(endpoint)
  return {
    name: node.name,
    newest: async (signal) => {
      await profileOf({ client, node, signal })
      const status = asRecord(
        await node.call({ method: 'lp_status', params: [] }, signal),
        'status',
      )
      const { number, hash } = asRecord(status['head'], 'lp_status.head')
      return { slot: asInteger(number, 'head.number'), root: asHash(hash, 'head.hash') }
    },
    at: async (number, signal) => {
      await profileOf({ client, node, signal })
      const params = [toQuantity(number), '0x1']
      const list = asList(await node.call({ method: 'lp_getHeaders', params }, signal), 'headers')
      if (list.length === 0) {
        throw new UnavailableError('block', `${node.name} knows no block ${number}`)
      }
      const { keccak256 } = await loadHash()
      return toHex(keccak256(asBytes(list[0], 'lp_getHeaders[0]'))) as Hash
    },
  }
}
