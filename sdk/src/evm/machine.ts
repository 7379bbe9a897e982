/**
 * Calls over proven state: the module runs them on what is known, says what is missing, and runs
 * them again once a node has served that. What is not proven does not exist for the module, so a
 * node can withhold, and nothing else.
 */

import type { Client } from '../client/client.js'
import { encodeChain } from '../encoding/chain.js'
import { perform } from '../proving/engine.js'
import type { Located } from '../proving/line.js'
import { type Rejected, rejection } from '../proving/rejection.js'
import { tell } from '../proving/tell.js'
import { UnavailableError } from '../result/errors.js'
import { openCache } from '../systems/mpt/cache/cache.js'
import { encodeForks } from './forks.js'
import { fromCache, itemsIn, keyOf } from './items.js'
import type { Overrides } from './overrides.js'
import { type Answers, type Call, type Done, encodeRequest, type Item } from './request.js'
import type { Source } from './source.js'
import type { CallProgress } from './types.js'
import { Witness } from './witness.js'

/** Rounds of questions to a node, for all calls of an action together. */
const MAX_ROUNDS = 16
/** Items that a node is asked for. */
const MAX_ITEMS = 10_000
/** Calls for which a node is asked what they will read: each is a run of its own there. */
const MAX_HINTED = 4

/** Gas that calls may use together: about a minute. One job may use as much. */
const MAX_GAS = 2n ** 32n
/** Gas that calls may be given together: as many as there may be, with the default each. */
const MAX_GIVEN_GAS = 2n ** 34n

/** A call that ran to its end, or that the rules do not let begin. */
export type Finished = Done | (Rejected & { readonly code: 'call.refused' })

/** Why calls are not run, whatever a node serves: it follows from the proven state. */
export class Beyond extends Error {
  readonly error: UnavailableError

  constructor(code: 'limit' | 'unsupported', problem: string) {
    super(problem)
    this.error = new UnavailableError(code, problem)
  }
}

/** Without a node: not all is kept. */
export class NotKept extends Error {}

/** What else is asked. */
export interface Terms {
  readonly overrides: Overrides
  readonly signal: AbortSignal | undefined
  readonly onProgress: ((progress: CallProgress) => void) | undefined
}

/** Runs calls on one block. */
export class Machine {
  readonly #client: Client
  readonly #located: Located
  readonly #source: Source | undefined
  readonly #terms: Terms
  readonly #witness = new Witness()
  /** What was taken from the cache, or asked for. */
  readonly #recalled = new Set<string>()
  readonly #asked = new Set<string>()
  #hinted: readonly Item[] | undefined
  #rules = ''
  #gasUsed = 0n
  #round = 0

  /** @param source - a node's answers; undefined to take what is kept alone. */
  constructor(
    client: Client,
    located: Located,
    source: ((witness: Witness) => Source) | undefined,
    terms: Terms,
  ) {
    this.#client = client
    this.#located = located
    this.#source = source?.(this.#witness)
    this.#terms = terms
  }

  /**
   * What comes of the calls, each on the state after the block; or, in sequence, each on what those
   * before it left.
   *
   * @throws Beyond, NotKept, ProofError, InputError, or what a node throws.
   */
  async run(calls: readonly Call[], inSequence = false): Promise<readonly Finished[]> {
    const given = calls.reduce((sum, { gas }) => sum + gas, 0n)
    if (given > MAX_GIVEN_GAS) {
      throw new Beyond('limit', `the calls are given ${given} gas, more than ${MAX_GIVEN_GAS}`)
    }
    return inSequence ? this.#runInSequence(calls) : this.#runApart(calls)
  }

  async #runApart(calls: readonly Call[]): Promise<readonly Finished[]> {
    const finished = new Map<number, Finished>()
    for (;;) {
      const open = [...calls.entries()].filter(([i]) => !finished.has(i))
      if (open.length === 0) break
      const wanted = open.map(([, call]) => call)
      const answers: Answers['answers'][number][] = []
      for (const part of jobsOf(wanted)) {
        for (const answer of await this.#execute(part, false)) answers.push(answer)
      }
      const needed = new Set<string>()
      const missing = new Map<string, Item>()
      for (const [at, [i]] of open.entries()) {
        const answer = answers[at]
        if (answer === undefined) throw rejection(undefined)
        if (answer.status !== 'missing') {
          finished.set(i, finish(answer))
          continue
        }
        needed.add(keyOf(firstOf(answer.items)))
        for (const item of answer.items) missing.set(keyOf(item), item)
      }
      if (needed.size > 0) await this.#supply(missing, needed, wanted)
    }
    return calls.flatMap((_, i) => finished.get(i) ?? [])
  }

  /**
   * A call that lacks something leaves nothing, so what those after it come to is a guess, and runs
   * again with them all.
   */
  async #runInSequence(calls: readonly Call[]): Promise<readonly Finished[]> {
    for (;;) {
      const answers = await this.#execute(calls, true)
      if (answers.length !== calls.length) throw rejection(undefined)
      const finished: Finished[] = []
      for (const answer of answers) {
        if (answer.status === 'missing') break
        finished.push(finish(answer))
      }
      const [stopped, ...guesses] = answers.slice(finished.length)
      if (stopped?.status !== 'missing') return finished
      const first = firstOf(stopped.items)
      const lists = guesses.map((guess) => (guess.status === 'missing' ? guess.items : []))
      const missing = itemsIn([stopped.items, ...lists])
      await this.#supply(
        new Map(missing.map((item) => [keyOf(item), item])),
        new Set([keyOf(first)]),
        calls.slice(finished.length),
      )
    }
  }

  /** What the calls ran on: the block, and all that nodes served of its state. */
  get ground(): { readonly located: Located; readonly witness: Witness } {
    return { located: this.#located, witness: this.#witness }
  }

  /** Keeps what the calls read, now that they came to an end. Nobody waits for it. */
  keep(): void {
    this.#source?.keep().catch(() => undefined)
  }

  async #execute(calls: readonly Call[], inSequence: boolean): Promise<Answers['answers']> {
    const { chain } = this.#client
    const { overrides, signal } = this.#terms
    const { header } = this.#located
    const terms = { overrides: overrides.rlp, inSequence }
    const job = {
      kind: 'calls',
      chain: encodeChain(chain),
      forks: encodeForks(chain),
      request: encodeRequest(header, this.#witness, calls, terms),
    } as const
    const result = await perform<Answers | Rejected>(job, signal)
    if ('status' in result) throw rejection(result)
    this.#rules = result.block.rules
    for (const answer of result.answers) {
      if ('gasUsed' in answer) this.#gasUsed += BigInt(answer.gasUsed)
    }
    if (this.#gasUsed > MAX_GAS) {
      throw new Beyond('limit', `the calls use more than ${MAX_GAS} gas together`)
    }
    return result.answers
  }

  /** Finds what is missing: where what the runs stopped at is kept, no node is asked. */
  async #supply(
    missing: ReadonlyMap<string, Item>,
    needed: ReadonlySet<string>,
    calls: readonly Call[],
  ): Promise<void> {
    const kept = await openCache(this.#client.cache)
    const place = { ...this.#located, rules: this.#rules }
    const left = new Map<string, Item>()
    for (const [key, item] of missing) {
      // What was kept and did not help is not taken again.
      const isKnown = !this.#recalled.has(key) && fromCache(kept, place, item, this.#witness)
      if (isKnown) this.#recalled.add(key)
      else if (item.kind !== 'precompile') left.set(key, item)
    }
    if (![...needed].some((key) => left.has(key))) return
    if (this.#source === undefined) throw new NotKept()
    await this.#ask(this.#source, left, calls)
  }

  async #ask(source: Source, left: Map<string, Item>, calls: readonly Call[]): Promise<void> {
    for (const item of this.#hinted ?? []) {
      const key = keyOf(item)
      if (!this.#asked.has(key) && !this.#recalled.has(key)) left.set(key, item)
    }
    const again: Item[] = []
    const first: Item[] = []
    for (const [key, item] of left) (this.#asked.has(key) ? again : first).push(item)
    for (const key of left.keys()) this.#asked.add(key)
    this.#round++
    if (this.#round > MAX_ROUNDS) {
      throw new Beyond('limit', `the call reads on and on: it needs more than ${MAX_ROUNDS} rounds`)
    }
    if (this.#asked.size > MAX_ITEMS) {
      throw new Beyond('limit', `the call reads more than ${MAX_ITEMS} accounts, slots and codes`)
    }
    tell(this.#terms.onProgress, { round: this.#round, items: this.#asked.size })
    const asksHint = this.#hinted === undefined && calls.length <= MAX_HINTED
    this.#hinted ??= []
    const [hints] = await Promise.all([
      asksHint ? Promise.all(calls.map((call) => source.hint(call))) : [],
      source.fetch(first, this.#rules),
      // It was served, and does not prove what it should.
      ...again.map((item) => source.again(item, this.#rules)),
      ...(asksHint ? calls.map((call) => source.offered(call)) : []),
    ])
    if (asksHint) this.#hinted = itemsIn(hints)
  }
}

/** Calls, in as many jobs as their gas needs. */
function jobsOf(calls: readonly Call[]): Call[][] {
  const jobs: Call[][] = []
  let left = 0n
  for (const call of calls) {
    if (jobs.length === 0 || call.gas > left) {
      jobs.push([])
      left = MAX_GAS
    }
    jobs.at(-1)?.push(call)
    left -= call.gas
  }
  return jobs
}

/** What a run stopped at. */
export function firstOf([first]: readonly Item[]): Item {
  // The job has every precompiled contract that the rules know.
  if (first === undefined || first.kind === 'precompile') throw rejection(undefined)
  return first
}

/** An answer that does not depend on the node. */
export function finish(answer: Done | Rejected): Finished {
  if (answer.status !== 'rejected') return answer
  switch (answer.code) {
    case 'call.refused':
      return { ...answer, code: answer.code }
    case 'call.limit':
      throw new Beyond('limit', answer.message)
    case 'call.engine':
      throw new Beyond('unsupported', answer.message)
    default:
      throw rejection(answer)
  }
}
