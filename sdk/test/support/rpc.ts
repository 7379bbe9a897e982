/** A scripted node: `fetch` answered by functions, one per JSON-RPC method. */

/** Throw it from a method to answer with a JSON-RPC error. */
export class ScriptedError extends Error {
  readonly rpcCode: number

  constructor(rpcCode: number, message: string) {
    super(message)
    this.rpcCode = rpcCode
  }
}

export type Methods = Readonly<Record<string, (...params: never[]) => unknown>>

interface Call {
  readonly id: unknown
  readonly method: string
  readonly params: readonly never[]
}

/** What was asked of a scripted node, in order. */
export interface Script {
  readonly fetch: typeof globalThis.fetch
  readonly calls: string[]
  /** Calls per HTTP exchange. */
  readonly exchanges: number[]
}

/** Nodes by origin; an origin that is not listed cannot be reached. */
export function scriptedFetch(nodes: Readonly<Record<string, Methods>>): Script {
  const calls: string[] = []
  const exchanges: number[] = []
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const methods = nodes[new URL(String(input)).origin]
    if (methods === undefined) throw new TypeError('fetch failed')
    const body = JSON.parse(String(init?.body)) as Call | Call[]
    exchanges.push(Array.isArray(body) ? body.length : 1)
    const answer = (call: Call): unknown => {
      calls.push(call.method)
      return reply(methods, call)
    }
    return Response.json(Array.isArray(body) ? body.map(answer) : answer(body))
  }
  return { fetch, calls, exchanges }
}

/** One JSON-RPC call, answered. */
export function reply(methods: Methods, { id, method, params }: Call): unknown {
  const run = methods[method]
  if (run === undefined) {
    return { jsonrpc: '2.0', id, error: { code: -32601, message: `no method ${method}` } }
  }
  try {
    return { jsonrpc: '2.0', id, result: run(...params) }
  } catch (error) {
    if (!(error instanceof ScriptedError)) throw error
    return { jsonrpc: '2.0', id, error: { code: error.rpcCode, message: error.message } }
  }
}
