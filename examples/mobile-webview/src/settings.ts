/** Whom to ask and what to trust: what the native shell decides, or a link proposes. */

import {
  type BridgeTarget,
  type Chain,
  type Client,
  createClient,
  type DevnetConsensus,
  devnet,
  hoodi,
  InputError,
  mainnet,
  sepolia,
} from 'lightproof/inline'
import { printable } from 'lightproof/printable'

/** A client of such settings. */
export interface Configured {
  readonly client: Client
  /** Origins of other windows that may use the bridge; a native shell always may. */
  readonly origins: readonly string[]
}

/**
 * Are these settings the shell's? So they are in a file or a frame, whose address whoever shows it
 * chose, and beside a shell's message object. The address of any other page may be a stranger's
 * link.
 */
export function isOfShell(page: Window): boolean {
  const { ReactNativeWebView, lightproofAndroid, webkit } = page as BridgeTarget
  const objects = [ReactNativeWebView, lightproofAndroid, webkit?.messageHandlers?.lightproof]
  const hasShell = objects.some((object) => object !== undefined)
  return hasShell || page.location.protocol === 'file:' || page.top !== page
}

/** The settings one by one, as they are shown to the user. */
export function settingsIn(text: string): readonly (readonly [name: string, value: string])[] {
  return [...new URLSearchParams(text.replace(/^#/, ''))]
}

/**
 * Reads `#chain=…&trust=checkpoint&anchor=…&node=…&beacon=…`, or `#chain=…&anchor=…&node=…` for one
 * block (and `genesis=…&committee=…` for a devnet, `host=…` for each page that may embed this one).
 * Returns nothing where nothing is set.
 *
 * @throws {@link InputError} naming what is missing or malformed.
 */
export function configure(hash: string): Configured | undefined {
  const given = new URLSearchParams(hash.replace(/^#/, ''))
  if (given.size === 0) return undefined
  const text = (name: string): string => given.get(name) ?? ''
  const chain = chainOf(text('chain'), text('genesis'), given.get('committee'))
  const options = { chain, nodes: given.getAll('node') }
  const beacons = given.getAll('beacon')
  const origins = given.getAll('host')
  const trust = given.get('trust') ?? 'block'
  if (trust === 'block') {
    return { client: createClient({ ...options, anchor: { block: text('anchor') } }), origins }
  }
  if (trust !== 'checkpoint') {
    throw new InputError(
      'input.option',
      'trust',
      `expected checkpoint or block, got "${printable(trust)}"`,
    )
  }
  const client = createClient({
    ...options,
    anchor: { checkpoint: text('anchor') },
    ...(chain.kind === 'devnet' ? {} : { beacons }),
  })
  return { client, origins }
}

function chainOf(name: string, genesis: string, committee: string | null): Chain {
  const known: Readonly<Record<string, Chain>> = { mainnet, sepolia, hoodi }
  if (name === 'devnet') return devnet(genesis, committeeOf(committee))
  const chain = known[name]
  if (chain !== undefined) return chain
  throw new InputError('input.chain', 'chain', `no chain is called "${printable(name)}"`)
}

/** `32/64`: keys of a committee, and blocks for which it signs. */
function committeeOf(text: string | null): DevnetConsensus {
  const [, size, length] = /^(\d+)\/(\d+)$/.exec(text ?? '') ?? []
  if (size === undefined || length === undefined) {
    const problem = `expected keys and blocks, such as 32/64, got "${printable(text ?? '')}"`
    throw new InputError('input.chain', 'chain.consensus', problem)
  }
  return { committeeSize: Number(size), periodLength: Number(length) }
}
