/** Checks files of contradictions: does the chain that signed a block say otherwise than the chain that it follows? */

import type { Chain } from '../client/chains.js'
import { bytesOf, type Hex } from '../encoding/hex.js'
import type { Hash } from '../encoding/input.js'
import { asBytes, asList, asRecord, malformed } from '../encoding/untrusted.js'
import { InputError, ProofError } from '../result/errors.js'
import type { Invalid } from '../result/result.js'
import { mpt } from '../systems/mpt.js'
import type { ProofSystem } from '../systems/system.js'
import { loadPart } from '../wasm/part.js'
import { checkNeedsNoChain, compareChains, configFor } from './checkFile.js'
import { differenceOf, valueIn } from './follows.js'
import type { Header } from './header.js'
import { chainOf, headersOf, parseFile } from './readFile.js'
import { setUp } from './setup.js'
import { hashOf, linkHeaders, verifyClaim } from './verifier.js'

/** What the reader of a file trusts. */
export interface ContradictionAnchor {
  readonly anchor: { readonly kind: 'block' | 'checkpoint'; readonly hash: Hash }
  readonly chain: Chain | undefined
  readonly systems: readonly ProofSystem[]
  /** The followed chain's block of the number in question; needed where the file's is not the one that our block names. */
  readonly origin: Hash | undefined
  /** By position, for balances. */
  readonly accounts: readonly Hex[]
}

/**
 * @returns invalid: `verify.contradiction` if the file shows one, else what is wrong with the file.
 * @throws InputError if the caller must say more, PlatformError.
 */
export async function checkContradiction(
  file: unknown,
  trusted: ContradictionAnchor,
): Promise<Invalid> {
  try {
    const problem = await contradictionIn(file, trusted)
    const code = problem === undefined ? 'decode.response' : 'verify.contradiction'
    const error = new ProofError(code, problem ?? 'the file shows no contradiction')
    return { status: 'invalid', error, evidence: [] }
  } catch (error) {
    if (!(error instanceof ProofError)) throw error
    return { status: 'invalid', error, evidence: [] }
  }
}

async function contradictionIn(
  file: unknown,
  trusted: ContradictionAnchor,
): Promise<string | undefined> {
  const json = asRecord(file, 'file')
  if (json['schema'] !== 1) throw malformed('schema', '1: a newer lightproof may read this file')
  const own = chainOf(json['chain'])
  if (trusted.chain !== undefined) compareChains(own, trusted.chain)
  const chain = trusted.chain ?? own
  const ours = await ourHeader(json, chain, trusted)
  const follows = asRecord(json['follows'], 'follows')
  const other = chainOf(follows['chain'])
  if (other.kind !== 'ethereum') throw malformed('follows.chain.kind', '"ethereum"')
  const theirs = await theirHeader(
    asBytes(follows['header'], 'follows.header'),
    ours,
    other,
    trusted,
  )
  const problem = differenceOf(ours, theirs)
  if (problem !== undefined || json['proofs'] === undefined) return problem
  return differenceIn(
    asList(json['proofs'], 'proofs'),
    { ...trusted, own: chain, other },
    ours,
    theirs,
  )
}

/** The block in question, which the reader's anchor vouches for. */
async function ourHeader(
  json: Record<string, unknown>,
  chain: Chain,
  { anchor, chain: given }: ContradictionAnchor,
): Promise<Header> {
  const headers = headersOf(asRecord(json['source'], 'source'))
  if (headers === undefined) throw malformed('source', '{ header }')
  if (anchor.kind === 'checkpoint') {
    if (given === undefined) {
      throw new InputError('input.chain', 'chain', 'missing: anchor.checkpoint needs who signs')
    }
    const { replay } = await loadPart(() => import('../light/evidence.js'))
    const { finalized } = await replay(json, given, anchor.hash)
    expectStart(
      headers.hash,
      finalized.block?.hash,
      'the newest header that the file has signatures for',
    )
  } else {
    expectStart(headers.hash, anchor.hash, 'anchor.block, which you trust,')
  }
  const linked = await linkHeaders(chain, headers.hash, headers.rlps)
  const last = linked.at(-1)
  if (last === undefined) throw malformed('source.header.rlps', 'at least one header')
  return last
}

function expectStart(start: Hash, wanted: Hash | undefined, what: string): void {
  if (start === wanted) return
  throw new ProofError(
    'verify.header',
    `the file starts from block ${start}, but ${what} is ${wanted}`,
  )
}

/** The followed chain's block: the one that ours names, or the one of its number that the reader trusts. */
async function theirHeader(
  rlp: Uint8Array,
  ours: Header,
  other: Chain,
  { origin }: ContradictionAnchor,
): Promise<Header> {
  const hash = await hashOf(rlp)
  if (hash !== ours.origin && hash !== origin) {
    if (origin !== undefined) {
      const problem = `the file has block ${hash} of the followed chain, but origin, which you trust, is ${origin}`
      throw new ProofError('verify.header', problem)
    }
    const problem = `missing: give the hash of block ${ours.number} of the followed chain, from a source you trust`
    throw new InputError('input.anchor', 'origin', problem)
  }
  const [header] = await linkHeaders(other, hash, [rlp])
  if (header === undefined) throw malformed('follows.header', 'a header')
  return header
}

/** What two proofs say otherwise of one value. */
async function differenceIn(
  proofs: readonly unknown[],
  {
    own,
    other,
    chain,
    systems,
    accounts,
  }: ContradictionAnchor & { readonly own: Chain; readonly other: Chain },
  ours: Header,
  theirs: Header,
): Promise<string | undefined> {
  const first = parseFile(proofs[0], systems)
  const second = parseFile(proofs[1], [mpt])
  if (chain === undefined) checkNeedsNoChain(first)
  const { system, query } = first
  const setup = await setUp(own, system, configFor(first, own))
  const claimOf = (header: Header, { query, variant, proof }: typeof first | typeof second) => ({
    source: { kind: 'header', hash: bytesOf(header.hash), rlps: [header.rlp] } as const,
    query,
    variant,
    proof,
  })
  const { fact } = await verifyClaim(setup, claimOf(ours, first))
  const state = await setUp(other, mpt, configFor(second, other))
  const { fact: account } = await verifyClaim(state, claimOf(theirs, second))
  const { address } = mpt.read(account, second.query).finding.value
  const items = system.inState?.(fact, query, { number: ours.number, accounts }) ?? []
  const isAsked = (slot: string | undefined): boolean =>
    slot === undefined || account.slots.some(({ key }) => key === slot)
  const wrong = items.find(
    (item) =>
      item.address === address && isAsked(item.slot) && item.value !== valueIn(account, item),
  )
  return (
    wrong &&
    `${wrong.slot === undefined ? 'the balance' : `slot ${wrong.slot}`} of ${address} is proven to be ${wrong.value} in block ${ours.number}, and ${valueIn(account, wrong)} under the state root of the block that it follows`
  )
}
