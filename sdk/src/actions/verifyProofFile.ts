import { type Chain, parseChain } from '../chains.js'
import { type ParsedFile, parseFile } from '../core/readFile.js'
import { secondsSince } from '../core/trust.js'
import { linkHeaders, type ProvenFact, type Source, verifyClaim } from '../core/verifier.js'
import { bytesOf } from '../encoding/hex.js'
import { type Hash, isRecord, parseHash, parseInteger, parseOptions } from '../encoding/input.js'
import { InputError, ProofError } from '../errors.js'
import type { Absent, Invalid, Present, ProvenAccount, Trust } from '../result.js'
import { provenAccount } from '../systems/mpt.js'

/** What the reader of a proof file trusts. */
export interface ProofFileParameters {
  /** A block hash from a source that you trust: the block of the proof, or a later one that the file links to it. Or a state root. */
  readonly anchor: { readonly block: string } | { readonly root: string; readonly number?: number }
  /** The chain the file must be of. Left out, the file's own is used to read headers, and the report says so. */
  readonly chain?: Chain
}

type Anchor =
  | { readonly kind: 'block'; readonly hash: Hash }
  | { readonly kind: 'root'; readonly hash: Hash; readonly number: number }

/**
 * Checks a proof file offline. Nothing in the file makes trust: its proof is checked against the anchor given here.
 *
 * @param file - a {@link ProofFile}, from `JSON.parse` or `fetchProof`; anything else is a decode error.
 * @returns present with what it proves of an account, absent if the account is proven absent, or invalid.
 * @throws {@link InputError} if the anchor or the chain is missing or malformed, {@link PlatformError}.
 */
export async function verifyProofFile(
  file: unknown,
  parameters: ProofFileParameters,
): Promise<Present<ProvenAccount> | Absent<ProvenAccount> | Invalid> {
  const given = parseOptions(parameters, 'parameters', ['anchor', 'chain'])
  const anchor = parseAnchor(given.anchor)
  const chain = given.chain === undefined ? undefined : parseChain(given.chain, 'chain')
  try {
    const parsed = parseFile(file)
    return await check(parsed, anchor, chain)
  } catch (error) {
    return { status: 'invalid', error: asProofError(error), evidence: [] }
  }
}

/** The anchor and the chain are parsed by then: input that the core refuses is the file's query. */
function asProofError(error: unknown): ProofError {
  if (error instanceof ProofError) return error
  if (!(error instanceof InputError)) throw error
  return new ProofError('decode.response', `the file asks no question: ${error.message}`, {
    cause: error,
  })
}

async function check(
  file: ParsedFile,
  anchor: Anchor,
  chain: Chain | undefined,
): Promise<Present<ProvenAccount> | Absent<ProvenAccount>> {
  if (chain !== undefined) compareChains(file.chain, chain)
  const source = sourceOf(file, anchor)
  const used = chain ?? file.chain
  const { query, variant, proof } = file
  const proven = await verifyClaim(used, { source, query, variant, proof })
  const pin =
    source.kind === 'header' ? await linkHeaders(used, anchor.hash, source.rlps.slice(0, 1)) : []
  const age = pin[0] === undefined ? null : secondsSince(pin[0].timestamp)
  const value = provenAccount(file.address(), proven.fact)
  const trust = report(used, anchor, age, proven, value)
  return {
    status: value.account === null ? 'absent' : 'present',
    value,
    trust: chain === undefined ? { ...trust, notProved: [...trust.notProved, 'chain'] } : trust,
  }
}

function compareChains(file: Chain, wanted: Chain): void {
  for (const key of ['kind', 'chainId', 'genesisHash'] as const) {
    if (file[key] === wanted[key]) continue
    const problem = `the file is of a chain with ${key} ${file[key]}, not ${wanted[key]} (${wanted.name})`
    throw new ProofError('verify.chain', problem)
  }
}

/** The reader's anchor, with the file's headers to link the proof's block to it. */
function sourceOf(file: ParsedFile, anchor: Anchor): Source {
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
  anchor: Anchor,
  ageSeconds: number | null,
  { block }: ProvenFact,
  { slots, code }: ProvenAccount,
): Trust {
  return {
    chain: { name: chain.name, chainId: chain.chainId },
    block,
    finality: block.hash === anchor.hash || anchor.kind === 'root' ? 'pinned' : 'ancestor',
    anchor: { kind: anchor.kind, hash: anchor.hash, ageSeconds },
    headLagSeconds: ageSeconds,
    system: 'mpt',
    variant: 'plain',
    servedBy: 'file',
    tried: [],
    proved: [
      ...(anchor.kind === 'block' ? (['header'] as const) : []),
      'account',
      ...(slots.length > 0 ? (['storage'] as const) : []),
      ...(code === undefined ? [] : (['code'] as const)),
    ],
    notProved: ['anchor', 'recency'],
  }
}

function parseAnchor(value: unknown): Anchor {
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
    hash: parseHash(root, 'anchor.root', 'input.anchor'),
    number: parseInteger(number, 'anchor.number', bounds),
  }
}
