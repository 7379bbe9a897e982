/**
 * The light client at work: a question in, one of six outcomes out. Loaded when it is first needed.
 */

import {
  type Chain,
  type Client,
  type Finding,
  fetchProof,
  type HeaderProof,
  InputError,
  PlatformError,
  ProofError,
  type ProofFile,
  type SyncEvent,
  setWasm,
  type Trust,
  UnavailableError,
  verifyProofFile,
} from 'lightproof'
import bls12_381 from 'lightproof/bls12_381.wasm'
import bn254 from 'lightproof/bn254.wasm'
import evm from 'lightproof/evm.wasm'
import hash from 'lightproof/hash.wasm'
import light from 'lightproof/light.wasm'
import mpt from 'lightproof/mpt.wasm'
import type { FieldName, Settings } from '../form/settings.js'
import type { SystemName } from '../form/systems.js'
import {
  clientOf,
  type Followed,
  fieldOf,
  isFollowing,
  keepProof,
  strangerOf,
  takeBadProof,
} from './client.js'
import { chainOfFile } from './file.js'
import { comparedOf } from './follows.js'
import { newestOf, onGroundsOf, type Progress, type Signed } from './place.js'
import { questionOf, SYSTEMS, systemOf } from './systems.js'
import { isOneFile, workers } from './workers.js'

// esbuild copies the files into dist/ and gives their names, relative to this module. Each is
// fetched by the first question that needs it: signatures are only checked from a checkpoint, and
// each system has its verifier in one of the others.
setWasm({
  mpt: new URL(mpt, import.meta.url),
  hash: new URL(hash, import.meta.url),
  light: new URL(light, import.meta.url),
  bn254: new URL(bn254, import.meta.url),
  bls12_381: new URL(bls12_381, import.meta.url),
  evm: new URL(evm, import.meta.url),
})

// Others start when lightproof finds that they are worth it.
if (isOneFile()) workers()

/** What the page can say about a proven fact. */
export interface Grounds {
  readonly trust: Trust
  readonly servedBy: string
  /** Header and proof, as the node sent them. */
  readonly proofBytes: number
  /** The check alone, without the network. */
  readonly verifyMilliseconds: number
}

/** A proven fact. */
export interface Proof {
  /** `absent`: what is proven is that nothing is there. */
  readonly state: 'present' | 'absent' | 'deleted'
  readonly system: SystemName
  readonly asked: Settings
  readonly finding: Finding
  readonly grounds: Grounds
  readonly file: ProofFile
  readonly trail?: Trail
}

/** Signed headers from the checkpoint on, as they were checked. */
export interface Trail {
  readonly chain: Chain
  readonly proofs: readonly HeaderProof[]
}

/** A proof that does not hold; the file is what was sent, where it is a proof at all. */
export interface Lie {
  readonly state: 'invalid'
  readonly error: ProofError
  readonly file: ProofFile | undefined
  readonly trail?: Trail
}

/** An answer that follows from several proofs, as its own module draws it. */
export interface Drawn {
  readonly state: 'drawn'
  /** The state that the page shows. */
  readonly as: 'present' | 'invalid'
  readonly parts: readonly HTMLElement[]
}

/** How a question ended. */
export type Outcome =
  | Proof
  | Lie
  | { readonly state: 'unavailable'; readonly error: UnavailableError }
  | { readonly state: 'platform'; readonly code: string; readonly problem: string }
  | { readonly state: 'input'; readonly field: FieldName; readonly problem: string }
  | Drawn

/**
 * Asks the node, and checks its proof against a block that is trusted: the one that the user chose,
 * or the newest one that was signed since the checkpoint.
 *
 * @param asStranger - with nothing that was kept.
 * @throws the reason of `signal` when it is aborted.
 */
export async function check(
  settings: Settings,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
  asStranger: boolean,
): Promise<Outcome> {
  takeBadProof()
  try {
    const followed = asStranger ? strangerOf(settings) : clientOf(settings)
    const { client } = followed
    if (client.anchor.kind === 'block') return await checkAt(client, settings, signal)
    return await checkNewest(followed, settings, signal, onProgress)
  } catch (error) {
    return outcomeOf(error)
  }
}

/**
 * A longer way is drawn from where it was kept last, which is as well proven, and checked again in
 * less time.
 */
const MOST_DRAWN = 12

async function checkNewest(
  { client, trail }: Followed,
  settings: Settings,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<Outcome> {
  const hear = (event: SyncEvent): void => {
    if (event.type === 'proof') keepProof(trail, event.proof)
    if (event.type === 'kept' && trail.length > MOST_DRAWN)
      trail.splice(0, trail.length, event.proof)
    // A store that fails costs time, not trust.
    if (event.type === 'progress') onProgress(event)
  }
  const followed = (): { trail: Trail } => ({ trail: { chain: client.chain, proofs: [...trail] } })
  let signed: Signed | undefined
  try {
    signed = await newestOf(client, settings, signal, hear)
    return { ...(await checkAt(client, settings, signal, signed)), ...followed() }
  } catch (error) {
    const outcome = { ...outcomeOf(error), ...followed() }
    // The header that does not hold must not stand before the next ones.
    if (error instanceof ProofError && signed === undefined) trail.pop()
    return outcome
  }
}

/** Checks a file that somebody saved, against the block hash in the settings. Nobody is asked. */
export async function checkFile(file: unknown, settings: Settings): Promise<Outcome> {
  try {
    const chain = chainOfFile(file, settings)
    if (isOfHeaders(file)) return await judgeHeaders(file, chain, settings.anchor)
    // Of another form than a file's it is refused before anything is read from it.
    const given = file as ProofFile
    return await judge(given, settings, { chain, block: settings.anchor, servedBy: 'a file' })
  } catch (error) {
    return outcomeOf(error)
  }
}

/** Evidence of signed headers has steps where a proof file has a proof. */
function isOfHeaders(file: unknown): boolean {
  return typeof file === 'object' && file !== null && 'steps' in file
}

/** Checks evidence of signed headers from the checkpoint in the settings. */
async function judgeHeaders(file: unknown, chain: Chain, checkpoint: string): Promise<Outcome> {
  const result = await verifyProofFile(file, { anchor: { checkpoint }, chain })
  if (result.status === 'invalid') return { state: 'invalid', error: result.error, file: undefined }
  const problem = 'The headers hold: the file is no evidence of a lie.'
  return { state: 'unavailable', error: new UnavailableError('block', problem) }
}

async function checkAt(
  client: Client,
  settings: Settings,
  signal: AbortSignal,
  signed?: Signed,
): Promise<Outcome> {
  const at = signed === undefined ? {} : { at: signed.value }
  const system = systemOf(settings.system)
  const question = questionOf(settings)
  const file = await fetchProof(client, { system, ...question, signal, ...at })
  const block = signed?.value.hash ?? settings.anchor
  const servedBy = file.meta?.servedBy ?? 'a file'
  const from = { chain: client.chain, block, servedBy }
  const outcome = await judge(file, settings, from, signed?.trust)
  if (!isFollowing(settings) || !('grounds' in outcome)) return outcome
  const compared = await comparedOf(client, settings, { signal, ...at })
  const { grounds } = outcome
  return { ...outcome, grounds: { ...grounds, trust: { ...grounds.trust, ...compared } } }
}

/** Checks a file, and says what it proves. */
async function judge(
  file: ProofFile,
  asked: Settings,
  { chain, block, servedBy }: { chain: Client['chain']; block: string; servedBy: string },
  signed?: Trust,
): Promise<Outcome> {
  const started = performance.now()
  const result = await verifyProofFile(file, { chain, anchor: { block }, systems: SYSTEMS })
  const verifyMilliseconds = performance.now() - started
  if (result.status === 'invalid') return { state: 'invalid', error: result.error, file }
  // The fact is proved from the block; a signed block is trusted on grounds of its own.
  const trust = signed === undefined ? result.trust : onGroundsOf(result.trust, signed)
  const grounds = { trust, servedBy, proofBytes: bytesIn(file), verifyMilliseconds }
  const { trust: _, system, ...finding } = result
  // Not among the systems that it was given.
  if (system === 'body') throw new TypeError('a file of a block')
  return { state: stateOf(finding), system, asked, finding, grounds, file }
}

function stateOf({ status, value }: Finding): Proof['state'] {
  if (status !== 'proven') return status
  // A list of values, each with its own status.
  const [one, ...others] = value as readonly { readonly status: Proof['state'] }[]
  return one === undefined || others.length > 0 ? 'present' : one.status
}

/** What an error comes to. */
export function outcomeOf(error: unknown): Outcome {
  if (error instanceof ProofError) {
    const evidence = takeBadProof()?.evidence
    // Of signed headers there is no proof to draw.
    const file = evidence !== undefined && 'proof' in evidence ? evidence : undefined
    return { state: 'invalid', error, file }
  }
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
