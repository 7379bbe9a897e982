/**
 * Gateways that serve what a contract keeps off the chain (EIP-3668). Nobody trusts them: the
 * contract checks what they send.
 */

import { type Hex, toHex } from '../encoding/hex.js'
import { parseOptions } from '../encoding/input.js'
import type { Fetch } from '../encoding/platform.js'
import { printable } from '../encoding/printable.js'
import { asBytes, asRecord } from '../encoding/untrusted.js'
import { TransportError } from '../result/errors.js'
import { parseLimits } from '../transport/endpoint.js'
import { newHealth } from '../transport/health.js'
import { type Endpoint, get, type HttpLimits, post } from '../transport/http.js'
import { redactor } from '../transport/redact.js'

/** How gateways are asked. */
export interface GatewayOptions {
  /** Default the platform's. */
  readonly fetch?: Fetch
  /** For one answer. Default 10,000. */
  readonly timeoutMs?: number
  /** Of one answer. Default 1 MiB. */
  readonly maxBytes?: number
}

/** Gateways that are asked in one action, all told: a contract names as many as it likes. */
const MAX_REQUESTS = 16
/** Bytes of an answer by default. */
const MAX_BYTES = 1_048_576

/** The caller's leave to ask gateways. */
export class Gateways {
  readonly #limits: HttpLimits
  #left = MAX_REQUESTS

  constructor(limits: HttpLimits) {
    this.#limits = limits
  }

  /**
   * What a gateway answers.
   *
   * @param url - the contract's: https alone, a name and no address, no port but the usual one.
   * @throws TransportError, ProofError `decode.response`, or the signal's reason.
   */
  async ask(
    url: string,
    sender: Hex,
    data: Uint8Array,
    signal: AbortSignal | undefined,
  ): Promise<Uint8Array> {
    const isGet = url.includes('{data}')
    const filled = url.replaceAll('{sender}', sender).replaceAll('{data}', toHex(data))
    const place = parseUrl(filled)
    if (this.#left-- <= 0) {
      throw refused(place.origin, `is gateway number ${MAX_REQUESTS + 1}, and so not asked`)
    }
    const headers = { 'content-type': 'application/json' }
    const endpoint: Endpoint = {
      ...this.#limits,
      reach: () => ({ url: place.href, headers }),
      label: printable(place.origin),
      redact: redactor(place),
      health: newHealth(),
    }
    const body = JSON.stringify({ data: toHex(data), sender })
    const json = isGet ? await getJson(endpoint, signal) : await post(endpoint, body, signal)
    return asBytes(asRecord(json, 'gateway')['data'], 'gateway.data')
  }
}

/**
 * The option `ccipRead`.
 *
 * @returns undefined if no gateway may be asked.
 * @throws InputError
 */
export function parseGateways(value: unknown): Gateways | undefined {
  if (value === undefined || value === false) return undefined
  const given = value === true ? {} : value
  const options = parseOptions(given, 'ccipRead', ['fetch', 'timeoutMs', 'maxBytes'])
  return new Gateways(parseLimits({ retries: 0, maxBytes: MAX_BYTES, ...options }))
}

async function getJson(endpoint: Endpoint, signal: AbortSignal | undefined): Promise<unknown> {
  const body = await get(endpoint, '', 'application/json', signal)
  return body.form === 'json' ? body.json : undefined
}

/** Names that mean something to this machine or its network alone. */
const LOCAL = /(^|\.)(localhost|local|internal|lan|home|arpa)$/

/** The contract chose it, so it must not lead to what the reader's own network alone can reach. */
function parseUrl(text: string): URL {
  let url: URL | undefined
  try {
    url = new URL(text)
  } catch {
    throw refused('gateway', 'has no URL')
  }
  const { protocol, username, password, port, hostname, origin } = url
  if (protocol !== 'https:') throw refused(protocol, 'is not an https URL, so it was not requested')
  const isName = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(hostname) && !/\.[0-9]+$/.test(hostname)
  if (username !== '' || password !== '' || port !== '' || !isName || LOCAL.test(hostname)) {
    throw refused(
      origin,
      'must be a public host name without password or port, so it was not requested',
    )
  }
  return url
}

function refused(label: string, problem: string): TransportError {
  return new TransportError('transport.network', printable(label), problem)
}
