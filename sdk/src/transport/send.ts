/** What sends requests, where the caller gives no `fetch`. */

import type { Fetch } from '../encoding/platform.js'

/** A request as every platform can send it. */
export interface Request {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** Ends the request, and the reading of its answer. */
  readonly signal: AbortSignal
}

/** As much of a `Response` as is read here. */
export interface Reply {
  readonly status: number
  readonly type?: string
  readonly headers: { get(name: string): string | null }
  readonly body?: {
    getReader(): {
      read(): Promise<{ readonly done?: boolean; readonly value?: Uint8Array | undefined }>
    }
  } | null
}

type Send = (url: string, request: Request) => Promise<Reply>

let platform: (() => Send | undefined) | undefined

/** Has requests sent by what the platform chooses for each, if it chooses anything. */
export function sendBy(choose: () => Send | undefined): void {
  platform = choose
}

/** What sends the next request. */
export function sender(): Send | Fetch {
  return platform?.() ?? globalThis.fetch
}
