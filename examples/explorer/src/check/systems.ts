/** The proof systems of the SDK, and the question that the form asks of each. */

import { InputError, type ProofSystem } from 'lightproof'
import { printable } from 'lightproof/printable'
import { systems } from 'lightproof/systems'
import type { Settings } from '../form/settings.js'
import { SYSTEMS as OFFERED } from '../form/systems.js'

/** Those that the form offers, in its order. */
export const SYSTEMS: readonly ProofSystem[] = OFFERED.flatMap(({ name }) =>
  systems.filter((system) => system.name === name),
)

/**
 * The system of a name.
 *
 * @throws {@link InputError} for one that there is not.
 */
export function systemOf(name: string): ProofSystem {
  const found = SYSTEMS.find((system) => system.name === name)
  if (found !== undefined) return found
  throw new InputError('input.option', 'system', `no proof system is called "${printable(name)}"`)
}

/**
 * The form's question as the system takes it.
 *
 * @throws {@link InputError} naming what is malformed; the client checks the rest.
 */
export function questionOf({
  system,
  address,
  slot,
  positions,
  from,
  to,
}: Settings): Readonly<Record<string, unknown>> {
  const at = slot === '' ? {} : { slot: slotOf(slot) }
  switch (system) {
    case 'mpt':
      return { address, ...(slot === '' ? {} : { slots: [slotOf(slot)] }) }
    case 'balanceproofs':
      return { keys: positionsOf(positions) }
    case 'cole': {
      const range = { ...(from === '' ? {} : { fromBlock: numberOf(from, 'fromBlock') }) }
      const end = to === '' || from === '' ? {} : { toBlock: numberOf(to, 'toBlock') }
      return { address, ...at, ...range, ...end }
    }
    default:
      // Bytes of another length than an address has are a key of their own.
      return { key: isBytes(address) ? address : { address, ...at } }
  }
}

function isBytes(text: string): boolean {
  return /^0x([0-9a-f]{2})+$/i.test(text) && text.length !== 42 && text.length > 42
}

/** A slot: a decimal number or hex. */
export function slotOf(text: string): bigint | string {
  return /^\d{1,78}$/.test(text) ? BigInt(text) : text
}

/** `0, 3, 7-9`: positions and runs of them. */
function positionsOf(text: string): readonly number[] {
  const found = text
    .split(/[\s,]+/)
    .filter((part) => part !== '')
    .flatMap((part) => {
      const [, first, last = first] = /^(\d{1,9})(?:[-–](\d{1,9}))?$/.exec(part) ?? []
      if (first === undefined || last === undefined || Number(last) - Number(first) > 1023) {
        const problem = `expected positions such as 0, 3, 7-9, got "${printable(part)}"`
        throw new InputError('input.key', 'keys', problem)
      }
      const length = Math.max(0, Number(last) - Number(first) + 1)
      return Array.from({ length }, (_, i) => Number(first) + i)
    })
  return [...new Set(found)]
}

/**
 * A block number.
 *
 * @throws {@link InputError}
 */
export function numberOf(text: string, argument: string): bigint {
  if (/^\d{1,10}$/.test(text)) return BigInt(text)
  throw new InputError('input.block', argument, `expected a block number, got "${printable(text)}"`)
}
