/** What a client with a pinned block cannot do. */

import type { Client } from './types.js'

/** Why it hears of nothing new. */
export const PINNED =
  'a pinned block has no newer heads: give the client a checkpoint (anchor: { checkpoint }), or in development trustNode(url) of lightproof/dev'

/** Does the newest block that the client trusts never change? */
export function isPinned({ anchor }: Pick<Client, 'anchor'>): boolean {
  return anchor.kind === 'block'
}
