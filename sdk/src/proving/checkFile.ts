/** Checks proof files. Only pages that read some load this. */

import { type Chain, findConfig } from '../client/chains.js'
import { bytesOf, type Hex } from '../encoding/hex.js'
import { type Hash, shown } from '../encoding/input.js'
import { InputError, ProofError } from '../result/errors.js'
import type { Grounded, Invalid, Trust } from '../result/result.js'
import type { Finding, ProofSystem, SystemConfig } from '../systems/system.js'
import { linkFile } from './checkLeap.js'
import { type ParsedFile, parseFile } from './readFile.js'
import { setUp } from './setup.js'
import { blockOf, secondsSince, systemOf } from './trust.js'
import { type Source, verifyClaim } from './verifier.js'

/** What the reader of a file trusts. */
export type FileAnchor =
  | { readonly kind: 'block'; readonly hash: Hash }
  | {
      readonly kind: 'root'
      readonly hash: Hex
      /** Roots of one system are no roots of another. */
      readonly system: string
      readonly number: number | undefined
    }

/** When a file is read, and how old its block may be then. */
export interface Recency {
  /** Milliseconds since 1970. */
  readonly now: number
  readonly maxAgeSeconds: number
}

/** What a file proves, the system that proves it, and the grounds. */
export type Checked = Grounded<Finding & { readonly system: ProofSystem['name'] }>

/**
 * Checks a file against the reader's anchor, and their clock.
 *
 * @throws InputError if the anchor is no root, or a chain is missing that must pin the system's
 *   parameters; PlatformError.
 */
export async function checkFile(
  file: unknown,
  systems: readonly ProofSystem[],
  anchor: FileAnchor,
  chain: Chain | undefined,
  recency: Recency,
): Promise<Checked | Invalid> {
  const parsed = await invalidOr(() => parseFile(file, systems))
  if ('status' in parsed) return parsed
  if (chain === undefined) checkNeedsNoChain(parsed)
  return invalidOr(() => {
    checkExpiry(parsed, recency.now)
    return check(parsed, anchor, chain, recency)
  })
}

function checkExpiry({ expires }: ParsedFile, now: number): void {
  if (expires === undefined || now < expires) return
  const problem = `the file expired at ${new Date(expires).toISOString()}: ask who made it for a newer one`
  throw new ProofError('verify.expired', problem)
}

/**
 * The block's own time decides, which its hash binds; what the file says of itself anybody can
 * change.
 */
function checkAge({ number, ageSeconds }: Trust['block'], maxAgeSeconds: number): void {
  if (ageSeconds === null || ageSeconds <= maxAgeSeconds) return
  const fix = 'ask for a newer file, or raise maxAgeSeconds'
  const problem = `block ${number} of the file is ${ageSeconds} s old, more than maxAgeSeconds (${maxAgeSeconds}): ${fix}`
  throw new ProofError('verify.expired', problem)
}

async function invalidOr<T>(run: () => T | Promise<T>): Promise<T | Invalid> {
  try {
    return await run()
  } catch (error) {
    return { status: 'invalid', error: asProofError(error), evidence: [] }
  }
}

/** The anchor and the chain are parsed by then: input that the core refuses is the file's query. */
function asProofError(error: unknown): ProofError {
  if (error instanceof ProofError) return error
  if (!(error instanceof InputError) || error.code === 'input.anchor') throw error
  return new ProofError('decode.response', `the query of the file is malformed: ${error.message}`, {
    cause: error,
  })
}

/**
 * Who chooses the parameters can forge a proof under them, so a file's own are not taken on its
 * word.
 */
function checkNeedsNoChain({ system, config: { params, paramsDigest } }: ParsedFile): void {
  if (params === undefined && paramsDigest === undefined) return
  const problem = `missing: a proof of ${system.name} depends on parameters; give the chain that pins them`
  throw new InputError('input.chain', 'chain', problem)
}

async function check(
  file: ParsedFile,
  anchor: FileAnchor,
  chain: Chain | undefined,
  { now, maxAgeSeconds }: Recency,
): Promise<Checked> {
  const { system } = file
  if (chain !== undefined) compareChains(file.chain, chain)
  const used = chain ?? { ...file.chain, systems: { [system.name]: file.config } }
  const setup = await setUp(used, system, configFor(file, used))
  const linked = await headersOf(file, anchor, used)
  const source = sourceOf(file, anchor)
  const { query, variant, proof } = file
  if (!system.variants.includes(variant)) {
    const problem = `variant ${shown(variant)} is not accepted, but ${system.variants.join(', ')}`
    throw new ProofError('decode.variant', problem)
  }
  const claim = { source, query, variant, proof }
  const { block: proved, fact } = await verifyClaim(setup, claim).catch((cause: unknown) => {
    throw anchor.kind === 'root' ? blameRoot(cause) : cause
  })
  const last = linked?.headers.at(-1)
  const block =
    last === undefined ? { ...proved, timestamp: null, ageSeconds: null } : blockOf(last, now)
  checkAge(block, maxAgeSeconds)
  const { finding, proved: parts } = system.read(fact, query)
  const first = linked?.first
  const ageSeconds = first === undefined ? null : secondsSince(first.timestamp, now)
  const trust = report(used, anchor, ageSeconds, block, {
    ...systemOf({ setup, variant }),
    proved: source.kind === 'header' ? ['header', ...parts] : parts,
    notProved: ['anchor', 'recency', ...(chain === undefined ? (['chain'] as const) : [])],
  })
  return { ...finding, system: system.name, trust }
}

/**
 * All else in the request is of our making: what the core does not take as one is the root that the
 * caller pins.
 */
function blameRoot(cause: unknown): unknown {
  if (!(cause instanceof InputError) || cause.code !== 'input.request') return cause
  return new InputError('input.anchor', 'anchor.root', cause.message, { cause })
}

/**
 * The chain's configuration of the file's system; parameters that it names by digest alone may come
 * from the file.
 */
export function configFor({ system, config }: ParsedFile, chain: Chain): SystemConfig {
  const pinned = findConfig(chain, system)
  if (pinned === undefined) {
    const { name } = system
    const problem = `${chain.name} commits to no ${name}: set systems.${name} of the chain`
    throw new ProofError('verify.commitment', problem)
  }
  if (pinned.format !== config.format) {
    const problem = `the file is of ${config.format}, but ${chain.name} of ${pinned.format}`
    throw new ProofError('verify.chain', problem)
  }
  const { paramsDigest } = pinned
  if (pinned.params !== undefined || paramsDigest === undefined) return pinned
  return config.params === undefined ? pinned : { ...pinned, params: config.params }
}

export function compareChains(file: Chain, wanted: Chain): void {
  for (const key of ['kind', 'chainId', 'genesisHash'] as const) {
    if (file[key] === wanted[key]) continue
    const problem = `the file is of a chain with ${key} ${file[key]}, not ${wanted[key]} (${wanted.name})`
    throw new ProofError('verify.chain', problem)
  }
}

/**
 * The file's headers, linked to the reader's block; undefined where the reader trusts a bare root.
 */
async function headersOf({ headers }: ParsedFile, anchor: FileAnchor, chain: Chain) {
  if (anchor.kind === 'root') return undefined
  if (headers === undefined) {
    const problem = 'the file has a root and no headers: give anchor.root, one that you trust'
    throw new ProofError('verify.header', problem)
  }
  return linkFile(chain, anchor.hash, headers)
}

/** The block that the headers end at, or the reader's root. */
function sourceOf(file: ParsedFile, anchor: FileAnchor): Source {
  if (anchor.kind === 'root') {
    const { system, number = 0 } = anchor
    const root = bytesOf(anchor.hash)
    if (file.system.name === system) return { kind: 'root', number: BigInt(number), root }
    const problem = `anchor.root is a root of ${system}, but the file is of ${file.system.name}; anchor.system says which you pin`
    throw new ProofError('verify.root', problem)
  }
  const { hash = '0x', rlps = [] } = file.headers ?? {}
  return { kind: 'header', hash: bytesOf(hash), rlps }
}

function report(
  chain: Chain,
  anchor: FileAnchor,
  ageSeconds: number | null,
  block: Trust['block'],
  proof: Pick<Trust, 'system' | 'variant' | 'setup' | 'proved' | 'notProved'>,
): Trust {
  // The core needs a number; the one that it makes up for itself is no finding.
  const isNumbered = anchor.kind === 'block' || anchor.number !== undefined
  return {
    chain: { name: chain.name, chainId: chain.chainId },
    block: isNumbered ? block : { ...block, number: null },
    finality: block.hash === anchor.hash || anchor.kind === 'root' ? 'pinned' : 'ancestor',
    anchor: { kind: anchor.kind, hash: anchor.hash, ageSeconds },
    headLagSeconds: ageSeconds,
    servedBy: 'file',
    headersFrom: [],
    tried: [],
    ...proof,
  }
}
