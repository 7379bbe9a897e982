/** What is proven of a token's contract: slots, and the code that gives them their meaning. */

import { toResult } from '../actions/account.js'
import { parseInquiry } from '../actions/parameters.js'
import type { Client } from '../client/client.js'
import type { Hex } from '../encoding/hex.js'
import type { Address } from '../encoding/input.js'
import type { BlockLike } from '../proving/at.js'
import { prove } from '../proving/prove.js'
import type { Invalid, Trust, Unavailable } from '../result/result.js'
import { accountOf, askAccount, mpt, slotsOf } from '../systems/mpt.js'

/** Where proxies keep the address of the code that they run: EIP-1967, EIP-1822, ZeppelinOS (USDC). */
const IMPLEMENTATIONS: readonly Hex[] = [
  '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc',
  '0xc5f16f0fcc639fa48a6947836d9850f504798523bf8c9a3a87d5876cf622bcf7',
  '0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3',
]
/** Where they keep the address of a beacon, which tells them whose code to run (EIP-1967). */
const BEACON: Hex = '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50'
const NO_CODE: Hex = '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'

/** The code that a token runs. A layout found for one code says nothing of another. */
export interface TokenCode {
  /** keccak-256 of the code at the token's address. */
  readonly codeHash: Hex
  /** What proxies' slots hold: those of EIP-1967, of EIP-1822 and of ZeppelinOS; 0n where nothing is. */
  readonly implementations: readonly bigint[]
}

/** A token at a block, proven. */
export interface TokenState {
  /** Undefined if there is no contract, or one whose code depends on a beacon's storage. */
  readonly code: TokenCode | undefined
  /** Values of the slots that were asked for, in their order. */
  readonly values: readonly bigint[]
  readonly trust: Trust
}

/** Which token, and what of it. */
export interface TokenQuestion {
  readonly token: Address
  readonly slots: readonly Hex[]
  readonly at: BlockLike | undefined
  readonly signal: AbortSignal | undefined
}

/** Proves slots of a token and the code that it runs, by one proof. */
export async function readToken(
  client: Client,
  { token, slots, at, signal }: TokenQuestion,
): Promise<TokenState | Invalid | Unavailable> {
  const all = [...new Set([...IMPLEMENTATIONS, BEACON, ...slots])]
  const inquiry = await parseInquiry(client, { at, signal }, () => askAccount(token, all, false))
  const outcome = await prove(client, mpt, inquiry)
  const result = toResult(client, outcome, ['account', 'storage'], null, (fact) => {
    const values = new Map(slotsOf(fact).map(({ slot, value }) => [slot, value]))
    const codeHash: Hex = accountOf(fact)?.codeHash ?? NO_CODE
    return { codeHash, values }
  })
  if (!('trust' in result)) return result
  const { codeHash = NO_CODE, values = new Map<Hex, bigint>() } = result.value ?? {}
  const slotValue = (slot: Hex): bigint => values.get(slot) ?? 0n
  const implementations = IMPLEMENTATIONS.map(slotValue)
  const isKnown = codeHash !== NO_CODE && slotValue(BEACON) === 0n
  const code = isKnown ? { codeHash, implementations } : undefined
  return { code, values: slots.map(slotValue), trust: result.trust }
}

/** Do both run the same code? */
export function isSameCode(one: TokenCode, other: TokenCode): boolean {
  const isSame = (value: bigint, i: number): boolean => value === other.implementations[i]
  return one.codeHash === other.codeHash && one.implementations.every(isSame)
}
