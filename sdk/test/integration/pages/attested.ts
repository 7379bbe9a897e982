/**
 * State that operators attest, in a page: by every system, compared with the chain that they
 * follow, if they do.
 */

import { balanceproofs } from '../../../src/entry/balanceproofs.js'
import { getHistory } from '../../../src/entry/cole.js'
import { followedChain } from '../../../src/entry/follows.js'
import { lmpt } from '../../../src/entry/lmpt.js'
import { lvmt } from '../../../src/entry/lvmt.js'
import { verkle } from '../../../src/entry/verkle.js'
import {
  type Chain,
  createClient,
  getBalance,
  getValue,
  getValues,
  proven,
} from '../../../src/entry/web.js'

/** What the page is told, in the part of its address after `#`. */
export interface AttestedQuestions {
  readonly chain: Chain
  readonly node: string
  /** The chain that is followed, and a block of it that the page trusts; none of a pushed chain. */
  readonly ethereum?: { readonly chain: Chain; readonly node: string; readonly block: string }
  /** Those of balances by position; the first one's is asked for by mpt too. */
  readonly accounts: readonly string[]
  readonly key: { readonly address: string; readonly slot: string }
  readonly at: number
}

declare global {
  interface Window {
    /** What the page saw, as JSON; or the error that ended it. */
    seen?: string
  }
}

const PATIENT = { timeoutMs: 120_000, deadlineMs: 170_000, hedgeMs: Number.POSITIVE_INFINITY }

/** Who vouches, and what was compared. */
function grounds(found: object): object {
  const trust = 'trust' in found ? (found.trust as Record<string, unknown>) : {}
  const { attestedBy, origin, originState, crossChecked } = trust
  return { attestedBy, origin, originState, ...(crossChecked ? { crossChecked } : {}) }
}

async function see(): Promise<object> {
  const told = JSON.parse(decodeURIComponent(location.hash.slice(1))) as AttestedQuestions
  const { chain, node, ethereum, accounts, key, at } = told
  const other =
    ethereum &&
    createClient({
      chain: ethereum.chain,
      anchor: { block: ethereum.block },
      nodes: [ethereum.node],
      ...PATIENT,
    })
  const terms = { accounts, crossCheck: accounts.length }
  const client = createClient({
    chain,
    anchor: { checkpoint: chain.genesisHash, maxAgeSeconds: Number.POSITIVE_INFINITY },
    nodes: [node],
    ...(other && { follows: followedChain(other, terms) }),
    ...PATIENT,
  })
  const balance = await getBalance(client, { address: accounts[0] ?? '', at })
  const slots: Record<string, object> = {}
  for (const system of [lmpt, lvmt, verkle]) {
    const found = await getValue(client, { system: system as typeof lmpt, key, at })
    slots[system.name] = { value: proven(found), ...grounds(found) }
  }
  const history = await getHistory(client, { ...key, fromBlock: 0, toBlock: at, at })
  const keys = accounts.map((_, position) => position)
  const balances = await getValues(client, { system: balanceproofs, keys, at })
  return {
    balance: { value: proven(balance), ...grounds(balance) },
    slots,
    history: proven(history).versions.map(({ block, value }) => [block, value]),
    balances: { value: proven(balances).map(({ value }) => value), ...grounds(balances) },
  }
}

see()
  .catch((error: unknown) => ({ error: String(error) }))
  .then((seen) => {
    window.seen = JSON.stringify(seen, (_, v) => (typeof v === 'bigint' ? `${v}` : v))
  })
