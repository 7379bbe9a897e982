/** Keeps the secrets of a node's URL (user, password, API key in path or query) out of errors. */

import { printable } from '../encoding/printable.js'

const MAX_DEPTH = 5
/** Lines of a stack that are no message: Chromium's and Node.js's, or Firefox's and Safari's. */
const FRAME = /^\s+at |@/

/** Replaces the secret parts of one URL in texts and errors. */
export interface Redactor {
  /** The text without them. */
  text(value: string): string
  /** A copy that names none, and is fit to be shown: engines repeat what a node sent. */
  cause(error: unknown): unknown
}

/** A redactor for the URL's secrets. */
export function redactor(url: URL): Redactor {
  const pieces = [
    url.href,
    url.pathname + url.search,
    url.search.slice(1),
    ...url.pathname.split('/'),
    ...url.searchParams.values(),
    url.username,
    url.password,
  ]
  const spellings = pieces.flatMap((piece) => [piece, safeDecode(piece)])
  // Short pieces ("v2", "rpc") are no secrets, and would turn every message into stars.
  const secrets = [...new Set(spellings)].filter((piece) => piece.length >= 4)
  const credentials = [url.username, url.password].flatMap((piece) => [piece, safeDecode(piece)])
  const hidden = [...secrets, ...credentials.filter((piece) => piece !== '')]
  // Longest first: a part must not break the whole before the whole is found.
  hidden.sort((a, b) => b.length - a.length)
  const text = (value: string): string =>
    hidden.reduce((shown, secret) => shown.replaceAll(secret, '***'), value)
  const safe = (value: string): string => printable(text(value))
  return { text, cause: (error) => copyError(error, safe, 0) }
}

/** Decodes percent-encoding; malformed text is returned unchanged. */
export function safeDecode(piece: string): string {
  try {
    return decodeURIComponent(piece)
  } catch {
    return piece
  }
}

/** A plain copy: other properties of the original (a request, a config) could hold the URL. */
function copyError(error: unknown, text: (value: string) => string, depth: number): unknown {
  if (!(error instanceof Error)) return typeof error === 'string' ? text(error) : undefined
  const nested = error.cause === undefined || depth >= MAX_DEPTH
  const copy = new Error(
    text(error.message),
    nested ? undefined : { cause: copyError(error.cause, text, depth + 1) },
  )
  copy.name = text(error.name)
  const frames = (error.stack ?? '').split('\n').filter((line) => FRAME.test(line))
  copy.stack = [`${copy}`, ...frames.slice(0, 20).map(text)].join('\n')
  const code: unknown = 'code' in error ? error.code : undefined
  return typeof code === 'string' ? Object.assign(copy, { code: text(code) }) : copy
}
