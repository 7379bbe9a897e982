/** What `eth_getProof` is asked for. */

import type { Hex } from '../../encoding/hex.js'
import type { Address } from '../../encoding/input.js'

/** What to prove about an account. */
export interface ProofRequest {
  readonly address: Address
  readonly slots: readonly Hex[]
  readonly wantCode: boolean
}
