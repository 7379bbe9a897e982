/** Tokens of Ethereum's Engine API: JSON Web Tokens, HS256, made by WebCrypto. */

import { fromHex, isBytes } from '../encoding/hex.js'
import { InputError, PlatformError } from '../result/errors.js'

/** Makes a token that is valid for about a minute from now. */
export type Signer = () => Promise<string>

/**
 * A maker of tokens.
 *
 * @param secret The 32 bytes that the node's `--jwt` file holds, as bytes or as 64 hex digits with
 *   or without `0x`.
 * @throws {@link InputError} `input.option` for anything else; the message does not repeat the
 *   secret.
 */
export function signerOf(secret: unknown): Signer {
  const bytes = typeof secret === 'string' ? fromHex(`0x${digitsOf(secret)}`) : secret
  if (!isBytes(bytes) || bytes.length !== 32) {
    throw new InputError('input.option', 'secret', 'expected 32 bytes, or 64 hex digits')
  }
  const copy = Uint8Array.from(bytes)
  let key: Promise<CryptoKey> | undefined
  return async () => {
    key ??= importKey(copy)
    const claims = { iat: Math.floor(Date.now() / 1000) }
    const signed = `${encode({ typ: 'JWT', alg: 'HS256' })}.${encode(claims)}`
    const mac = await crypto.subtle.sign('HMAC', await key, new TextEncoder().encode(signed))
    return `${signed}.${base64url(String.fromCharCode(...new Uint8Array(mac)))}`
  }
}

function digitsOf(text: string): string {
  return text.trim().replace(/^0x/, '')
}

async function importKey(bytes: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  if (globalThis.crypto?.subtle === undefined) {
    throw new PlatformError('platform.random', 'crypto.subtle is missing; use https or Node.js')
  }
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  return crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign'])
}

function encode(part: object): string {
  return base64url(JSON.stringify(part))
}

/** * `text`: characters below 256, one a byte. */
function base64url(text: string): string {
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
