/**
 * Blocks of a chain that follows another, compared with that other chain: the origin must be a block that the caller trusts there,
 * the commitment to its state must be that block's, and values may be proven a second time under it.
 */

import type { Client, Follows } from '../client/types.js'
import type { Address } from '../encoding/input.js'
import { ProofError } from '../result/errors.js'
import type { ContradictionFile, ProofFile } from '../result/file.js'
import type { Invalid, Unavailable } from '../result/result.js'
import { askAccount, type FactJson, type MptTypes, mpt } from '../systems/mpt.js'
import type { Ask, ProofSystem, StateItem, SystemTypes } from '../systems/system.js'
import type { BlockTarget } from './at.js'
import { contradictionFile } from './contradiction.js'
import { failover, type Success } from './failover.js'
import type { Header } from './header.js'
import type { Located } from './line.js'
import { locate } from './walk.js'

/** What was compared with the followed chain. */
export interface Compared {
  readonly status: 'compared'
  /** Keys that were proven a second time. */
  readonly crossChecked: number
}

/** The followed chain's header that a block of ours was made from. */
interface Origin {
  readonly status: 'proven'
  readonly header: Header
}

/**
 * Proves that a block's origin is the followed chain's block of the same number, and that both commit to one state.
 *
 * @returns invalid, `verify.contradiction`, if it is not; unavailable if the followed chain's client cannot tell.
 */
export async function proveOrigin(
  client: Client,
  follows: Follows,
  located: Located,
  signal: AbortSignal | undefined,
): Promise<Origin | Invalid | Unavailable> {
  const { header } = located
  const known = follows.proven.get(header.hash)
  if (known !== undefined) return { status: 'proven', header: known }
  const other = follows.client
  const at = { by: 'number', number: header.number } as const
  const found = await failover(other, at, signal, (session) => locate(session, at))
  if (found.status !== 'proven') return found
  const origin = found.value.header
  const problem = differenceOf(header, origin)
  if (problem !== undefined) {
    return contradicted(problem, await contradictionFile(client, other.chain, located, origin))
  }
  follows.proven.set(header.hash, origin)
  return { status: 'proven', header: origin }
}

/** What a block of ours says otherwise than the block of its number on the chain that it follows. */
export function differenceOf(header: Header, origin: Header): string | undefined {
  const [ours, theirs] = [header, origin].map(({ commitments }) => commitments[mpt.name])
  if (header.number !== origin.number)
    return `block ${header.number} follows block ${origin.number}`
  if (header.origin !== origin.hash) {
    return `block ${header.number} follows ${header.origin ?? 'nothing'}, but the followed chain has ${origin.hash}`
  }
  if (ours !== undefined && ours !== theirs) {
    return `block ${header.number} commits to state ${ours}, but the block that it follows to ${theirs}`
  }
  return undefined
}

/** A proven answer, as far as it is compared. */
interface Answer<F> extends Located {
  readonly query: Uint8Array
  readonly fact: F
  readonly file: () => Promise<ProofFile>
}

/** Asks a client's nodes until one proves what is asked of an account. */
type Prove = (
  client: Client,
  system: ProofSystem<MptTypes>,
  inquiry: {
    readonly ask: Ask
    readonly at: BlockTarget
    readonly signal: AbortSignal | undefined
  },
) => Promise<Success<Answer<FactJson>> | Invalid | Unavailable>

/** Compares a proven answer with the followed chain, as far as the client is to. */
export async function compare<T extends SystemTypes>(
  client: Client,
  follows: Follows,
  system: ProofSystem<T>,
  proof: Answer<T['fact']>,
  { signal, prove }: { readonly signal: AbortSignal | undefined; readonly prove: Prove },
): Promise<Compared | Invalid | Unavailable> {
  const origin = await proveOrigin(client, follows, proof, signal)
  if (origin.status !== 'proven') return origin
  const context = { number: proof.header.number, accounts: follows.accounts }
  const items = system.inState?.(proof.fact, proof.query, context) ?? []
  const chosen = choose(items, follows.count)
  for (const [address, asked] of byAddress(chosen)) {
    const slots = asked.flatMap(({ slot }) => slot ?? [])
    const { hash, number } = origin.header
    const at = { by: 'hash', hash, number } as const
    const inquiry = { ask: askAccount(address, slots, false), at, signal }
    const second = await prove(follows.client, mpt, inquiry)
    if (second.status !== 'proven') return second
    const wrong = asked.find((item) => item.value !== valueIn(second.value.fact, item))
    if (wrong === undefined) continue
    const files = [await proof.file(), await second.value.file()] as const
    return contradicted(
      sentence(wrong, valueIn(second.value.fact, wrong)),
      await contradictionFile(client, follows.client.chain, proof, origin.header, files),
    )
  }
  return { status: 'compared', crossChecked: chosen.length }
}

/** What an account's proof says of the same. */
export function valueIn({ account, slots }: FactJson, { slot }: StateItem): bigint {
  if (slot === undefined) return account.status === 'present' ? BigInt(account.balance) : 0n
  const found = slots.find(({ key }) => key === slot)
  return found?.status === 'present' ? BigInt(found.value) : 0n
}

function sentence({ address, slot, value }: StateItem, other: bigint): string {
  const what = slot === undefined ? `the balance of ${address}` : `slot ${slot} of ${address}`
  return `${what} is proven to be ${value}, and to be ${other} under the state root of the same block`
}

function contradicted(problem: string, file: ContradictionFile): Invalid {
  const error = new ProofError('verify.contradiction', problem)
  return { status: 'invalid', error, evidence: [file] }
}

/** Some of the items, each as likely as any other: whoever made the answer cannot know which. */
function choose<V>(items: readonly V[], count: number): readonly V[] {
  const left = [...items]
  const chosen: V[] = []
  while (chosen.length < count && left.length > 0) {
    const [draw = 0] = crypto.getRandomValues(new Uint32Array(1))
    chosen.push(...left.splice(draw % left.length, 1))
  }
  return chosen
}

/** The core's own hex is lower-case, and so are the caller's accounts by now: such an address has no checksum to be wrong. */
function byAddress(items: readonly StateItem[]): Map<Address, StateItem[]> {
  const found = new Map<Address, StateItem[]>()
  for (const item of items) {
    const address = item.address as Address
    found.set(address, [...(found.get(address) ?? []), item])
  }
  return found
}
