/** Who runs a source of checkpoints: two names of one operator are one voice. */

import { isRecord, parseOptions, unexpected } from '../encoding/input.js'
import { InputError } from '../result/errors.js'
import { parseEndpoints, parseLimits } from '../transport/endpoint.js'
import type { Endpoint } from '../transport/http.js'

/** Where to ask, and whose voice it is. */
export interface Voice {
  readonly endpoint: Endpoint
  readonly operator: string
}

const MAX_SOURCES = 16

/** The sources of the parameters. @throws InputError `input.node`, `input.option` */
export function parseVoices(
  given: { readonly [key in 'sources' | 'fetch' | 'timeoutMs']?: unknown },
): Voice[] {
  const { fetch, timeoutMs, sources } = given
  const limits = parseLimits({ fetch, timeoutMs })
  const named = Array.isArray(sources) ? sources.map(parseSource) : []
  const urls = Array.isArray(sources) ? named.map(({ url }) => url) : sources
  const endpoints = parseEndpoints(urls, 'sources', limits)
  if (endpoints.length > MAX_SOURCES) {
    throw new InputError('input.node', 'sources', `expected at most ${MAX_SOURCES}`)
  }
  const origins = endpoints.map(({ reach }) => new URL(reach().url).origin)
  const twin = origins.findIndex((origin, i) => origins.indexOf(origin) !== i)
  if (twin >= 0) {
    const problem = 'has the origin of another source, which counts once'
    throw new InputError('input.node', `sources[${twin}]`, problem)
  }
  return endpoints.map((endpoint, i) => {
    return { endpoint, operator: named[i]?.operator ?? operatorOf(new URL(endpoint.reach().url)) }
  })
}

function parseSource(
  source: unknown,
  i: number,
): { readonly url: unknown; readonly operator: string | undefined } {
  if (!isRecord(source) || source instanceof URL) return { url: source, operator: undefined }
  const argument = `sources[${i}]`
  const { url, operator } = parseOptions(source, argument, ['url', 'operator'])
  if (typeof operator === 'string' && operator !== '') return { url, operator }
  throw unexpected('input.option', `${argument}.operator`, 'a name', operator)
}

const LOOPBACK = /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/
const IP = /^(\d+\.\d+\.\d+\.\d+|\[.*\])$/

/**
 * Whoever has a name can have any number of names below it, and of ports. That some suffixes are
 * many people's (`co.uk`) only makes voices fewer. This machine's ports lead to different places,
 * which the caller chose.
 */
function operatorOf({ hostname, port, protocol }: URL): string {
  const host = hostname.replace(/\.$/, '')
  if (LOOPBACK.test(host)) return `localhost:${port === '' ? protocol : port}`
  return IP.test(host) ? host : host.split('.').slice(-2).join('.')
}
