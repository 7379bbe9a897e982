/** Calls of JSON-RPC. */

/** A call to make. */
export interface RpcCall {
  readonly method: string
  readonly params: readonly unknown[]
  /** More bytes than any honest answer has, where that is known; else the endpoint's limit. */
  readonly maxBytes?: number
}

/** The number of a refusal of JSON-RPC: the node does not have the method. */
export const METHOD_NOT_FOUND = -32601
