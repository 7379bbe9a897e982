/**
 * What a light client keeps between runs, in the caller's store: what it proved, and apart from it
 * the keys' points.
 */

import { equalBytes, toHex } from '../encoding/hex.js'
import type { Hash } from '../encoding/input.js'
import { isNodeError } from '../proving/failures.js'
import { InputError, PlatformError, ProofError } from '../result/errors.js'
import { patiently } from '../store/patiently.js'
import type { Store } from '../store/store.js'
import type { Job } from './flight.js'
import type { LightClient } from './handle.js'
import type { Light } from './light.js'
import { decodeSaved, encodeSaved, savedKey } from './saved.js'

/** Decompressed points are a cache: without them the keys are decompressed again. */
const pointsKey = ({ chain, checkpoint }: Light): string => `${savedKey(chain, checkpoint)}-points`

/** Proves again what was saved; what does not prove itself is dropped. */
export async function restore(light: Light, client: LightClient, job: Job): Promise<void> {
  const { store, chain, checkpoint } = light
  if (store === undefined) return
  await take(store, savedKey(chain, checkpoint), job, async (bytes) => {
    const saved = decodeSaved(bytes, checkpoint)
    const pinned = toHex(saved.anchorRoot)
    const proof = { form: 'import', bytes: saved.store, pinned } as const
    job.emit({ type: 'proof', proof, source: 'store' })
    const state = await client.import(saved.store, saved.anchorRoot)
    // A header that handed over is signed, not final; a store that takes it for a checkpoint would
    // call it final.
    if (state.anchorOfNext === (pinned === checkpoint)) {
      throw new ProofError('verify.committee', 'the saved anchor vouches for the wrong committee')
    }
    light.state = state
    light.checkpointTime = saved.checkpointTime
    light.source = 'store'
  })
  if (light.state === undefined) return
  await take(store, pointsKey(light), job, async (bytes) => {
    await client.loadPoints(bytes)
    light.points = bytes
  })
}

async function take(
  store: Store,
  key: string,
  { emit, signal }: Job,
  use: (bytes: Uint8Array) => Promise<void>,
): Promise<void> {
  const bytes = await patiently(store, (own) => own.load(key)).catch((error: unknown) => {
    emit({ type: 'warning', code: 'store.load', error })
    return undefined
  })
  signal.throwIfAborted()
  if (bytes === undefined) return
  try {
    await use(bytes)
  } catch (error) {
    // Unavailable: of a fork that an older version or configuration does not know.
    if (!isNodeError(error) && !(error instanceof InputError)) throw error
    emit({ type: 'warning', code: 'store.damaged', error })
    await patiently(store, (own) => own.remove(key)).catch((cause: unknown) => {
      emit({ type: 'warning', code: 'store.save', error: cause })
    })
  }
}

/** Saves what changed since `before`, the finalized root at the start of the sync. */
export async function save(
  light: Light,
  client: LightClient,
  before: Hash | undefined,
  { emit }: Job,
): Promise<void> {
  const { store, state, chain, checkpoint, checkpointTime } = light
  if (store === undefined || state === undefined) return
  const put = (key: string, bytes: Uint8Array): Promise<void> =>
    patiently(store, (own) => own.save(key, bytes)).catch((error: unknown) => {
      emit({ type: 'warning', code: 'store.save', error })
    })
  const bytes = await client.export().catch(ifLost)
  // The last source's bytes ended the client: what it held is saved by the next sync, which starts
  // over.
  if (bytes === undefined) return
  if (state.finalized.root !== before && bytes.length > 0) {
    const saved = encodeSaved(checkpoint, state.anchorRoot, checkpointTime ?? 0n, bytes)
    await put(savedKey(chain, checkpoint), saved)
    emit({ type: 'kept', proof: { form: 'import', bytes, pinned: state.anchorRoot } })
  }
  const points = await client.points()
  if (light.points !== undefined && equalBytes(points, light.points)) return
  light.points = points
  await put(pointsKey(light), points)
}

function ifLost(error: unknown): undefined {
  if (!(error instanceof PlatformError) || error.code !== 'platform.worker') throw error
}
