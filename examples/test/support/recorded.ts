/**
 * Recorded answers of mainnet's nodes, read in place from `../shared/vectors`, and a server that
 * replays them.
 */

import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const folder = resolve(
  root,
  process.env['LIGHTPROOF_REFERENCE_VECTORS'] ?? '../shared/vectors',
  'eth-beacon',
)

/** Are the recorded answers on this machine? */
export const hasRecorded: boolean = existsSync(folder)

interface BeaconHeader {
  readonly slot: string
  readonly proposer_index: string
  readonly parent_root: string
  readonly state_root: string
  readonly body_root: string
}

interface SignedHeader {
  readonly beacon: BeaconHeader
  readonly execution: {
    readonly block_hash: string
    readonly block_number: string
    readonly state_root: string
  }
}

interface Answer<D> {
  readonly version: string
  readonly data: D
}

type Bootstrap = Answer<{ readonly header: SignedHeader }>
type Optimistic = Answer<{
  readonly attested_header: SignedHeader
  readonly sync_aggregate: { readonly sync_committee_bits: string }
  readonly signature_slot: string
}>
type Update = Optimistic

/** An answer to eth_getProof. */
export interface AccountProof {
  readonly address: string
  readonly balance: string
  readonly nonce: string
  readonly storageHash: string
  readonly codeHash: string
  readonly accountProof: readonly string[]
  readonly storageProof: readonly {
    readonly key: string
    readonly value: string
    readonly proof: readonly string[]
  }[]
}

/** A way from a checkpoint to a signed header, and the proofs that were recorded at its block. */
export interface Recording {
  /** For people: set and slot. */
  readonly name: string
  readonly bootstrap: Bootstrap
  /** Root of the bootstrap's header. */
  readonly checkpoint: string
  readonly firstPeriod: number
  /** JSON, or chunks of the octet stream: of consecutive periods up to the header's. */
  readonly updates: readonly (Update | Uint8Array)[]
  readonly optimistic: Optimistic
  readonly proofs: readonly AccountProof[]
  /** The execution block as a node serves it, if it was recorded. */
  readonly block: { readonly hash: string; readonly timestamp: string } | undefined
}

const SLOTS_PER_PERIOD = 8192

/** Every header of every mainnet set for which proofs were recorded. */
export function recordings(): Recording[] {
  const sets = readdirSync(folder).filter((name) => name.startsWith('mainnet-'))
  return sets.flatMap((set) => {
    const files = readdirSync(join(folder, set))
    const named = (start: string) => files.filter((name) => name.startsWith(start)).sort()
    const json = <T>(name: string) => JSON.parse(read(set, name).toString()) as T
    const [bootstrap] = named('bootstrap')
      .map((name) => json<Bootstrap>(name))
      .sort((a, b) => slotOf(a.data.header) - slotOf(b.data.header))
    if (bootstrap === undefined) return []
    return named('optimistic').flatMap((name) => {
      const optimistic = json<Optimistic>(name)
      const header = optimistic.data.attested_header
      const number = Number(header.execution.block_number)
      const ids = [`0x${number.toString(16)}`, `${slotOf(header)}`]
      const proofs = ids.flatMap((id) => named(`eth_getProof_${id}`))
      if (proofs.length === 0) return []
      const [block] = named(`eth_getBlockByNumber_0x${number.toString(16)}`)
      return {
        name: `${set}, slot ${slotOf(header)}`,
        bootstrap,
        checkpoint: rootOf(bootstrap.data.header.beacon),
        firstPeriod: Math.floor(slotOf(bootstrap.data.header) / SLOTS_PER_PERIOD),
        updates: updatesBefore(set, files, slotOf(header)),
        optimistic,
        proofs: proofs.map((file) => json<{ result: AccountProof }>(file).result),
        block:
          block === undefined
            ? undefined
            : json<{ result: { hash: string; timestamp: string } }>(block).result,
      }
    })
  })
}

function read(set: string, name: string): Buffer {
  return readFileSync(join(folder, set, name))
}

function slotOf({ beacon }: SignedHeader): number {
  return Number(beacon.slot)
}

/**
 * Updates that a node had then: the octet stream if there is one, since that is what large nodes
 * serve.
 */
function updatesBefore(
  set: string,
  files: readonly string[],
  slot: number,
): (Update | Uint8Array)[] {
  const [stream] = files.filter((name) => /^updates.*\.ssz$/.test(name))
  if (stream !== undefined) {
    return chunksOf(read(set, stream)).filter((chunk) => attestedSlot(chunk) < slot)
  }
  const [list] = files.filter((name) => /^updates.*\.json$/.test(name))
  if (list === undefined) return []
  const updates = JSON.parse(read(set, list).toString()) as Update[]
  return updates.filter(({ data }) => slotOf(data.attested_header) < slot)
}

/** Each chunk: u64 length, 4 bytes of fork digest, SSZ. */
function chunksOf(stream: Buffer): Uint8Array[] {
  const chunks: Uint8Array[] = []
  for (let at = 0; at < stream.length; ) {
    const end = at + 8 + Number(stream.readBigUInt64LE(at))
    chunks.push(stream.subarray(at, end))
    at = end
  }
  return chunks
}

/** The attested header stands at the SSZ's first offset, its slot first. */
function attestedSlot(chunk: Uint8Array): number {
  const ssz = new DataView(chunk.buffer, chunk.byteOffset + 12, chunk.length - 12)
  return Number(ssz.getBigUint64(ssz.getUint32(0, true), true))
}

/** SSZ hash_tree_root of a beacon header, written out. */
function rootOf({
  slot,
  proposer_index,
  parent_root,
  state_root,
  body_root,
}: BeaconHeader): string {
  const integer = (text: string) => {
    const leaf = Buffer.alloc(32)
    leaf.writeBigUInt64LE(BigInt(text))
    return leaf
  }
  const roots = [parent_root, state_root, body_root].map((hex) => Buffer.from(hex.slice(2), 'hex'))
  const zero = Buffer.alloc(32)
  let layer = [integer(slot), integer(proposer_index), ...roots, zero, zero, zero]
  while (layer.length > 1) {
    layer = layer
      .filter((_, i) => i % 2 === 0)
      .map((left, i) =>
        createHash('sha256')
          .update(left)
          .update(layer[2 * i + 1] ?? zero)
          .digest(),
      )
  }
  return `0x${layer[0]?.toString('hex')}`
}

/**
 * Replays recordings: a beacon node at `/<index>/eth/v1/…`, an execution node at `/<index>/rpc`.
 */
export async function serveRecordings(
  list: readonly Recording[],
): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer((request, response) => {
    response.setHeader('access-control-allow-origin', '*')
    response.setHeader('access-control-allow-headers', '*')
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://nodes')
    const [, index = '', route = ''] = /^\/(\d+)\/(.*)$/.exec(pathname) ?? []
    const recording = list[Number(index)]
    if (recording === undefined) {
      response.writeHead(404).end()
    } else if (route === 'rpc') {
      let body = ''
      request.on('data', (chunk) => {
        body += chunk
      })
      request.on('end', () => answerCalls(response, recording, body))
    } else {
      answerBeacon(response, recording, route, searchParams)
    }
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  const close = () =>
    new Promise<void>((closed) => {
      server.closeAllConnections()
      server.close(() => closed())
    })
  return { url: `http://127.0.0.1:${port}`, close }
}

function answerBeacon(
  response: ServerResponse,
  recording: Recording,
  route: string,
  query: URLSearchParams,
): void {
  const body = beaconAnswer(recording, route.replace('eth/v1/beacon/light_client/', ''), query)
  if (body === undefined) {
    response.writeHead(404).end()
    return
  }
  const isBytes = body instanceof Uint8Array
  response.setHeader('content-type', isBytes ? 'application/octet-stream' : 'application/json')
  response.end(isBytes ? body : JSON.stringify(body))
}

function beaconAnswer(
  { bootstrap, checkpoint, firstPeriod, updates, optimistic }: Recording,
  route: string,
  query: URLSearchParams,
): unknown {
  if (route === `bootstrap/${checkpoint}`) return bootstrap
  if (route === 'optimistic_update') return optimistic
  if (route !== 'updates') return undefined
  const start = Number(query.get('start_period')) - firstPeriod
  const page = updates.slice(start, start + Number(query.get('count')))
  const chunks = page.filter((update) => update instanceof Uint8Array)
  return chunks.length === 0 ? page : Buffer.concat(chunks)
}

interface Call {
  readonly id: unknown
  readonly method: string
  readonly params: readonly unknown[]
}

function answerCalls(response: ServerResponse, recording: Recording, body: string): void {
  const [proof] = recording.proofs
  const result = ({ method, params }: Call): unknown => {
    if (method === 'eth_chainId') return '0x1'
    if (method === 'eth_getBlockByHash') {
      return params[0] === recording.block?.hash ? recording.block : null
    }
    return method === 'eth_getProof' ? proof : undefined
  }
  const reply = (call: Call) => {
    const known = result(call)
    const error = { code: -32601, message: `no ${call.method} was recorded` }
    return { jsonrpc: '2.0', id: call.id, ...(known === undefined ? { error } : { result: known }) }
  }
  const calls = body === '' ? [] : (JSON.parse(body) as Call | Call[])
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(Array.isArray(calls) ? calls.map(reply) : reply(calls)))
}
