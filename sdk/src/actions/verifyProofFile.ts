import type { Chain } from '../client/chains.js'
import type { Grounded, Invalid } from '../result/result.js'
import type { DefaultTypes } from '../systems/default.js'
import type { SystemName } from '../systems/registry.js'
import type { ProofSystem } from '../systems/system.js'
import { loadPart } from '../wasm/part.js'
import type { Synced } from './sync.js'

/** What the reader of a proof file trusts. */
export interface ProofFileParameters<S extends ProofSystem = ProofSystem<DefaultTypes>> {
  /**
   * A block hash from a source that you trust: the block of the proof, or a later one that the file
   * links to it. Or a root, with the system that it is a root of (default `mpt`: a state root) and
   * the number of its block, if you know it.
   */
  readonly anchor:
    | { readonly block: string }
    | { readonly root: string; readonly system?: SystemName | S['name']; readonly number?: number }
  /**
   * The chain the file must be of. Left out, the file's own is used to read headers, and the report
   * says so; a file of a system with parameters proves nothing without.
   */
  readonly chain?: Chain
  /** The systems whose files are read, from their entries. Default mpt. */
  readonly systems?: readonly S[]
  /**
   * The time at which a file that `expires` is read; a Date, or text as it prints in JSON. Default
   * this machine's clock.
   */
  readonly now?: Date | string
  /**
   * For `anchor.block`: seconds that the block of the proof may be old, by its own timestamp, which
   * the anchor binds; an older one is refused as `verify.expired`. Default any.
   */
  readonly maxAgeSeconds?: number
}

/** What the reader of evidence about signed headers trusts. */
export interface HeaderEvidenceParameters {
  /** Root of a finalized header from a source that you trust: the one that the file starts from. */
  readonly anchor: { readonly checkpoint: string }
  /** The chain, which says who signs. */
  readonly chain: Chain
}

/** The headers of the file hold: it is no evidence of a lie. */
export interface HeadersHold extends Pick<Synced, 'finalized' | 'head' | 'period'> {
  readonly status: 'signed'
}

/** What a file proves, the system that proves it, and the grounds. */
export type FileResult<S extends ProofSystem> =
  S extends ProofSystem<infer T>
    ? Grounded<
        T['finding'] & { readonly system: string extends T['name'] ? SystemName : T['name'] }
      >
    : never

/** The file once it is loaded: to import a loaded file again still takes engines some µs. */
let part: typeof import('../proving/verifyFile.js') | undefined

/**
 * Checks a proof file offline. Nothing in the file makes trust: its proof is checked against the
 * anchor given here. Evidence about signed headers is checked against a checkpoint.
 *
 * @param file - a {@link ProofFile} or {@link HeaderEvidence}, from `JSON.parse` or `fetchProof`;
 *   anything else is a decode error.
 * @returns what it proves: of an account present or absent with all of it; or invalid. Of signed
 *   headers: that they hold, or invalid.
 * @throws {@link InputError} if the anchor or the chain is missing or malformed,
 *   {@link PlatformError}.
 */
export async function verifyProofFile<S extends ProofSystem = ProofSystem<DefaultTypes>>(
  file: unknown,
  parameters: ProofFileParameters<S>,
): Promise<FileResult<S> | Invalid>
export async function verifyProofFile(
  file: unknown,
  parameters: HeaderEvidenceParameters,
): Promise<HeadersHold | Invalid>
export async function verifyProofFile<S extends ProofSystem>(
  file: unknown,
  parameters: ProofFileParameters<S> | HeaderEvidenceParameters,
): Promise<FileResult<S> | HeadersHold | Invalid> {
  part ??= await loadPart(() => import('../proving/verifyFile.js'))
  // Sound: the system is one of those that were given, and it reads its own facts.
  return part.verifyFile(file, parameters) as Promise<FileResult<S> | HeadersHold | Invalid>
}
