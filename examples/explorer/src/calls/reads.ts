/** What a call read, each item with the trie nodes or the code that prove it. */

import {
  type Block,
  type Client,
  fetchProof,
  mpt,
  type ProofFile,
  type ProvenAccount,
  verifyProofFile,
} from 'lightproof'
import type { Accessed } from 'lightproof/evm'
import { bytesOf, hexOf, type Item, itemsAt } from '../draw/rlp.js'

/** One item that a call read. */
export interface Read {
  readonly kind: 'account' | 'slot' | 'code'
  /** Of the account that it belongs to. */
  readonly address: string
  /** A slot's number, 32 bytes. */
  readonly slot?: string
  /** What was read. */
  readonly value: ProvenAccount['account'] | bigint | string
  /** Trie nodes from the root on, or the code. */
  readonly parts: readonly string[]
}

/**
 * The proofs of all that a call read: from what the client keeps, or asked for once more. Each is
 * checked again on its own.
 *
 * @throws what keeps one of them from being proven.
 */
export async function readsOf(
  client: Client,
  { accounts }: Accessed,
  block: string,
  given: { readonly at?: Block; readonly signal: AbortSignal },
): Promise<readonly Read[]> {
  const lists = accounts.map(async ({ address, slots, codeHash }) => {
    const question = { address, slots, ...(codeHash !== undefined && { code: true }) }
    const file = await fetchProof(client, { system: mpt, ...question, ...given })
    const anchor = { block }
    const found = await verifyProofFile(file, { chain: client.chain, anchor, systems: [mpt] })
    if (found.status === 'invalid') throw found.error
    return readsIn(file, found.value as ProvenAccount)
  })
  return (await Promise.all(lists)).flat()
}

/** The items of a proof: `[…, nodes of the account, [slot, value, nodes] of each, codes]`. */
function readsIn(file: ProofFile, { address, account, slots, code }: ProvenAccount): Read[] {
  const bytes = bytesOf(file.proof)
  const listAt = (item: Item | undefined): readonly Item[] =>
    item === undefined ? [] : itemsAt(bytes, item.start)
  const texts = (item: Item | undefined): readonly string[] =>
    listAt(item).map(({ from, to }) => `0x${hexOf(bytes.subarray(from, to))}`)
  const [ofAccount, ofStorage] = itemsAt(bytes, 0).slice(5)
  const ofSlots = listAt(ofStorage).map((slot) => texts(listAt(slot)[2]))
  const own: Read = { kind: 'account', address, value: account, parts: texts(ofAccount) }
  const isRun = code !== undefined && code !== '0x'
  const ran: Read[] = isRun ? [{ kind: 'code', address, value: code, parts: [code] }] : []
  const stored = slots.map(({ slot, value }, i): Read => {
    return { kind: 'slot', address, slot, value, parts: ofSlots[i] ?? [] }
  })
  return [own, ...ran, ...stored]
}
