import { type Chain, parseChain } from '../client/chains.js'
import { bytesOf } from '../encoding/hex.js'
import { type Address, type Hash, parseHash, parseOptions } from '../encoding/input.js'
import { asBytes, asList, asRecord, malformed } from '../encoding/untrusted.js'
import { compareChains, configFor } from '../proving/checkFile.js'
import type { Header } from '../proving/header.js'
import { chainOf, headersOf, type ParsedFile, parseInner } from '../proving/readFile.js'
import { setUp } from '../proving/setup.js'
import { hashOf, linkHeaders, verifyClaim } from '../proving/verifier.js'
import { InputError, ProofError } from '../result/errors.js'
import type { Invalid } from '../result/result.js'
import { mpt } from '../systems/mpt.js'
import type { ProofSystem } from '../systems/system.js'
import { loadHash } from '../wasm/module.js'
import { loadPart } from '../wasm/part.js'
import { differenceOf, valueIn, wordsFor } from './difference.js'
import { checksummed, parseAccounts } from './parseAccounts.js'

/** What the reader of a contradiction trusts. */
export interface ContradictionParameters {
  /**
   * A block of the chain that follows, or a checkpoint: the header that the file's signatures start
   * from, which named the committee of those who signed. From a source that you trust; what the
   * file says is none.
   */
  readonly anchor: { readonly block: string } | { readonly checkpoint: string }
  /** The chain that follows. It pins the parameters of its systems, and who signs. */
  readonly chain: Chain
  /** The system of the value, if the file is about one. Default none: headers alone. */
  readonly systems?: readonly ProofSystem[]
  /**
   * Hash of the followed chain's block of the number in question, from a source that you trust.
   * Needed if the file says that another block was followed.
   */
  readonly origin?: string
  /** For balances by position: the account at each. */
  readonly accounts?: readonly string[]
}

interface Reader {
  readonly anchor: { readonly kind: 'block' | 'checkpoint'; readonly hash: Hash }
  readonly chain: Chain
  readonly systems: readonly ProofSystem[]
  readonly origin: Hash | undefined
  readonly accounts: readonly Address[]
}

/**
 * Checks offline whether a block contradicts the Ethereum chain that its chain follows. Nothing in
 * the file makes trust. Who signed a block that does vouched for something false.
 *
 * @param file - a `ContradictionFile`, from `JSON.parse` or the `evidence` of a result.
 * @returns invalid: with code `verify.contradiction` if the file shows one, else with what is wrong
 *   with the file.
 * @throws InputError if an argument is missing or malformed, PlatformError.
 */
export async function verifyContradiction(
  file: unknown,
  parameters: ContradictionParameters,
): Promise<Invalid> {
  const reader = await parseReader(parameters)
  try {
    const problem = await contradictionIn(asRecord(file, 'file'), reader)
    const code = problem === undefined ? 'decode.response' : 'verify.contradiction'
    const error = new ProofError(code, problem ?? 'the file shows no contradiction')
    return { status: 'invalid', error, evidence: [] }
  } catch (error) {
    if (!(error instanceof ProofError)) throw error
    return { status: 'invalid', error, evidence: [] }
  }
}

async function parseReader(parameters: ContradictionParameters): Promise<Reader> {
  const known = ['anchor', 'chain', 'systems', 'origin', 'accounts'] as const
  const given = parseOptions(parameters, 'parameters', known)
  const { block, checkpoint } = parseOptions(given.anchor, 'anchor', ['block', 'checkpoint'])
  if ((block === undefined) === (checkpoint === undefined)) {
    const problem = 'give { block } or { checkpoint }, a hash from a source you trust'
    throw new InputError('input.anchor', 'anchor', problem)
  }
  const kind = block === undefined ? 'checkpoint' : 'block'
  const chain = parseChain(given.chain, 'chain')
  if (chain.kind === 'ethereum') {
    throw new InputError('input.chain', 'chain', 'expected the chain that follows, not Ethereum')
  }
  const { systems = [], origin } = given
  if (!Array.isArray(systems)) {
    throw new InputError('input.option', 'systems', 'expected a list of systems')
  }
  return {
    anchor: { kind, hash: parseHash(block ?? checkpoint, `anchor.${kind}`, 'input.anchor') },
    chain,
    systems,
    origin: origin === undefined ? undefined : parseHash(origin, 'origin', 'input.anchor'),
    accounts: checksummed(parseAccounts(given.accounts), await loadHash()),
  }
}

async function contradictionIn(
  file: Record<string, unknown>,
  reader: Reader,
): Promise<string | undefined> {
  if (file['schema'] !== 1) throw malformed('schema', '1: a newer lightproof may read this file')
  if (file['kind'] !== 'contradiction') throw malformed('kind', '"contradiction"')
  compareChains(chainOf(file['chain']), reader.chain)
  const ours = await ourHeader(file, reader)
  const follows = asRecord(file['follows'], 'follows')
  const { kind, chainId, genesisHash } = asRecord(follows['chain'], 'follows.chain')
  // Of the file's chain no more is taken than its headers' form: mpt has no parameters that someone
  // could choose.
  const other = chainOf({ kind, chainId, genesisHash })
  if (other.kind !== 'ethereum') throw malformed('follows.chain.kind', '"ethereum"')
  const header = asBytes(follows['header'], 'follows.header')
  const theirs = await theirHeader(header, ours, other, reader)
  const difference = differenceOf(ours, theirs)
  if (difference !== undefined || file['proofs'] === undefined) return difference
  const [first, second] = asList(file['proofs'], 'proofs')
  const proofs = [
    parseInner(first, reader.systems, 'proofs[0]'),
    parseInner(second, [mpt], 'proofs[1]'),
  ] as const
  return differenceIn(proofs, { ours, theirs, other, reader })
}

/** The block in question, which the reader's anchor vouches for. */
async function ourHeader(
  file: Record<string, unknown>,
  { anchor, chain }: Reader,
): Promise<Header> {
  const headers = headersOf(asRecord(file['source'], 'source'))
  if (headers === undefined) throw malformed('source', '{ header }')
  if (anchor.kind === 'checkpoint') {
    const { replay } = await loadPart(() => import('../light/evidence.js'))
    const { finalized } = await replay(file, chain, anchor.hash)
    const what = 'the newest header that the file has signatures for'
    expectStart(headers.hash, finalized.block?.hash, what)
  } else {
    expectStart(headers.hash, anchor.hash, 'anchor.block, which you trust,')
  }
  const linked = await linkHeaders(chain, headers.hash, headers.rlps)
  const last = linked.at(-1)
  if (last === undefined) throw malformed('source.header.rlps', 'at least one header')
  // Signers of a block that follows nothing vouched for nothing that could be false here.
  if (last.origin === undefined)
    throw malformed('source', 'a block that names the one that it follows')
  return last
}

function expectStart(start: Hash, wanted: Hash | undefined, what: string): void {
  if (start === wanted) return
  const problem = `the file starts from block ${start}, but ${what} is ${wanted}`
  throw new ProofError('verify.header', problem)
}

/**
 * The followed chain's block: the one that ours names, or the one of its number that the reader
 * trusts.
 */
async function theirHeader(
  rlp: Uint8Array,
  ours: Header,
  other: Chain,
  { origin }: Reader,
): Promise<Header> {
  const hash = await hashOf(rlp)
  const isNamed = hash === ours.origin
  const wanted = `the hash of block ${ours.number} of the followed chain, from a source you trust`
  if (!isNamed && origin === undefined) {
    throw new InputError('input.anchor', 'origin', `missing: give ${wanted}`)
  }
  if (!isNamed && hash !== origin) {
    const problem = `the file has block ${hash} of the followed chain, but origin, which you trust, is ${origin}`
    throw new ProofError('verify.header', problem)
  }
  const [header] = await linkHeaders(other, hash, [rlp])
  if (header === undefined) throw malformed('follows.header', 'a header')
  if (!isNamed && header.number !== ours.number) {
    const problem = `it is block ${header.number} of the followed chain: give ${wanted}`
    throw new InputError('input.anchor', 'origin', problem)
  }
  return header
}

/** What two proofs say differently of one value. */
async function differenceIn(
  [first, second]: readonly [ParsedFile, ParsedFile<typeof mpt>],
  {
    ours,
    theirs,
    other,
    reader: { chain, accounts },
  }: {
    readonly ours: Header
    readonly theirs: Header
    readonly other: Chain
    readonly reader: Reader
  },
): Promise<string | undefined> {
  const { system, query } = first
  if (system.needsAccounts === true && accounts.length === 0) {
    const problem = 'missing: the file is about a balance by position; give the account at each'
    throw new InputError('input.option', 'accounts', problem)
  }
  checkVariant(first)
  checkVariant(second)
  const setup = await setUp(chain, system, configFor(first, chain))
  const { fact } = await verifyClaim(setup, claimOf(ours, first))
  const state = await setUp(other, mpt, configFor(second, other))
  const { fact: account } = await verifyClaim(state, claimOf(theirs, second))
  const { address } = mpt.read(account, second.query).finding.value
  const items = system.inState?.(fact, query, { number: ours.number, accounts }) ?? []
  const isAsked = (slot: string | undefined): boolean =>
    slot === undefined || account.slots.some(({ key }) => key === slot)
  const wrong = items.find((item) => {
    const isOfBoth = item.address === address && isAsked(item.slot)
    return isOfBoth && item.value !== valueIn(account, item)
  })
  return wrong && wordsFor(wrong, valueIn(account, wrong), ours.number)
}

function checkVariant({ system, variant }: ParsedFile): void {
  if (system.variants.includes(variant)) return
  throw new ProofError('decode.variant', `expected ${system.variants.join(' or ')}`)
}

function claimOf({ hash, rlp }: Header, { query, variant, proof }: ParsedFile) {
  const source = { kind: 'header', hash: bytesOf(hash), rlps: [rlp] } as const
  return { source, query, variant, proof }
}
