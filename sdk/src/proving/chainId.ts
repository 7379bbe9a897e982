/** Does a node serve the client's chain? */

import type { Chain } from '../client/chains.js'
import { fromQuantity } from '../encoding/hex.js'
import { shown } from '../encoding/input.js'
import { UnavailableError } from '../result/errors.js'
import type { Node } from '../transport/rpc.js'

/**
 * Compares the id that a node names with the chain's. Some write it as a number. What is none makes
 * no liar.
 *
 * @throws {@link UnavailableError} `chain`
 */
export function checkChainId(chain: Chain, node: Node, value: unknown): void {
  const id = Number.isSafeInteger(value) ? BigInt(value as number) : fromQuantity(value)
  if (id === BigInt(chain.chainId)) return
  const served = id ?? shown(value)
  const problem = `${node.name} serves chain ${served}, not ${chain.name} (${chain.chainId})`
  throw new UnavailableError('chain', problem)
}
