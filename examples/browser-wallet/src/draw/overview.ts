/** The picture of a whole proof, where there is one: a time axis, a vector, a committee. */

import type { BalanceProofsOutcome } from 'lightproof/balanceproofs'
import type { Drawn } from './cards.js'
import { timeline } from './pictures/timeline.js'
import { vectorPicture } from './pictures/vector.js'

/** The devnet's vector, where no step says how long it is. */
const USUAL_SIZE = 4096

/** A picture, and what it shows. */
export interface Overview {
  readonly picture: SVGElement
  readonly caption: string
}

/** The picture of the proof. */
export function overviewOf({ trace, proof }: Drawn): Overview | undefined {
  if (trace.system === 'cole') {
    const head = Number(proof?.grounds.trust.block.number ?? 0)
    const drawn = timeline(trace.steps, proof?.finding, head)
    const caption = 'Versions on the axis of blocks (filled), and what stands beside them (hollow).'
    return drawn === undefined ? undefined : { picture: drawn, caption }
  }
  if (trace.system !== 'balanceproofs') return undefined
  const size = trace.steps.find(({ section }) => section === 'proof')?.['size']
  const positions = positionsIn(proof?.finding.value)
  if (positions.length === 0) return undefined
  const drawn = vectorPicture(positions, typeof size === 'number' ? size : USUAL_SIZE)
  return {
    picture: drawn,
    caption: 'The whole vector, row by row; the opened positions are filled.',
  }
}

function positionsIn(value: unknown): readonly number[] {
  if (!Array.isArray(value)) return []
  return (value as readonly BalanceProofsOutcome[]).map(({ position }) => Number(position))
}
