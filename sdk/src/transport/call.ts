/** Calls of JSON-RPC. */

/** A call to make. */
export interface RpcCall {
  readonly method: string
  readonly params: readonly unknown[]
  /** More bytes than any honest answer has, where that is known; else the endpoint's limit. */
  readonly maxBytes?: number
  /**
   * Whether it travels beside the calls of its tick, not with them: a batch may be as long as all
   * of its answers, and junk in place of this answer is cut off by this call's own limit.
   */
  readonly apart?: true
}

/** The number of a refusal of JSON-RPC: the node does not have the method. */
export const METHOD_NOT_FOUND = -32601

/** The same for two calls that ask the same. */
export function sameCall({ method, params }: Pick<RpcCall, 'method' | 'params'>): string {
  return JSON.stringify([method, params])
}
