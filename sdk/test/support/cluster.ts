/** One URL before several machines, as a load balancer makes it: each request goes to one of them. */

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
}

interface Call {
  readonly id: number
  readonly method: string
  readonly params: readonly unknown[]
}
interface Answer {
  readonly id: number
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
  const { url, close } = await serve((response, body) => {
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
    take: () => {
      const taken = exchanges
      exchanges = []
      return taken
    },
  }
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
