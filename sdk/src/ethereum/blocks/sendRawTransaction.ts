import { parseParameters, parseSignal } from '../../actions/parameters.js'
import type { Client } from '../../client/client.js'
import { fromHex, type Hex } from '../../encoding/hex.js'
import { shown } from '../../encoding/input.js'
import { InputError, ProofError, RpcError, TransportError } from '../../result/errors.js'
import { noteFailure } from '../../transport/health.js'
import type { Node } from '../../transport/rpc.js'
import { checkChain, compare, KNOWN, signedOf } from './rawTransaction.js'
import { noteSent } from './sent.js'

/** A transaction to send. */
export interface SendParameters {
  /** The signed transaction, in hex; of type 3 with its blobs. */
  readonly raw: string
  /** Names of the client's nodes that get it, as they are in `trust.servedBy`. Default `all`. */
  readonly nodes?: 'all' | readonly string[]
  /**
   * Aborts the action, which then throws the signal's reason. The transaction may be on its way by
   * then.
   */
  readonly signal?: AbortSignal
}

/**
 * What became of it at one node.
 *
 * - `taken`: the node has it, by its own word, from now on or from before.
 * - `refused`: the node says why it has not.
 * - `unknown`: there was no answer, or none that makes sense: the node may have it.
 */
export type Sent =
  | { readonly node: string; readonly status: 'taken' }
  | { readonly node: string; readonly status: 'refused' | 'unknown'; readonly error: Error }

/** A transaction that was sent. */
export interface SendReport {
  /** Computed here: no node's word. */
  readonly hash: Hex
  /** One for each node, in the client's order. */
  readonly nodes: readonly Sent[]
  /** Did any node take it? That proves nothing: wait for its receipt. */
  readonly isTaken: boolean
}

/**
 * Sends a signed transaction to every node, or to those that are named, once. A node that has it
 * already took it; nothing is sent again, for "no answer" does not mean that it did not arrive.
 *
 * @returns who took it. That a node refused it, or did not answer, is no exception.
 * @throws InputError for a malformed argument, PlatformError, or the reason of an aborted signal.
 */
export async function sendRawTransaction(
  client: Client,
  parameters: SendParameters,
): Promise<SendReport> {
  const given = parseParameters(client, parameters, ['raw', 'nodes', 'signal'])
  const { raw } = given
  const bytes = fromHex(raw)
  if (bytes === undefined || bytes.length === 0) {
    const problem = `expected a signed transaction in hex, got ${shown(raw)}`
    throw new InputError('input.option', 'raw', problem)
  }
  const signal = parseSignal(given.signal)
  signal?.throwIfAborted()
  const targets = parseNodes(client, given.nodes)
  const { bytes: signed, hash } = await signedOf(bytes)
  const nodes = await Promise.all(
    targets.map((node) => sendTo(client, node, { raw: String(raw), hash }, signal)),
  )
  if (nodes.some(({ status }) => status !== 'refused')) noteSent(client, hash, signed)
  signal?.throwIfAborted()
  return { hash, nodes, isTaken: nodes.some(({ status }) => status === 'taken') }
}

function parseNodes({ nodes }: Client, given: unknown = 'all'): readonly Node[] {
  if (given === 'all') return nodes
  const names = Array.isArray(given) ? given : []
  const chosen = nodes.filter(({ name }) => names.includes(name))
  if (names.length > 0 && chosen.length === new Set(names).size) return chosen
  const problem = `expected "all" or some of ${nodes.map(({ name }) => name).join(', ')}`
  throw new InputError('input.option', 'nodes', `${problem}, got ${shown(given)}`)
}

async function sendTo(
  client: Client,
  node: Node,
  { raw, hash }: { readonly raw: string; readonly hash: Hex },
  signal: AbortSignal | undefined,
): Promise<Sent> {
  const { name } = node
  let isOnItsWay = false
  try {
    // A node of another chain would keep it for that chain, where it may be valid too.
    await checkChain(client, node, signal)
    isOnItsWay = true
    const call = { method: 'eth_sendRawTransaction', params: [raw] }
    compare(node, await node.call(call, signal), hash)
    return { node: name, status: 'taken' }
  } catch (error) {
    signal?.throwIfAborted()
    if (!(error instanceof Error)) throw error
    if (isOnItsWay && error instanceof RpcError && KNOWN.test(error.message)) {
      return { node: name, status: 'taken' }
    }
    // What is wrong with the transaction is no fault of the node's.
    if (!(isOnItsWay && error instanceof RpcError)) note(client, node, error)
    const isLost = isOnItsWay && !(error instanceof RpcError)
    return { node: name, status: isLost ? 'unknown' : 'refused', error }
  }
}

function note({ onBadProof }: Client, node: Node, error: Error): void {
  if (error instanceof ProofError || error instanceof TransportError || error instanceof RpcError) {
    noteFailure(node, error, undefined, onBadProof)
  }
}
