/** What the native shell decides, read from the part of the page's address after `#`. */

import {
  type Chain,
  type Client,
  createClient,
  devnet,
  hoodi,
  InputError,
  mainnet,
  sepolia,
} from 'lightproof/inline'

/** A client as the shell configured it. */
export interface Configured {
  readonly client: Client
  /** Origins of other windows that may use the bridge; a native shell always may. */
  readonly origins: readonly string[]
}

/**
 * Reads `#chain=…&anchor=…&node=…` (and `genesis=…` for a devnet, `host=…` for each page that may embed this one).
 * Returns nothing as long as the shell has set nothing.
 *
 * @throws {@link InputError} naming what is missing or malformed.
 */
export function configure(hash: string): Configured | undefined {
  const given = new URLSearchParams(hash.replace(/^#/, ''))
  if (given.size === 0) return undefined
  const chain = chainOf(given.get('chain') ?? '', given.get('genesis') ?? '')
  const anchor = { block: given.get('anchor') ?? '' }
  const client = createClient({ chain, anchor, nodes: given.getAll('node') })
  return { client, origins: given.getAll('host') }
}

function chainOf(name: string, genesis: string): Chain {
  const known: Readonly<Record<string, Chain>> = { mainnet, sepolia, hoodi }
  if (name === 'devnet') return devnet(genesis)
  const chain = known[name]
  if (chain !== undefined) return chain
  throw new InputError('input.chain', 'chain', `no chain is called "${name}"`)
}
