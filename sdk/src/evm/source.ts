/**
 * A node that serves what calls read: accounts and slots by `eth_getProof`, codes by `eth_getCode`.
 * All of it is untrusted.
 */

import { type Hex, toHex, toQuantity } from '../encoding/hex.js'
import type { Address, Hash } from '../encoding/input.js'
import { asBytes } from '../encoding/untrusted.js'
import { ancestor } from '../proving/down.js'
import { isNodeError } from '../proving/failures.js'
import type { Header } from '../proving/header.js'
import type { Located } from '../proving/line.js'
import { deskOf } from '../proving/nodes.js'
import { proveBlock } from '../proving/proveBlock.js'
import type { Session } from '../proving/session.js'
import { configOf } from '../proving/setup.js'
import { ProofError } from '../result/errors.js'
import { openCache } from '../systems/mpt/cache/cache.js'
import { askAccount, mpt } from '../systems/mpt.js'
import type { Desk, Question, Reply } from '../systems/system.js'
import { openFan } from './fan.js'
import { readHint, readOffer } from './hint.js'
import { ancestorsTo, historySlot, keyOf } from './items.js'
import type { Call, Item } from './request.js'
import type { Witness } from './witness.js'

/** Slots in one call of `eth_getProof`: nodes limit them. */
const SLOTS_PER_PROOF = 512
/** Most bytes of answers: a code, an access list, a witness. */
const MOST = { code: 600_000, hint: 1_000_000, offer: 4_000_000 } as const

/** What is asked of one account, in one call. */
interface Group {
  readonly address: Address
  readonly slots: readonly Hex[]
  /** Its hash, if an account is claimed to have it; true for whatever it has. */
  readonly code: Hash | boolean
}

/** What is wanted of one account. */
interface Wanted {
  readonly slots: Set<Hex>
  code: Hash | boolean
  /** The account itself, or slots. */
  hasRest: boolean
}

/** One node in one action, about one block. */
export class Source {
  readonly #session: Session
  readonly #located: Located
  readonly #desk: Desk
  readonly witness: Witness
  readonly #proofs: Uint8Array[] = []
  readonly #codes: Uint8Array[] = []
  /** By item: what was asked, and the proof that came, unless a code came alone. */
  readonly #served = new Map<
    string,
    { readonly group: Group; readonly proof: Uint8Array | undefined }
  >()
  /** Items that were asked for twice. */
  readonly #repeated = new Set<string>()

  constructor(session: Session, located: Located, witness: Witness) {
    this.#session = session
    this.#located = located
    this.#desk = deskOf(session)
    this.witness = witness
  }

  /**
   * What a node says that a call will read: it may save rounds, and is taken for nothing else. None
   * if it does not say.
   */
  async hint(call: Call): Promise<Item[]> {
    const params = [requestOf(call), { blockHash: this.#located.header.hash }]
    try {
      const request = { method: 'eth_createAccessList', params, maxBytes: MOST.hint }
      return readHint(await this.#desk.call(request))
    } catch (error) {
      if (!isNodeError(error)) throw error
      return []
    }
  }

  /**
   * Takes in what a node gives with a call all at once, if it knows how: it may save all other
   * rounds. Nothing if it does not.
   */
  async offered(call: Call): Promise<void> {
    const params = [requestOf(call), { blockHash: this.#located.header.hash }]
    try {
      const request = { method: 'lp_callProof', params, maxBytes: MOST.offer }
      const { nodes, codes } = readOffer(await this.#desk.call(request))
      for (const node of nodes) this.witness.nodes.set(toHex(node), node)
      for (const code of codes) this.witness.addCode(code)
    } catch (error) {
      if (!isNodeError(error)) throw error
    }
  }

  /**
   * Fetches items, all at once.
   *
   * @param rules - the name of the rules that the block follows.
   * @throws ProofError `decode.*`, RpcError, TransportError, UnavailableError.
   */
  async fetch(items: readonly Item[], rules: string): Promise<void> {
    const groups = new Map<Address, Wanted>()
    const groupOf = (address: Address): Wanted => {
      const found = groups.get(address) ?? { slots: new Set(), code: false, hasRest: false }
      groups.set(address, found)
      return found
    }
    const walks: bigint[] = []
    for (const item of items) {
      if (item.kind === 'precompile') continue
      if (item.kind === 'blockHash') {
        const where = historySlot(item.number, rules)
        if (where === undefined) walks.push(BigInt(item.number))
        else groupOf(where.address).slots.add(where.slot)
        continue
      }
      const group = groupOf(item.address)
      if (item.kind === 'code') {
        group.code = item.hash
        continue
      }
      group.hasRest = true
      if (item.kind === 'slot') group.slots.add(item.key)
      // It is likely to be run next; where there is none, the answer is short.
      else group.code ||= true
    }
    const questions = [...groups].flatMap(([address, { slots, code, hasRest }]) => {
      const lists = chunks([...slots])
      const isOfCode = !hasRest && lists.length === 0
      return isOfCode
        ? [(desk: Desk) => this.#fetchCode(desk, { address, slots: [], code })]
        : (lists.length === 0 ? [[]] : lists).map(
            (list, i) => (desk: Desk) =>
              this.#fetchProof(desk, { address, slots: list, code: i === 0 && code }),
          )
    })
    const fan = openFan(this.#session.signal)
    try {
      await Promise.all([
        ...questions.map((question) => question(deskOf({ ...this.#session, signal: fan.next() }))),
        ...(walks.length === 0 ? [] : [this.#walk(walks)]),
      ])
    } finally {
      fan.close()
    }
  }

  /**
   * Asks again for what a node served, and what did not prove it: the proof is looked at by itself,
   * which says what is wrong with it.
   *
   * @throws ProofError; the node's evidence is in its session then.
   */
  async again(item: Item, rules: string): Promise<void> {
    const key = keyOf(item)
    if (item.kind === 'blockHash') return this.#walk([BigInt(item.number)])
    const found = this.#served.get(key)
    if (found === undefined || this.#repeated.has(key)) throw this.#useless(item, rules)
    this.#repeated.add(key)
    const { address, slots, code } = found.group
    const real = askAccount(address, slots, code !== false)()
    let saved = found.proof
    let fresh: Uint8Array | undefined
    const request: typeof real.request = async (desk, header) => {
      if (saved !== undefined) {
        const proof = saved
        saved = undefined
        return { variant: 'plain', proof }
      }
      const reply = await this.#ask(real, desk, header)
      fresh = reply.proof
      return reply
    }
    const { client } = this.#session
    const config = configOf(client.chain, mpt)
    const question = { query: real.query, request }
    await proveBlock(this.#session, mpt, config, this.#located, { ask: () => question })
    if (fresh === undefined) throw this.#useless(item, rules)
    this.witness.addProof(fresh)
  }

  /** Keeps what held. */
  async keep(): Promise<void> {
    const kept = await openCache(this.#session.client.cache)
    for (const proof of this.#proofs) kept?.keep(proof)
    for (const code of this.#codes) kept?.keepCode(code)
  }

  async #fetchProof(desk: Desk, group: Group): Promise<void> {
    const { address, slots, code } = group
    const { header } = this.#located
    const question = askAccount(address, slots, code !== false)()
    const { proof } = await this.#ask(question, desk, header)
    this.witness.addProof(proof)
    this.#proofs.push(proof)
    const served = { group, proof }
    this.#served.set(`account ${address}`, served)
    for (const slot of slots) this.#served.set(`${address} ${slot}`, served)
    if (typeof code === 'string') this.#served.set(`${address} ${code} code`, served)
  }

  async #ask({ request }: Question, desk: Desk, header: Header): Promise<Reply> {
    if (request === undefined) throw new TypeError('accounts are asked for by eth_getProof')
    return request(desk, header)
  }

  /** A code alone: its account is proven already. */
  async #fetchCode(desk: Desk, group: Group): Promise<void> {
    const { takesBlockHash } = await desk.profile()
    // Whether the node takes hashes shows with proofs.
    if (takesBlockHash === undefined) return this.#fetchProof(desk, group)
    const { hash, number } = this.#located.header
    const block = takesBlockHash ? { blockHash: hash } : toQuantity(number)
    const params = [group.address, block]
    const call = { method: 'eth_getCode', params, maxBytes: MOST.code }
    const code = asBytes(await desk.call(call), 'eth_getCode')
    this.witness.addCode(code)
    this.#codes.push(code)
    this.#served.set(`${group.address} ${group.code} code`, { group, proof: undefined })
  }

  /** Headers back to the block above the oldest whose hash is asked for. */
  async #walk(numbers: readonly bigint[]): Promise<void> {
    const [oldest = 0n] = [...numbers].sort((a, b) => (a < b ? -1 : 1))
    await ancestor(this.#session, this.#located.line, oldest + 1n)
    const headers = ancestorsTo(this.#located, oldest) ?? []
    if (headers.length > this.witness.headers.length) this.witness.headers = headers
  }

  /** What the node sent proves something, and not this. */
  #useless(item: Item, rules: string): ProofError {
    const { name } = this.#session.node
    const { number } = this.#located.header
    const code = item.kind === 'code' ? 'verify.code' : 'verify.incomplete'
    const problem = `${keyOf(item)} of block ${number} (${rules}) does not follow from what ${name} sent`
    return new ProofError(code, problem, { node: name })
  }
}

/** The call as nodes take it. */
function requestOf({ from, to, gas, value, data }: Call): Readonly<Record<string, string>> {
  return {
    from,
    ...(to && { to }),
    gas: toQuantity(gas),
    value: toQuantity(value),
    input: toHex(data),
  }
}

function chunks(slots: readonly Hex[]): Hex[][] {
  const count = Math.ceil(slots.length / SLOTS_PER_PROOF)
  return Array.from({ length: count }, (_, i) =>
    slots.slice(i * SLOTS_PER_PROOF, (i + 1) * SLOTS_PER_PROOF),
  )
}
