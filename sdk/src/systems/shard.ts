/** Parts of a state that nodes may prove alone. */

/** Shard `index` of 2^bits. */
export interface Shard {
  readonly bits: number
  readonly index: number
}

/** What decides which shard a key is of. */
export interface ShardSetup {
  readonly config: { readonly format: string }
  readonly params: Uint8Array
}
