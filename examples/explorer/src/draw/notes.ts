/** What a step is about, so short that it stands beside its title: a hash, a value, a balance. */

import type { Step } from 'lightproof/trace'
import { amount, shortHex, word } from '../parts/format.js'

/** The note of a step; empty where its title says it all. */
export function noteOf(step: Step): string {
  const { digest } = step
  const { value, commitment, owner, address, root } = step as Readonly<Record<string, unknown>>
  if (digest !== undefined) return shortHex(digest)
  if (step.what === 'position' && typeof value === 'string') {
    const { figure, unit } = amount(BigInt(value))
    return `${figure} ${unit}`
  }
  if (step.what === 'version' && typeof value === 'string') return word(BigInt(value))
  if (step.what === 'finalized header' && typeof root === 'string') return shortHex(root)
  const named = [commitment, owner, step.what.endsWith('neighbour') ? address : undefined]
  const found = named.find((each) => typeof each === 'string')
  return typeof found === 'string' ? shortHex(found) : ''
}
