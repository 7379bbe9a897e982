/** Clients of scripted beacon nodes and one execution node, by `fetch` alone. */

import { vi } from 'vitest'
import { type Client, type ClientOptions, createClient } from '../../src/entry/node.js'
import type { Answer, Script } from './beacon.js'
import { honest, type TestChain } from './chain.js'
import { type Forge, timeOfSlot } from './forge.js'
import { scriptedFetch } from './rpc.js'

/** A beacon node: what it answers, and how long it takes. */
export interface Beacon {
  readonly script: Script
  readonly waitMs?: number | ((route: string) => number)
}

/** What the answers of a beacon node are replaced by; null is a 404. */
export type Lies = {
  readonly [route in 'finality_update' | 'optimistic_update' | 'updates']?:
    | Answer
    | readonly Answer[]
    | null
}

/** A node that lies in some of its answers. */
export function lying(script: Script, lies: Lies): Script {
  return (route, query, request) => {
    const lie = lies[route as keyof Lies]
    if (lie === undefined) return script(route, query, request)
    return lie ?? undefined
  }
}

/**
 * A client that starts from the checkpoint, its beacon nodes http://b1, http://b2, …; its nodes
 * serve all the blocks.
 */
export function clientOf(
  forge: Forge,
  checkpoint: number,
  beacons: readonly Beacon[],
  nodes: readonly TestChain[],
  options: Partial<ClientOptions> = {},
): {
  readonly client: Client
  readonly fetch: typeof globalThis.fetch
  readonly asked: string[]
  readonly inits: (RequestInit | undefined)[]
} {
  const asked: string[] = []
  const inits: (RequestInit | undefined)[] = []
  const origins = nodes.map((_, i) => `http://n${i + 1}`)
  const { fetch: rpc } = scriptedFetch(
    Object.fromEntries(origins.map((origin, i) => [origin, honest(nodes[i] as TestChain)])),
  )
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const url = new URL(String(input))
    if (origins.includes(url.origin)) return rpc(input, init)
    const index = Number(url.hostname.slice(1)) - 1
    const { script, waitMs: wait = 0 } = beacons[index] as Beacon
    const route = url.pathname.replace('/eth/v1/beacon/light_client/', '')
    const waitMs = typeof wait === 'number' ? wait : wait(route)
    asked.push(`${url.hostname} ${route}`)
    inits.push(init)
    await new Promise<void>((resolve, reject) => {
      if (Number.isFinite(waitMs)) setTimeout(resolve, waitMs)
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
    })
    const body = script(route, url.searchParams, undefined as never)
    if (body === undefined) return new Response('{}', { status: 404 })
    return Response.json(body)
  }
  const client = createClient({
    chain: forge.chain,
    anchor: { checkpoint: forge.root(checkpoint) },
    nodes: origins,
    beacons: beacons.map((_, i) => `http://b${i + 1}`),
    retries: 0,
    fetch,
    ...options,
  })
  return { client, fetch, asked, inits }
}

/** The local clock at a slot, some seconds later. */
export function setSlot(slot: number, seconds = 0): void {
  vi.setSystemTime((timeOfSlot(slot) + seconds) * 1000)
}
