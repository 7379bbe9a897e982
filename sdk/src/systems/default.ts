/**
 * The system that proves Ethereum's state. Every client has it, and parameters that name no system
 * mean it: generic code takes it from here.
 */

import { toHex } from '../encoding/hex.js'
import { encodeQuery } from './mpt.js'

export { type MptTypes as DefaultTypes, mpt as defaultSystem } from './mpt.js'

/** Every header of Ethereum commits to it so, whatever else a chain's configuration names. */
export const defaultConfig: { readonly format: 'mpt/1' } = { format: 'mpt/1' }

/** What a chain's configuration names where it is left out. */
export const ETHEREUM: { readonly mpt: typeof defaultConfig } = { mpt: defaultConfig }

/** A query that every state answers, for files that are about headers alone. */
export function anyQuery(): Uint8Array {
  return encodeQuery(toHex(new Uint8Array(20)), [], false)
}
