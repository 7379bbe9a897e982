/** The light client at work: a question in, one of six outcomes out. Loaded when it is first needed. */

import {
  type Account,
  type Block,
  type Client,
  fetchProof,
  getBlock,
  InputError,
  PlatformError,
  ProofError,
  type ProofFile,
  proven,
  type SyncEvent,
  setWasm,
  sync,
  type Trust,
  UnavailableError,
  verifyProofFile,
} from 'lightproof'
import hash from 'lightproof/hash.wasm'
import light from 'lightproof/light.wasm'
import { clientOf, fieldOf } from './client.js'
import type { FieldName, Settings } from './settings.js'

// esbuild copies the files into dist/ and gives their names, relative to this module. Signatures are only checked from a
// checkpoint: the second file is not fetched before.
setWasm({ hash: new URL(hash, import.meta.url), light: new URL(light, import.meta.url) })

/** What the page can say about a proven fact. */
export interface Grounds {
  readonly trust: Trust
  readonly servedBy: string
  /** Header and proof, as the node sent them. */
  readonly proofBytes: number
  /** The check alone, without the network. */
  readonly verifyMilliseconds: number
}

/** How a question ended. */
export type Outcome =
  | {
      readonly state: 'proven'
      readonly address: string
      readonly account: Account
      readonly grounds: Grounds
      readonly file: ProofFile
    }
  | {
      readonly state: 'absent'
      readonly address: string
      readonly grounds: Grounds
      readonly file: ProofFile
    }
  | { readonly state: 'lying'; readonly error: ProofError }
  | { readonly state: 'unavailable'; readonly error: UnavailableError }
  | { readonly state: 'platform'; readonly code: string; readonly problem: string }
  | { readonly state: 'input'; readonly field: FieldName; readonly problem: string }

/** How far the client has come with the headers that follow on the checkpoint. */
export type Progress = Extract<SyncEvent, { type: 'progress' }>

/**
 * Asks the node for the account, and checks its proof against a block that is trusted: the one that the user chose, or
 * the newest final one that was signed since the checkpoint.
 *
 * @throws the reason of `signal` when it is aborted.
 */
export async function check(
  settings: Settings,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<Outcome> {
  try {
    const client = clientOf(settings)
    if (client.anchor.kind === 'block') return await checkAt(client, settings, signal)
    return await checkAt(client, settings, signal, await newestOf(client, signal, onProgress))
  } catch (error) {
    return outcomeOf(error)
  }
}

/** A block, and on what grounds it is trusted. */
interface Signed {
  readonly value: Block
  readonly trust: Trust
}

/** The newest final block that was signed since the checkpoint. */
async function newestOf(
  client: Client,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<Signed> {
  const hear = (event: SyncEvent): void => {
    // A store that fails costs time, not trust.
    if (event.type === 'progress') onProgress(event)
  }
  const synced = await sync(client, { signal, onProgress: hear })
  if (synced.status !== 'synced') throw synced.error
  const newest = await getBlock(client, { signal })
  if ('error' in newest) throw newest.error
  return { value: proven(newest), trust: newest.trust }
}

async function checkAt(
  client: Client,
  { address, anchor }: Settings,
  signal: AbortSignal,
  signed?: Signed,
): Promise<Outcome> {
  const at = signed === undefined ? {} : { at: signed.value }
  const file = await fetchProof(client, { address, signal, ...at })
  const block = signed?.value.hash ?? anchor
  const started = performance.now()
  const result = await verifyProofFile(file, { chain: client.chain, anchor: { block } })
  const verifyMilliseconds = performance.now() - started
  if (result.status === 'invalid') return { state: 'lying', error: result.error }
  // The account is proved from the block; a signed block is trusted on grounds of its own.
  const trust = signed === undefined ? result.trust : onGroundsOf(result.trust, signed.trust)
  const servedBy = file.meta?.servedBy ?? 'a file'
  const grounds = { trust, servedBy, proofBytes: bytesIn(file), verifyMilliseconds }
  const account = result.value?.account ?? null
  return account === null
    ? { state: 'absent', address, grounds, file }
    : { state: 'proven', address, account, grounds, file }
}

function onGroundsOf(
  fact: Trust,
  { anchor, finality, headLagSeconds, participation }: Trust,
): Trust {
  const signed = participation === undefined ? {} : { participation }
  return { ...fact, anchor, finality, headLagSeconds, ...signed }
}

function outcomeOf(error: unknown): Outcome {
  if (error instanceof ProofError) return { state: 'lying', error }
  if (error instanceof UnavailableError) return { state: 'unavailable', error }
  if (error instanceof PlatformError) {
    return { state: 'platform', code: error.code, problem: error.message }
  }
  if (error instanceof InputError) {
    const field = fieldOf(error.argument)
    return { state: 'input', field, problem: error.message.replace(`${error.argument}: `, '') }
  }
  throw error
}

function bytesIn({ source, proof }: ProofFile): number {
  const headers = 'header' in source ? source.header.rlps : []
  return [...headers, proof].reduce((sum, hex) => sum + (hex.length - 2) / 2, 0)
}
