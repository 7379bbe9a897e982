/**
 * Calls to one endpoint: those made at once travel together, and one that is under way is not made
 * twice.
 */

import { abortable, UNHEARD } from './abortable.js'
import { type RpcCall, sameCall } from './call.js'

/** What a call came to: its result, or throws. */
export type Outcome = () => unknown

/** Makes calls in one exchange; an outcome for each. */
type Send = (calls: readonly RpcCall[], signal: AbortSignal) => Promise<readonly Outcome[]>

/** An exchange under way: it ends early if nobody waits for any of its calls. */
interface Exchange {
  live: number
  readonly abort: AbortController
}

/** A call, and those who wait for it. */
interface Ticket {
  readonly call: RpcCall
  readonly key: string | undefined
  waiting: number
  exchange: Exchange | undefined
  readonly result: Promise<unknown>
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
}

/**
 * Reads whose answer is the same for all who ask at the same time. A filter's changes, say, are
 * told once.
 */
const SHARED = /^(lp_|eth_(chainId|blockNumber|getProof|getCode|getBlockBy))/
/**
 * Turns of the event loop's inner queue: actions that were started at once come to their calls
 * within as many.
 */
const TURNS = 8

/** Makes calls through a queue of at most `most` per exchange. */
export function makeQueue(
  send: Send,
  most: number,
): (calls: readonly RpcCall[], signal: AbortSignal | undefined) => Promise<unknown[]> {
  const shared = new Map<string, Ticket>()
  let queued: Ticket[] = []

  const forget = (ticket: Ticket): void => {
    const { key } = ticket
    if (key !== undefined && shared.get(key) === ticket) shared.delete(key)
  }

  const fly = async (tickets: readonly Ticket[]): Promise<void> => {
    const exchange = { live: tickets.length, abort: new AbortController() }
    for (const ticket of tickets) ticket.exchange = exchange
    try {
      const calls = tickets.map(({ call }) => call)
      const outcomes = await send(calls, exchange.abort.signal)
      for (const [i, ticket] of tickets.entries()) settle(ticket, outcomes[i])
    } catch (error) {
      for (const { reject } of tickets) reject(error)
    } finally {
      tickets.forEach(forget)
    }
  }

  const flush = async (): Promise<void> => {
    // No timer: pages in the background get one a second.
    for (let turn = 0; turn < TURNS; turn++) await undefined
    const wanted = queued.filter(({ waiting }) => waiting > 0)
    queued = []
    for (const apart of [undefined, true]) {
      const group = wanted.filter(({ call }) => call.apart === apart)
      for (let i = 0; i < group.length; i += most) void fly(group.slice(i, i + most))
    }
  }

  const issue = (call: RpcCall): Ticket => {
    const key = SHARED.test(call.method) ? sameCall(call) : undefined
    const known = key === undefined ? undefined : shared.get(key)
    if (known !== undefined) return known
    const ticket = makeTicket(call, key)
    if (key !== undefined) shared.set(key, ticket)
    if (queued.push(ticket) === 1) void flush()
    return ticket
  }

  const leave = (ticket: Ticket): void => {
    const { exchange } = ticket
    if (--ticket.waiting > 0) return
    forget(ticket)
    if (exchange !== undefined && --exchange.live === 0) exchange.abort.abort(UNHEARD)
  }

  return async (calls, signal) => {
    signal?.throwIfAborted()
    const tickets = calls.map(issue)
    for (const ticket of tickets) ticket.waiting++
    try {
      return await abortable(Promise.all(tickets.map(({ result }) => result)), signal)
    } finally {
      tickets.forEach(leave)
    }
  }
}

function makeTicket(call: RpcCall, key: string | undefined): Ticket {
  let resolve: Ticket['resolve'] = () => undefined
  let reject: Ticket['reject'] = () => undefined
  const result = new Promise<unknown>((yes, no) => {
    resolve = yes
    reject = no
  })
  // Nobody may be left to hear of it.
  result.catch(() => undefined)
  return { call, key, waiting: 0, exchange: undefined, result, resolve, reject }
}

function settle({ resolve, reject }: Ticket, outcome: Outcome | undefined): void {
  try {
    resolve(outcome?.())
  } catch (error) {
    reject(error)
  }
}
