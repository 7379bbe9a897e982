/**
 * One URL before several machines, as a load balancer with a cache makes it: each request goes to
 * one of them. What never changes is kept, and asked for again only by its tag.
 */

import type { IncomingMessage, ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'
import { serve } from './server.js'

/** A call of JSON-RPC, as a machine was asked it and answered. */
export interface Exchange {
  /** Which machine. */
  readonly machine: number
  /** Method and parameters, as JSON. */
  readonly call: string
  /** Did the machine not know the block? */
  readonly isUnknown: boolean
}

export interface Cluster {
  readonly url: string
  /** What was asked since the last call of this. */
  readonly take: () => readonly Exchange[]
  /** What came of asking machines for what another one had answered for ever. */
  readonly kept: { same: number; unknown: number; other: number }
}

interface Call {
  readonly id: number | null
  readonly method: string
  readonly params: readonly unknown[]
}
interface Answer {
  readonly id: number | null
  readonly result?: unknown
  readonly error?: { readonly code: number }
}

const UNKNOWN_BLOCK = -32011

/**
 * Starts it; it ends with the test.
 *
 * @param machines - their URLs.
 * @param pick - the machine that the next request goes to.
 */
export async function startCluster(
  machines: readonly string[],
  pick: () => number,
): Promise<Cluster> {
  let exchanges: Exchange[] = []
  const kept = { same: 0, unknown: 0, other: 0 }
  const answers = new Map<string, { readonly tag: string; readonly text: string }>()
  const get = async (path: string, response: ServerResponse): Promise<void> => {
    const machine = pick()
    const known = answers.get(path)
    const headers = known && { 'if-none-match': known.tag }
    const answer = await fetch(`${machines[machine]}${path}`, { ...(headers && { headers }) })
    const text = answer.status === 304 ? (known?.text ?? '') : await answer.text()
    exchanges.push(...exchangesOf(machine, callOf(path), JSON.parse(text)))
    const tag = answer.headers.get('etag')
    if (known === undefined) {
      const forEver = answer.headers.get('cache-control')?.includes('immutable')
      if (forEver && tag !== null) answers.set(path, { tag, text })
    } else if (answer.status === 304) kept.same++
    else if (tag === null) kept.unknown++
    else kept.other++
    response.setHeader('content-type', 'application/json').end(text)
  }
  const { url, close } = await serve((response, body, _, request: IncomingMessage) => {
    if (request.method === 'GET') {
      get(request.url ?? '/', response).catch(() => response.destroy())
      return
    }
    const machine = pick()
    const headers = { 'content-type': 'application/json' }
    fetch(machines[machine] ?? '', { method: 'POST', headers, body })
      .then((answer) => answer.text())
      .then((text) => {
        exchanges.push(...exchangesOf(machine, JSON.parse(body), JSON.parse(text)))
        response.setHeader('content-type', 'application/json').end(text)
      })
      .catch(() => response.destroy())
  })
  onTestFinished(close)
  return {
    url,
    kept,
    take: () => {
      const taken = exchanges
      exchanges = []
      return taken
    },
  }
}

/** The call that `GET /METHOD?params=JSON` stands for. */
function callOf(target: string): Call & { readonly id: null } {
  const { pathname, searchParams } = new URL(target, 'http://any')
  const params = JSON.parse(searchParams.get('params') ?? '[]')
  return { id: null, method: pathname.slice(1), params }
}

function exchangesOf(
  machine: number,
  asked: Call | Call[],
  answered: Answer | Answer[],
): readonly Exchange[] {
  const answers = [answered].flat()
  return [asked].flat().map(({ id, method, params }) => {
    const answer = answers.find((one) => one.id === id)
    const isUnknown =
      answer?.error?.code === UNKNOWN_BLOCK ||
      (method === 'lp_getHeader' && answer?.result === null)
    return { machine, call: JSON.stringify([method, params]), isUnknown }
  })
}
