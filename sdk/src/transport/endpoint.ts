/** The caller's URLs and limits, as endpoints. */

import { parseInteger, unexpected } from '../encoding/input.js'
import { printable } from '../encoding/printable.js'
import { InputError } from '../result/errors.js'
import { newHealth } from './health.js'
import type { Endpoint, HttpLimits } from './http.js'
import { redactor, safeDecode } from './redact.js'

const MIB = 1024 * 1024

/**
 * Bytes that one answer of a node may have by default, and so each part of a file that such answers
 * made.
 */
export const MAX_BYTES: number = 4 * MIB

/** Limits of every exchange, with their defaults.
 *
 * @throws InputError `input.option`
 */
export function parseLimits(
  given: {
    readonly [key in 'fetch' | 'timeoutMs' | 'maxBytes' | 'retries' | 'batchSize']?: unknown
  },
): HttpLimits {
  const { fetch } = given
  if (fetch !== undefined && typeof fetch !== 'function') {
    throw unexpected('input.option', 'fetch', 'a function', fetch)
  }
  const time = { min: 1, max: 600_000, fallback: 10_000 }
  const size = { min: 1, max: 64 * MIB, fallback: MAX_BYTES }
  return {
    fetch: fetch as HttpLimits['fetch'],
    timeoutMs: parseInteger(given.timeoutMs, 'timeoutMs', time),
    maxBytes: parseInteger(given.maxBytes, 'maxBytes', size),
    batchSize: parseInteger(given.batchSize, 'batchSize', { min: 1, max: 1000, fallback: 32 }),
    retries: parseInteger(given.retries, 'retries', { min: 0, max: 10, fallback: 2 }),
  }
}

/**
 * Endpoints named by their origin; the second of the same origin is `origin (2)`.
 *
 * @throws InputError `input.node`
 */
export function parseEndpoints(value: unknown, argument: string, limits: HttpLimits): Endpoint[] {
  if (!Array.isArray(value) || value.length === 0) {
    throw new InputError('input.node', argument, 'expected a list of at least one URL')
  }
  const urls = value.map((url: unknown, i) => parseUrl(url, `${argument}[${i}]`))
  // Of a link, a host is as long as it likes.
  const names = urls.map(({ origin }) => printable(origin))
  return urls.map((url, i) => {
    const name = names[i]
    const twins = names.slice(0, i).filter((earlier) => earlier === name).length
    const label = `${name}${twins > 0 ? ` (${twins + 1})` : ''}`
    const place = reachable(url)
    return { ...limits, reach: () => place, label, redact: redactor(url), health: newHealth() }
  })
}

/** `fetch` refuses URLs with a password, so it travels as a header. */
function reachable(url: URL): { url: string; headers: Record<string, string> } {
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  if (url.username === '' && url.password === '') return { url: url.href, headers }
  const pair = `${safeDecode(url.username)}:${safeDecode(url.password)}`
  const binary = Array.from(new TextEncoder().encode(pair), (byte) => String.fromCharCode(byte))
  headers['authorization'] = `Basic ${btoa(binary.join(''))}`
  const plain = new URL(url)
  plain.username = ''
  plain.password = ''
  return { url: plain.href, headers }
}

function parseUrl(value: unknown, argument: string): URL {
  let url: URL | undefined
  try {
    url = new URL(value instanceof URL ? value.href : typeof value === 'string' ? value : '')
  } catch {
    // The engine's message would repeat the URL, which may hold an API key.
  }
  if (url !== undefined && (url.protocol === 'http:' || url.protocol === 'https:')) return url
  throw new InputError('input.node', argument, 'expected an absolute http: or https: URL')
}
