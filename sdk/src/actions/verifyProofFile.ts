import { type Chain, parseChain } from '../chains.js'
import type { FileAnchor } from '../core/checkFile.js'
import { fromHex, type Hex, toHex } from '../encoding/hex.js'
import {
  isRecord,
  parseHash,
  parseInteger,
  parseOptions,
  parseTime,
  shown,
} from '../encoding/input.js'
import { InputError, ProofError } from '../errors.js'
import type { Grounded, Invalid } from '../result.js'
import { type MptTypes, mpt } from '../systems/mpt.js'
import type { ProofSystem } from '../systems/system.js'
import { loadPart } from '../wasm/part.js'
import { parseSystem } from './parameters.js'
import type { Synced } from './sync.js'

/** What the reader of a proof file trusts. */
export interface ProofFileParameters<S extends ProofSystem = ProofSystem<MptTypes>> {
  /** A block hash from a source that you trust: the block of the proof, or a later one that the file links to it. Or a root of the file's system. */
  readonly anchor: { readonly block: string } | { readonly root: string; readonly number?: number }
  /**
   * The chain the file must be of. Left out, the file's own is used to read headers, and the report says so; a file of a
   * system with parameters proves nothing without.
   */
  readonly chain?: Chain
  /** The systems whose files are read, from their entries. Default mpt. */
  readonly systems?: readonly S[]
  /** The time at which a file that `expires` is read; a Date, or text as it prints in JSON. Default this machine's clock. */
  readonly now?: Date | string
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
  S extends ProofSystem<infer T> ? Grounded<T['finding'] & { readonly system: T['name'] }> : never

/**
 * Checks a proof file offline. Nothing in the file makes trust: its proof is checked against the anchor given here. Evidence
 * about signed headers is checked against a checkpoint.
 *
 * @param file - a {@link ProofFile} or {@link HeaderEvidence}, from `JSON.parse` or `fetchProof`; anything else is a decode error.
 * @returns what it proves: of an account present or absent with all of it; or invalid. Of signed headers: that they hold,
 * or invalid.
 * @throws {@link InputError} if the anchor or the chain is missing or malformed, {@link PlatformError}.
 */
export async function verifyProofFile<S extends ProofSystem = ProofSystem<MptTypes>>(
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
  const given = parseOptions(parameters, 'parameters', ['anchor', 'chain', 'systems', 'now'])
  const { anchor: pin } = given
  if (isRecord(pin) && pin['checkpoint'] !== undefined) return checkHeaders(file, pin, given.chain)
  const anchor = parseAnchor(pin)
  const chain = given.chain === undefined ? undefined : parseChain(given.chain, 'chain')
  const systems = parseSystems(given.systems)
  const now = given.now === undefined ? Date.now() : parseTime(given.now, 'now')
  const { checkFile } = await loadPart(() => import('../core/checkFile.js'))
  // Sound: the system is one of those that were given, and it reads its own facts.
  return (await checkFile(file, systems, anchor, chain, now)) as FileResult<S> | Invalid
}

async function checkHeaders(
  file: unknown,
  pin: Record<string, unknown>,
  chain: unknown,
): Promise<HeadersHold | Invalid> {
  const given = parseOptions(pin, 'anchor', ['checkpoint'])
  const checkpoint = parseHash(given.checkpoint, 'anchor.checkpoint', 'input.anchor')
  const parsed = parseChain(chain, 'chain')
  const { replay } = await loadPart(() => import('../light/evidence.js'))
  try {
    const { finalized, head, period } = await replay(file, parsed, checkpoint)
    return { status: 'signed', finalized, head, period }
  } catch (error) {
    if (!(error instanceof ProofError)) throw error
    return { status: 'invalid', error, evidence: [] }
  }
}

function parseSystems(value: unknown = [mpt]): readonly ProofSystem[] {
  if (Array.isArray(value) && value.length > 0) {
    return value.map((system: unknown) => parseSystem(system, 'parse'))
  }
  throw new InputError('input.option', 'systems', 'expected a list of at least one system')
}

function parseAnchor(value: unknown): FileAnchor {
  if (!isRecord(value) || (value['block'] === undefined) === (value['root'] === undefined)) {
    const problem =
      'give { block } or { root }, a hash from a source you trust: the one in the file proves nothing'
    throw new InputError('input.anchor', 'anchor', problem)
  }
  const { block, root, number } = parseOptions(value, 'anchor', ['block', 'root', 'number'])
  if (root === undefined) {
    return { kind: 'block', hash: parseHash(block, 'anchor.block', 'input.anchor') }
  }
  const bounds = {
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    fallback: 0,
    code: 'input.anchor',
  } as const
  return {
    kind: 'root',
    hash: parseRoot(root),
    number: parseInteger(number, 'anchor.number', bounds),
  }
}

/** Roots have other lengths in other systems: the core decides. */
function parseRoot(value: unknown): Hex {
  const bytes = typeof value === 'string' ? fromHex(value) : undefined
  if (bytes !== undefined && bytes.length > 0) return toHex(bytes)
  const problem = `expected 0x and hex of whole bytes, got ${shown(value)}`
  throw new InputError('input.anchor', 'anchor.root', problem)
}
