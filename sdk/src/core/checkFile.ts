/** Checks proof files. Only pages that read some load this. */

import type { Chain, SystemConfig } from '../chains.js'
import { bytesOf, type Hex } from '../encoding/hex.js'
import { type Hash, shown } from '../encoding/input.js'
import { InputError, ProofError } from '../errors.js'
import type { Finding, Grounded, Invalid, Trust } from '../result.js'
import type { ProofSystem } from '../systems/system.js'
import { type ParsedFile, parseFile } from './readFile.js'
import { setUp } from './setup.js'
import { secondsSince, systemOf } from './trust.js'
import { type Header, linkHeaders, type Source, verifyClaim } from './verifier.js'

/** What the reader of a file trusts. */
export type FileAnchor =
  | { readonly kind: 'block'; readonly hash: Hash }
  | { readonly kind: 'root'; readonly hash: Hex; readonly number: number }

/** What a file proves, the system that proves it, and the grounds. */
type Checked = Grounded<Finding & { readonly system: ProofSystem['name'] }>

/**
 * Checks a file against the reader's anchor, and their clock in milliseconds since 1970.
 *
 * @throws InputError if the anchor is no root, or a chain is missing that must pin the system's parameters; PlatformError.
 */
export async function checkFile(
  file: unknown,
  systems: readonly ProofSystem[],
  anchor: FileAnchor,
  chain: Chain | undefined,
  now: number,
): Promise<Checked | Invalid> {
  const parsed = await invalidOr(() => parseFile(file))
  if ('status' in parsed) return parsed
  if (chain === undefined) checkNeedsNoChain(parsed)
  return invalidOr(() => {
    checkExpiry(parsed, now)
    return check(parsed, systems, anchor, chain)
  })
}

function checkExpiry({ expires }: ParsedFile, now: number): void {
  if (expires === undefined || now < expires) return
  const problem = `the file expired at ${new Date(expires).toISOString()}: ask who made it for a newer one`
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
  return new ProofError('decode.response', `the file asks no question: ${error.message}`, {
    cause: error,
  })
}

/** Who chooses the parameters can forge a proof under them, so a file's own are not taken on its word. */
function checkNeedsNoChain({ system, config: { params, paramsDigest } }: ParsedFile): void {
  if (params === undefined && paramsDigest === undefined) return
  const problem = `missing: a proof of ${system} is worth what its parameters are, so give the chain that pins them`
  throw new InputError('input.chain', 'chain', problem)
}

async function check(
  file: ParsedFile,
  systems: readonly ProofSystem[],
  anchor: FileAnchor,
  chain: Chain | undefined,
): Promise<Checked> {
  const system = systems.find(({ name }) => name === file.system)
  if (system === undefined) {
    const names = systems.map(({ name }) => name).join(' or ')
    throw new ProofError('decode.response', `system: expected ${names}, got ${file.system}`)
  }
  if (chain !== undefined) compareChains(file.chain, chain)
  const used = chain ?? { ...file.chain, systems: { [file.system]: file.config } }
  const setup = await setUp(used, system, configFor(file, used))
  const source = sourceOf(file, anchor)
  const { query, variant, proof } = file
  if (!system.variants.includes(variant)) {
    const problem = `variant ${shown(variant)} is not accepted, but ${system.variants.join(', ')}`
    throw new ProofError('decode.variant', problem)
  }
  const claim = { source, query, variant, proof }
  const { block, fact } = await verifyClaim(setup, claim).catch((cause: unknown) => {
    throw anchor.kind === 'root' ? blameRoot(cause) : cause
  })
  const pin =
    anchor.kind === 'block' && source.kind === 'header'
      ? await linkHeaders(used, anchor.hash, source.rlps.slice(0, 1))
      : []
  const { finding, proved } = system.read(fact, query)
  const trust = report(used, anchor, pin[0], block, {
    ...systemOf(used, { setup, variant }),
    proved: source.kind === 'header' ? ['header', ...proved] : proved,
    notProved: ['anchor', 'recency', ...(chain === undefined ? (['chain'] as const) : [])],
  })
  return { ...finding, system: system.name, trust }
}

/** All else in the request is of our making: what the core does not take as one is the root that the caller pins. */
function blameRoot(cause: unknown): unknown {
  if (!(cause instanceof InputError) || cause.code !== 'input.request') return cause
  return new InputError('input.anchor', 'anchor.root', cause.message, { cause })
}

/** The chain's configuration of the file's system; parameters that it names by digest alone may come from the file. */
function configFor({ system, config }: ParsedFile, chain: Chain): SystemConfig {
  const pinned = chain.systems[system]
  if (pinned === undefined) {
    const problem = `${chain.name} commits to no ${system}: set systems.${system} of the chain`
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

function compareChains(file: Chain, wanted: Chain): void {
  for (const key of ['kind', 'chainId', 'genesisHash'] as const) {
    if (file[key] === wanted[key]) continue
    const problem = `the file is of a chain with ${key} ${file[key]}, not ${wanted[key]} (${wanted.name})`
    throw new ProofError('verify.chain', problem)
  }
}

/** The reader's anchor, with the file's headers to link the proof's block to it. */
function sourceOf(file: ParsedFile, anchor: FileAnchor): Source {
  const root = bytesOf(anchor.hash)
  if (anchor.kind === 'root') return { kind: 'root', number: BigInt(anchor.number), root }
  if (file.headers === undefined) {
    const problem =
      'the file links its root to no block; give anchor.root, the state root you trust'
    throw new ProofError('verify.header', problem)
  }
  if (file.headers.hash !== anchor.hash) {
    const problem = `the file starts from block ${file.headers.hash}, but anchor.block, which you trust, is ${anchor.hash}`
    throw new ProofError('verify.header', problem)
  }
  return { kind: 'header', hash: root, rlps: file.headers.rlps }
}

function report(
  chain: Chain,
  anchor: FileAnchor,
  pin: Header | undefined,
  block: Trust['block'],
  proof: Pick<Trust, 'system' | 'variant' | 'setup' | 'proved' | 'notProved'>,
): Trust {
  const ageSeconds = pin === undefined ? null : secondsSince(pin.timestamp)
  return {
    chain: { name: chain.name, chainId: chain.chainId },
    block,
    finality: block.hash === anchor.hash || anchor.kind === 'root' ? 'pinned' : 'ancestor',
    anchor: { kind: anchor.kind, hash: anchor.hash, ageSeconds },
    headLagSeconds: ageSeconds,
    servedBy: 'file',
    headersFrom: [],
    tried: [],
    ...proof,
  }
}
