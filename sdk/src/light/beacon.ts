/**
 * Signed headers from a beacon node, by the Beacon API: SSZ, or JSON where the node knows no SSZ.
 */

import type { BeaconConsensus } from '../client/consensus.js'
import { type Hash, isRecord } from '../encoding/input.js'
import { asList } from '../encoding/untrusted.js'
import { ProofError, TransportError, UnavailableError } from '../result/errors.js'
import { type Body, type Endpoint, get } from '../transport/http.js'
import { type BeaconForm, encodeAnswer } from './containers.js'
import { forkUnknown, newestShape, unknownFork } from './forks.js'
import type { HeaderSource, SignedBytes } from './source.js'

const PATH = '/eth/v1/beacon/light_client'
const SSZ = 'application/octet-stream;q=1,application/json;q=0.9'
const JSON_ONLY = 'application/json'

/** A beacon node at an HTTP endpoint. */
export function beaconSource(endpoint: Endpoint, consensus: BeaconConsensus): HeaderSource {
  const fromJson = (form: BeaconForm, json: unknown): SignedBytes => {
    const version = isRecord(json) ? json['version'] : undefined
    const fork = unknownFork(version, consensus)
    try {
      const { committeeSize } = consensus
      return {
        bytes: encodeAnswer(form, json, committeeSize, newestShape(consensus)),
        unknownFork: fork,
      }
    } catch (error) {
      if (fork === undefined || !(error instanceof ProofError)) throw error
      throw forkUnknown(endpoint.label, fork, error)
    }
  }
  const one = async (path: string, form: BeaconForm, signal: AbortSignal): Promise<SignedBytes> => {
    const body = await ask(endpoint, `${PATH}/${path}`, signal)
    if (body.form === 'json') return fromJson(form, body.json)
    return { bytes: body.bytes, unknownFork: unknownFork(body.version, consensus) }
  }
  return {
    name: endpoint.label,
    health: endpoint.health,
    bootstrap: (checkpoint, signal) =>
      one(`bootstrap/${checkpoint}`, 'bootstrap', signal).catch((error: unknown) =>
        unknownCheckpoint(error, checkpoint),
      ),
    updates: async (start, count, signal) => {
      const path = `${PATH}/updates?start_period=${start}&count=${count}`
      const body = await ask(endpoint, path, signal)
      if (body.form === 'json') {
        return asList(body.json, 'updates').map((json) => fromJson('update', json))
      }
      const fork = unknownFork(body.version, consensus)
      return splitUpdates(body.bytes).map((bytes) => ({ bytes, unknownFork: fork }))
    },
    finality: (signal) => one('finality_update', 'finality', signal).catch(noneYet),
    optimistic: (signal) => one('optimistic_update', 'optimistic', signal).catch(noneYet),
  }
}

/** Servers without SSZ take the JSON that the header allows, but for those that refuse it. */
async function ask(endpoint: Endpoint, path: string, signal: AbortSignal): Promise<Body> {
  try {
    return await get(endpoint, path, SSZ, signal)
  } catch (error) {
    const status = error instanceof TransportError ? error.status : undefined
    if (status !== 406 && status !== 415) throw error
    return get(endpoint, path, JSON_ONLY, signal)
  }
}

function unknownCheckpoint(cause: unknown, checkpoint: Hash): never {
  if (!(cause instanceof TransportError) || cause.status !== 404) throw cause
  const fix = 'is it a finalized epoch boundary block of this network?'
  const problem = `${cause.node} does not know checkpoint ${checkpoint}: ${fix}`
  throw new UnavailableError('checkpoint', problem, { cause })
}

function noneYet(error: unknown): undefined {
  if (!(error instanceof TransportError) || error.status !== 404) throw error
}

const LENGTH = 8
const DIGEST = 4

/** Repeats of: length (8 bytes, little-endian, of what follows), fork digest (4 bytes), SSZ. */
function splitUpdates(stream: Uint8Array): Uint8Array[] {
  const view = new DataView(stream.buffer, stream.byteOffset, stream.byteLength)
  const updates: Uint8Array[] = []
  for (let at = 0; at < stream.length; ) {
    const left = stream.length - at - LENGTH
    const length = left >= 0 ? view.getBigUint64(at, true) : 0n
    if (length < DIGEST || length > left) {
      throw new ProofError('decode.ssz', 'the list of updates ends within an update')
    }
    const start = at + LENGTH
    at = start + Number(length)
    updates.push(stream.subarray(start + DIGEST, at))
  }
  return updates
}
