/** A scripted beacon node on node:http, and the recorded answers that it replays. */

import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach } from 'vitest'
import { deliver } from '../../src/cli/liar.js'
import type { Delivery } from '../../src/cli/lies.js'
import { fromHex, type Hex, toHex } from '../../src/encoding/hex.js'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
/** Set where the vectors must be there. */
export const WANTED = process.env['LIGHTPROOF_REFERENCE_VECTORS']
const FOLDER = path.resolve(ROOT, WANTED ?? '../shared/vectors', 'eth-beacon')
export const HAS_VECTORS = existsSync(FOLDER)

/** A recorded answer `{ version, data }`. */
export interface Answer {
  readonly version: string
  readonly data: Record<string, never>
}

/** A recorded file. */
export function readJson(file: string): never {
  return JSON.parse(readFileSync(path.join(FOLDER, file), 'utf8')) as never
}

/** What is in a recorded folder, '' for the one of all; folders end with a slash. */
export function list(folder: string): string[] {
  return readdirSync(path.join(FOLDER, folder), { withFileTypes: true })
    .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
    .sort()
}

/** A recorded file of bytes. */
export function readBytes(file: string): Uint8Array {
  return new Uint8Array(readFileSync(path.join(FOLDER, file)))
}

/** What a beacon node answers to a path; undefined is a 404. Bytes are SSZ. */
export type Script = (
  route: string,
  query: URLSearchParams,
  request: IncomingMessage,
) => object | Uint8Array | number | undefined

const closers: (() => Promise<void>)[] = []

afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()))
})

/**
 * A beacon node at a free port, which sends bodies in that way if one is given; closed after the
 * test. `route` is the path below `light_client/`.
 */
export async function serveBeacon(
  script: Script,
  delivery?: Delivery,
): Promise<{ readonly url: string; readonly asked: string[] }> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    const { pathname, search, searchParams } = new URL(request.url ?? '/', 'http://beacon')
    const route = pathname.replace('/eth/v1/beacon/light_client/', '')
    asked.push(route + search)
    if (delivery !== undefined) deliver(response, delivery)
    else answer(response, script(route, searchParams, request))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(
    () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  )
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

function answer(response: ServerResponse, body: ReturnType<Script>): void {
  if (body === undefined || typeof body === 'number') {
    response.writeHead(body ?? 404, { 'content-type': 'application/json' }).end('{}')
  } else if (body instanceof Uint8Array) {
    response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(body)
  } else {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
}

/** An update without its committee is a finality update. */
export function finalityOf({ version, data }: Answer): Answer {
  const { next_sync_committee: _, next_sync_committee_branch: __, ...rest } = data
  return { version, data: rest }
}

/** The answers of one node. */
export interface Recorded {
  readonly bootstrap: Answer
  /** Of consecutive periods, from `first` on; JSON, or the octet stream of all of them. */
  readonly updates: readonly (Answer | Uint8Array)[]
  readonly first: number
  readonly finality?: Answer
  readonly optimistic?: Answer
}

/** Replays recorded answers. */
export function replay({ bootstrap, updates, first, finality, optimistic }: Recorded): Script {
  return (route, query) => {
    if (route === `bootstrap/${rootOf(bootstrap)}`) return bootstrap
    if (route === 'finality_update') return finality
    if (route === 'optimistic_update') return optimistic
    if (route !== 'updates') return undefined
    const start = Number(query.get('start_period')) - first
    const page = updates.slice(start, start + Number(query.get('count')))
    const chunks = page.filter((update) => update instanceof Uint8Array)
    return chunks.length > 0 ? Buffer.concat(chunks) : page
  }
}

/** The chunks of an octet stream of updates, each with its length and digest. */
export function chunksOf(stream: Uint8Array): Uint8Array[] {
  const chunks: Uint8Array[] = []
  for (let at = 0; at < stream.length; ) {
    const length = Number(new DataView(stream.buffer, stream.byteOffset + at).getBigUint64(0, true))
    chunks.push(stream.subarray(at, at + 8 + length))
    at += 8 + length
  }
  return chunks
}

interface BeaconHeader {
  readonly slot: string
  readonly proposer_index: string
  readonly parent_root: Hex
  readonly state_root: Hex
  readonly body_root: Hex
}

/** hash_tree_root of a bootstrap's header: independent of the code under test. */
export function rootOf(bootstrap: Answer): Hex {
  const { beacon } = bootstrap.data['header'] as unknown as { beacon: BeaconHeader }
  const integer = (text: string): Uint8Array => {
    const leaf = new Uint8Array(32)
    new DataView(leaf.buffer).setBigUint64(0, BigInt(text), true)
    return leaf
  }
  const hash = (hex: Hex): Uint8Array => fromHex(hex) ?? new Uint8Array(0)
  const { slot, proposer_index, parent_root, state_root, body_root } = beacon
  const hashes = [parent_root, state_root, body_root].map(hash)
  const zero = new Uint8Array(32)
  let layer = [integer(slot), integer(proposer_index), ...hashes, zero, zero, zero]
  while (layer.length > 1) {
    const pairs = layer.filter((_, i) => i % 2 === 0)
    layer = pairs.map((left, i) => {
      const right = layer[2 * i + 1] ?? zero
      return new Uint8Array(createHash('sha256').update(left).update(right).digest())
    })
  }
  return toHex(layer[0] ?? zero)
}
