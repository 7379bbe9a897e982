/** Options that say whom to ask and what to trust, as a client. */

import { readFile } from 'node:fs/promises'
import {
  type Chain,
  type DevnetLine,
  devnet,
  hoodi,
  mainnet,
  parseChain,
  sepolia,
} from '../client/chains.js'
import { type Client, createClient } from '../client/client.js'
import type { ClientOptions } from '../client/options.js'
import { isRecord } from '../encoding/input.js'
import { followedChain } from '../follows/followedChain.js'
import { fileStore } from '../store/file.js'
import { UsageError } from './io.js'

/** Who walks far back from a terminal waits longer than a page does, and can interrupt it. */
const DEADLINE_MS = 600_000

/** Their values. */
export interface ClientValues {
  readonly chain?: string | undefined
  readonly node?: readonly string[] | undefined
  readonly beacon?: readonly string[] | undefined
  readonly checkpoint?: string | undefined
  readonly block?: string | undefined
  readonly 'max-age'?: string | undefined
  readonly 'max-lag'?: string | undefined
  readonly store?: string | undefined
  readonly timeout?: string | undefined
  /** The chain that the client's own one follows; whom to ask about it, and what to trust of it. */
  readonly follows?: string | undefined
  readonly 'follows-node'?: readonly string[] | undefined
  readonly 'follows-beacon'?: readonly string[] | undefined
  readonly 'follows-checkpoint'?: string | undefined
  readonly 'follows-block'?: string | undefined
  readonly 'cross-check'?: string | undefined
}

/** A chain, and what the operator of a devnet announced with it. */
interface ChainChoice {
  readonly chain: Chain
  readonly node?: string
  readonly head?: string
}

const NAMED: readonly Chain[] = [mainnet, sepolia, hoodi]

/**
 * The chain of a name or a file: a chain configuration as JSON, or the first line that
 * `lightproof-node run` printed.
 *
 * @throws UsageError, InputError
 */
export async function readChain(name = 'mainnet'): Promise<ChainChoice> {
  const known = NAMED.find((chain) => chain.name === name)
  if (known !== undefined) return { chain: known }
  const json = await readJson(name, '--chain')
  if (!isRecord(json) || json['event'] !== 'ready') return { chain: parseChain(json, '--chain') }
  // What its operator announces on their own terminal, not what a node answers.
  const { url, head } = json
  const chain = devnet(json as unknown as DevnetLine)
  const hash = isRecord(head) ? head['hash'] : undefined
  return {
    chain,
    ...(typeof url === 'string' ? { node: url } : {}),
    ...(typeof hash === 'string' ? { head: hash } : {}),
  }
}

/** JSON of a file, or of its first line. @throws UsageError */
export async function readJson(file: string, option: string): Promise<unknown> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (cause) {
    const names =
      option === '--chain' ? `${NAMED.map(({ name }) => name).join(', ')} or a file` : ''
    const hint = names === '' ? '' : `; --chain takes ${names}`
    throw new UsageError(`${option}: cannot read ${file}${hint}`, { cause })
  }
  try {
    return JSON.parse(text)
  } catch (cause) {
    const [line = ''] = text.split('\n')
    try {
      return JSON.parse(line)
    } catch {
      throw new UsageError(`${option}: ${file} is not JSON`, { cause })
    }
  }
}

/** The client of the options. @throws UsageError, InputError */
export async function makeClient(values: ClientValues): Promise<Client> {
  const { chain, node, head } = await readChain(values.chain)
  const nodes = values.node ?? (node === undefined ? [] : [node])
  if (nodes.length === 0) {
    throw new UsageError(
      '--node URL is missing: expected a JSON-RPC node that answers eth_getProof',
    )
  }
  const { beacon, store, timeout } = values
  return createClient({
    chain,
    nodes,
    anchor: anchorOf(values, head),
    ...lagOf(values),
    ...(beacon === undefined ? {} : { beacons: beacon }),
    ...(store === undefined ? {} : { store: fileStore(store) }),
    ...(timeout === undefined ? {} : { timeoutMs: integer(timeout, '--timeout') }),
    deadlineMs: DEADLINE_MS,
    ...(await followsOf(values)),
  })
}

/** @throws UsageError, InputError */
async function followsOf(values: ClientValues): Promise<Pick<ClientOptions, 'follows'>> {
  const { follows, 'cross-check': count, timeout, 'max-age': age, 'max-lag': lag } = values
  if (follows === undefined) {
    const [stray] = FOLLOWING.filter((name) => values[name] !== undefined)
    if (stray === undefined) return {}
    throw new UsageError(`--${stray} is only valid with --follows`)
  }
  const client = await makeClient({
    chain: follows,
    node: values['follows-node'],
    beacon: values['follows-beacon'],
    checkpoint: values['follows-checkpoint'],
    block: values['follows-block'],
    timeout,
    'max-age': age,
    'max-lag': lag,
  }).catch((error: unknown) => {
    if (error instanceof UsageError) throw new UsageError(`--follows: ${error.message}`)
    throw error
  })
  const crossCheck = count === undefined ? {} : { crossCheck: integer(count, '--cross-check') }
  return { follows: followedChain(client, crossCheck) }
}

const FOLLOWING = [
  'follows-node',
  'follows-beacon',
  'follows-checkpoint',
  'follows-block',
  'cross-check',
] as const

function lagOf({
  'max-lag': minutes,
}: ClientValues): Pick<ClientOptions, 'maxFinalLagSeconds' | 'maxHeadLagSeconds'> {
  if (minutes === undefined) return {}
  const most = minutes === 'any' ? Number.POSITIVE_INFINITY : integer(minutes, '--max-lag') * 60
  return { maxFinalLagSeconds: most, maxHeadLagSeconds: most }
}

function anchorOf(values: ClientValues, head: string | undefined): ClientOptions['anchor'] {
  const { checkpoint, block = checkpoint === undefined ? head : undefined } = values
  if (checkpoint !== undefined && block === undefined) {
    const days = values['max-age']
    if (days === undefined) return { checkpoint }
    const maxAgeSeconds =
      days === 'any' ? Number.POSITIVE_INFINITY : integer(days, '--max-age') * 86_400
    return { checkpoint, maxAgeSeconds }
  }
  if (block !== undefined && checkpoint === undefined) return { block }
  const where = 'a hash from a source you trust (`lightproof checkpoint` asks several)'
  throw new UsageError(`give one of --checkpoint HASH and --block HASH: ${where}`)
}

/** A non-negative integer. @throws UsageError */
export function integer(text: string, option: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new UsageError(`${option}: expected a whole number, got ${text}`)
}

/** A block: a number, a hash or a tag. */
export function blockOption(text: string | undefined): { readonly at?: bigint | string } {
  if (text === undefined) return {}
  return { at: /^\d{1,19}$/.test(text) ? BigInt(text) : text }
}

/** A slot: a decimal number or hex. */
export function slotOf(text: string): bigint | string {
  return /^\d{1,78}$/.test(text) ? BigInt(text) : text
}
