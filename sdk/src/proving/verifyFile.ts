/** What `verifyProofFile` is asked, parsed. Only pages that read files load this. */

import { parseSystem } from '../actions/parameters.js'
import type { Synced } from '../actions/sync.js'
import { parseChain } from '../client/chains.js'
import { fromHex, type Hex, toHex } from '../encoding/hex.js'
import {
  isRecord,
  parseHash,
  parseInteger,
  parseOptions,
  parseSeconds,
  parseTime,
  unexpected,
} from '../encoding/input.js'
import { InputError, ProofError } from '../result/errors.js'
import type { Invalid } from '../result/result.js'
import { defaultSystem } from '../systems/default.js'
import type { ProofSystem } from '../systems/system.js'
import { loadPart } from '../wasm/part.js'
import { type Checked, checkFile, type FileAnchor } from './checkFile.js'

const OPTIONS = ['anchor', 'chain', 'systems', 'now', 'maxAgeSeconds'] as const

type HeadersHold = Pick<Synced, 'finalized' | 'head' | 'period'> & { readonly status: 'signed' }

/**
 * Checks a file against what the caller says of its anchor.
 *
 * @throws {@link InputError} if the anchor or the chain is missing or malformed,
 *   {@link PlatformError}.
 */
export async function verifyFile(
  file: unknown,
  parameters: unknown,
): Promise<Checked | HeadersHold | Invalid> {
  const given = parseOptions(parameters, 'parameters', OPTIONS)
  const { anchor: pin } = given
  if (isRecord(pin) && pin['checkpoint'] !== undefined) return checkHeaders(file, pin, given.chain)
  const chain = given.chain === undefined ? undefined : parseChain(given.chain, 'chain')
  const systems = parseSystems(given.systems)
  const anchor = parseAnchor(pin, systems)
  const now = given.now === undefined ? Date.now() : parseTime(given.now, 'now')
  const maxAgeSeconds = parseSeconds(
    given.maxAgeSeconds ?? Number.POSITIVE_INFINITY,
    'maxAgeSeconds',
  )
  if (anchor.kind === 'root' && given.maxAgeSeconds !== undefined) {
    throw new InputError('input.option', 'maxAgeSeconds', 'only valid with anchor.block')
  }
  return checkFile(file, systems, anchor, chain, { now, maxAgeSeconds })
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

function parseSystems(value: unknown = [defaultSystem]): readonly ProofSystem[] {
  if (Array.isArray(value) && value.length > 0) {
    return value.map((system: unknown) => parseSystem(system, 'parse'))
  }
  throw new InputError('input.option', 'systems', 'expected a list of at least one system')
}

function parseAnchor(value: unknown, systems: readonly ProofSystem[]): FileAnchor {
  if (!isRecord(value) || (value['block'] === undefined) === (value['root'] === undefined)) {
    const problem = 'give { block } or { root }, a hash from a source you trust'
    throw new InputError('input.anchor', 'anchor', problem)
  }
  const {
    block,
    root,
    system = defaultSystem.name,
    number,
  } = parseOptions(value, 'anchor', ['block', 'root', 'system', 'number'])
  if (root === undefined) {
    return { kind: 'block', hash: parseHash(block, 'anchor.block', 'input.anchor') }
  }
  const bounds = {
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    code: 'input.anchor',
  } as const
  return {
    kind: 'root',
    hash: parseRoot(root),
    system: parseName(system, systems),
    number: number === undefined ? undefined : parseInteger(number, 'anchor.number', bounds),
  }
}

function parseName(value: unknown, systems: readonly ProofSystem[]): string {
  const system = systems.find(({ name }) => name === value)
  if (system !== undefined) return system.name
  const names = systems.map(({ name }) => name).join(' or ')
  throw unexpected(
    'input.anchor',
    'anchor.system',
    `the name of one of the systems that are given (${names})`,
    value,
  )
}

/** Roots have other lengths in other systems: the core decides. */
function parseRoot(value: unknown): Hex {
  const bytes = fromHex(value)
  if (bytes !== undefined && bytes.length > 0) return toHex(bytes)
  throw unexpected('input.anchor', 'anchor.root', '0x and hex of whole bytes', value)
}
