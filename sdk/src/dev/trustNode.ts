import type { Chain } from '../client/chains.js'
import type { Client, NodeAnchor, Renew } from '../client/types.js'
import { type Hash, parseOptions, shown } from '../encoding/input.js'
import { asHash, asRecord } from '../encoding/untrusted.js'
import { Failures, isNodeError } from '../proving/failures.js'
import { MOST, profileOf } from '../proving/nodes.js'
import { recallBlock } from '../proving/walk.js'
import { InputError, UnavailableError } from '../result/errors.js'
import { parseEndpoints } from '../transport/endpoint.js'
import { httpNode, type Node } from '../transport/rpc.js'
import { isPublic } from './publicChains.js'

/** Options of {@link trustNode}. */
export interface TrustNodeOptions {
  /**
   * Consent, for public chains: whoever runs the node, or sits on the way to it, can then show any
   * balance, and every check passes. Default false: such a chain is refused.
   */
  readonly nodeMayLie?: boolean
}

/**
 * An anchor for development: believes one node's word for which block is the newest, so that
 * `latest` moves with `geth --dev`, anvil and their like, which have no checkpoint. Whatever is
 * proven under that block is as true as the node is honest, and every trust report says so:
 * `finality` is `claimed`, `anchor.kind` is `node`, and `notProved` has `node`.
 *
 * @example
 * const node = 'http://127.0.0.1:8545'
 * createClient({ chain: await chainOf(node), anchor: trustNode(node), nodes: [node] })
 *
 * @throws InputError for a malformed argument. `createClient` throws `input.anchor` for a public
 *   chain, unless `nodeMayLie` is set.
 */
export function trustNode(url: string | URL, options: TrustNodeOptions = {}): NodeAnchor {
  const { nodeMayLie = false } = parseOptions(options, 'options', ['nodeMayLie'])
  if (typeof nodeMayLie !== 'boolean') {
    const problem = `expected true or false, got ${shown(nodeMayLie)}`
    throw new InputError('input.option', 'nodeMayLie', problem)
  }
  return {
    kind: 'node',
    attach: (chain, follows, limits) => {
      if (!nodeMayLie) refusePublic(chain)
      if (follows)
        refuse('follows', 'a node that is trusted for its blocks vouches for no other chain')
      const [node] = parseEndpoints([url], 'trustNode', limits).map(httpNode)
      if (node === undefined) throw new TypeError('there is one URL')
      const note = `made under a block that ${node.name} named, which was trusted for it: compare it with a hash that you trust`
      // Sound: it was parsed.
      const hash = chain.genesisHash as Hash
      return { anchor: { kind: 'node', hash, node: node.name }, note, renew: renewFrom(node) }
    },
  }
}

function refuse(argument: string, problem: string): never {
  throw new InputError('input.anchor', argument, problem)
}

function refusePublic(chain: Chain): void {
  if (!isPublic(chain)) return
  const { name, chainId } = chain
  const lost = 'whoever runs that node, or sits on the way to it, can show any balance'
  const fix =
    'give { checkpoint: "0x…" } or { block: "0x…" }; or consent to that: trustNode(url, { nodeMayLie: true })'
  refuse(
    'anchor',
    `trustNode is for development, and ${name} (${chainId}) is public: ${lost}; ${fix}`,
  )
}

function renewFrom(node: Node): Renew {
  let checked: Promise<void> | undefined
  return async (client, at, signal) => {
    // What the node named stays what it was.
    if (at.by === 'hash' && recallBlock(client.lines, at) !== undefined) return undefined
    try {
      await profileOf({ client, node, signal })
      checked ??= checkGenesis(client, node)
      await checked.catch((error: unknown) => {
        checked = undefined
        throw error
      })
      // No answer overtakes another: who asks while one is under way waits for the same.
      take(client, await headOf(client, node, signal))
      return undefined
    } catch (error) {
      signal?.throwIfAborted()
      if (!isNodeError(error)) throw error
      const failures = new Failures()
      failures.add(error, node.name)
      return failures.outcome([])
    }
  }
}

/** A block that the node named before may be in a fork by now: the newest one alone counts. */
function take({ lines }: Client, hash: Hash): void {
  if (lines[0]?.hash === hash) return
  lines.splice(0, lines.length, { hash, finality: 'claimed', headers: [] })
}

async function headOf(
  { chain }: Client,
  node: Node,
  signal: AbortSignal | undefined,
): Promise<Hash> {
  if (chain.kind === 'ethereum') return hashOf(node, 'latest', signal)
  const call = { method: 'lp_status', params: [], maxBytes: MOST.status }
  const { head } = asRecord(await node.call(call, signal), 'lp_status')
  return asHash(asRecord(head, 'lp_status.head')['hash'], 'lp_status.head.hash')
}

async function hashOf(node: Node, tag: string, signal?: AbortSignal): Promise<Hash> {
  const method = 'eth_getBlockByNumber'
  const answer = await node.call({ method, params: [tag, false], maxBytes: MOST.block }, signal)
  return asHash(asRecord(answer, method)['hash'], `${method}.hash`)
}

/** Of other kinds of chains the profile says it. */
async function checkGenesis({ chain }: Client, node: Node): Promise<void> {
  if (chain.kind !== 'ethereum') return
  const hash = await hashOf(node, '0x0')
  if (hash === chain.genesisHash) return
  const fix = 'a development node makes a new one when it starts anew: take it from chainOf(url)'
  const problem = `${node.name} serves a chain with genesis ${hash}, not ${chain.genesisHash}: ${fix}`
  throw new UnavailableError('chain', problem)
}
