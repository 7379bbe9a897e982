/** Names of ENS, as contracts take them. */

import { concat } from '../encoding/hex.js'
import { shown } from '../encoding/input.js'
import { InputError } from '../result/errors.js'
import type { HashModule } from '../wasm/module.js'

/**
 * The caller's normalization of names (ENSIP-15), such as viem's `normalize`: it throws for what is
 * no name.
 */
export type Normalize = (name: string) => string

/** Contracts take a byte for a label's length. */
const MAX_LABEL = 255

/**
 * A name in its one form: ASCII is put in lower case here, anything else needs the caller's
 * normalization.
 *
 * @returns undefined if it is no name; `unknown` if nobody can tell.
 */
export function normalized(
  text: string,
  normalize: Normalize | undefined,
): string | 'unknown' | undefined {
  if (normalize !== undefined) {
    try {
      const name: unknown = normalize(text)
      return typeof name === 'string' && labelsOf(name) !== undefined ? name : undefined
    } catch {
      return undefined
    }
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what ASCII has.
  if (!/^[\x00-\x7f]*$/.test(text)) return 'unknown'
  const name = text.toLowerCase()
  const isName = name
    .split('.')
    .every((label) => /^_*[a-z0-9$-]+$|^_+$/.test(label) && !/^..--/.test(label))
  return isName && labelsOf(name) !== undefined ? name : undefined
}

/**
 * A name that the caller gives.
 *
 * @throws InputError `input.option`.
 */
export function parseName(value: unknown, normalize: Normalize | undefined): string {
  if (typeof value !== 'string') throw malformed(`expected a name, got ${shown(value)}`)
  const name = normalized(value, normalize)
  if (name === undefined) throw malformed(`${shown(value)} is not an ENS name`)
  if (name !== 'unknown' || value === 'unknown') return name
  const fix = "give normalize, such as viem's, to have it put in its one form (ENSIP-15)"
  throw malformed(`${shown(value)} is not of ASCII: ${fix}`)
}

/** The name as DNS has it: each label after its length. */
export function packetOf(name: string): Uint8Array {
  const labels = labelsOf(name) ?? []
  return concat([...labels.map((label) => concat([Uint8Array.of(label.length), label])), END])
}

/** The name's hash (ENSIP-1). */
export function nodeOf(name: string, { keccak256 }: HashModule): Uint8Array {
  const labels = labelsOf(name) ?? []
  return labels.reduceRight<Uint8Array>(
    (parent, label) => keccak256(concat([parent, keccak256(label)])),
    new Uint8Array(32),
  )
}

const END = Uint8Array.of(0)

function labelsOf(name: string): Uint8Array[] | undefined {
  const labels = name.split('.').map((label) => new TextEncoder().encode(label))
  const fit = labels.every(({ length }) => length > 0 && length <= MAX_LABEL)
  return fit ? labels : undefined
}

function malformed(problem: string): InputError {
  return new InputError('input.option', 'name', problem)
}
