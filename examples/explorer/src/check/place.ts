/** Which block is asked about, and on what grounds it is trusted. */

import {
  type Block,
  type Client,
  getBlock,
  proven,
  type SyncEvent,
  sync,
  type Trust,
} from 'lightproof'
import type { Settings } from '../form/settings.js'
import { clientOf } from './client.js'

/** How far the client has come with the headers that follow on the checkpoint. */
export type Progress = Extract<SyncEvent, { type: 'progress' }>

/** A client, and the block that it is asked about: the newest signed one, unless one is pinned. */
export interface Place {
  readonly client: Client
  readonly block: string
  /** Undefined for a pinned block, which is the client's own. */
  readonly signed: Signed | undefined
}

/** The client of the settings, after it has followed what was signed. */
export async function placeOf(
  settings: Settings,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<Place> {
  return placeIn(clientOf(settings).client, settings, signal, onProgress)
}

/** The same of a client that was made already. */
export async function placeIn(
  client: Client,
  settings: Settings,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<Place> {
  if (client.anchor.kind === 'block')
    return { client, block: client.anchor.hash, signed: undefined }
  const signed = await newestOf(client, settings, signal, (event) => {
    if (event.type === 'progress') onProgress(event)
  })
  return { client, block: signed.value.hash, signed }
}

/** A block, and on what grounds it is trusted. */
export interface Signed {
  readonly value: Block
  readonly trust: Trust
}

/**
 * The newest block that was signed since the checkpoint: of the final ones, unless others are
 * wanted.
 */
export async function newestOf(
  client: Client,
  { chain, at }: Settings,
  signal: AbortSignal,
  onProgress: (event: SyncEvent) => void,
): Promise<Signed> {
  const synced = await sync(client, { signal, onProgress })
  // Headers too old for one question may do for another: the question itself is refused then.
  if ('error' in synced && synced.error.code !== 'stale') throw synced.error
  const isHead = chain !== 'devnet' && at === 'head'
  const newest = await getBlock(client, { signal, ...(isHead ? { block: 'head' } : {}) })
  if ('error' in newest) throw newest.error
  return { value: proven(newest), trust: newest.trust }
}

/** What a fact says, on the grounds on which its block is trusted. */
export function onGroundsOf(
  fact: Trust,
  { anchor, finality, headLagSeconds, participation, attestedBy }: Trust,
): Trust {
  const signed = { ...(participation && { participation }), ...(attestedBy && { attestedBy }) }
  return { ...fact, anchor, finality, headLagSeconds, ...signed }
}
