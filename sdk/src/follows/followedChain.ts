import type { Client, FollowedChain } from '../client/types.js'
import { isRecord, parseInteger, parseOptions } from '../encoding/input.js'
import { InputError } from '../result/errors.js'
import { compare } from './compare.js'
import { parseAccounts } from './parseAccounts.js'

/** How a chain is compared with the Ethereum chain that it follows. */
export interface FollowedChainOptions {
  /**
   * For `balanceproofs`: the account at each position, as the operator's list has them
   * (`--balances`).
   */
  readonly accounts?: readonly string[]
  /**
   * How many of an answer's keys, chosen at random, are proven a second time by `eth_getProof`
   * under the followed block's state root: 0 to 1,024, default 0. Of an answer in parts from
   * several nodes: of each part. The Ethereum client's nodes see these keys. `crossChecked` in
   * `trust` says how many there were.
   */
  readonly crossCheck?: number
}

const MAX_KEYS = 1024

/**
 * The Ethereum chain that another chain follows, for the option `follows` of `createClient`. Every
 * answer's block must then name, as its origin, the block of the same number that `client` trusts
 * and that is final there, and commit to that block's state root. A block that says otherwise makes
 * the answer `invalid`, `verify.contradiction`, with a file for {@link verifyContradiction}. What
 * cannot be compared is not answered: `unavailable`. Comparing takes at most another `deadlineMs`.
 *
 * @example
 * const ethereum = createClient({ chain: mainnet, anchor: { checkpoint }, nodes, beacons })
 * createClient({ chain: ours, anchor, nodes, follows: followedChain(ethereum, { crossCheck: 2 }) })
 *
 * @param client - of the Ethereum chain, with an anchor of its own.
 * @throws InputError for a malformed argument.
 */
export function followedChain(client: Client, options: FollowedChainOptions = {}): FollowedChain {
  const given = parseOptions(options, 'options', ['accounts', 'crossCheck'])
  if (!isClient(client) || client.chain.kind !== 'ethereum') {
    throw new InputError('input.option', 'client', 'expected a client of an Ethereum chain')
  }
  if (client.anchor.kind === 'node') {
    const problem =
      'nothing is final to a client that trusts a node: give it a checkpoint or a block'
    throw new InputError('input.option', 'client', problem)
  }
  const range = { min: 0, max: MAX_KEYS, fallback: 0 }
  const terms = {
    client,
    accounts: parseAccounts(given.accounts),
    count: parseInteger(given.crossCheck, 'crossCheck', range),
    proven: new Map(),
  }
  return {
    compare: async (own, found, signal) => {
      const outcome = await compare(own, terms, found.value, signal)
      if (outcome.status !== 'compared') return outcome
      return { ...found, value: { ...found.value, compared: outcome.grounds } }
    },
  }
}

function isClient(value: unknown): value is Client {
  return isRecord(value) && Array.isArray(value['nodes']) && isRecord(value['chain'])
}
