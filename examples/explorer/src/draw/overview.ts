/** The picture of a whole proof, where there is one: a time axis, a vector, a committee. */

import type { Step } from 'lightproof/trace'
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

/**
 * The picture of the proof.
 *
 * @param onStep - somebody chose what a step is drawn as.
 */
export function overviewOf(
  { trace, proof }: Drawn,
  onStep: (step: Step) => void,
): Overview | undefined {
  if (trace.system === 'cole') {
    const head = Number(proof?.grounds.trust.block.number ?? 0)
    const drawn = timeline(trace.steps, proof?.finding, head, onStep)
    const caption = 'Versions on the axis of blocks (filled), and what stands beside them (hollow).'
    return drawn === undefined ? undefined : { picture: drawn, caption }
  }
  if (trace.system !== 'balanceproofs') return undefined
  const size = trace.steps.find(({ section }) => section === 'proof')?.['size']
  const opened = trace.steps
    .filter(({ what }) => what === 'position')
    .map((step) => ({ position: Number(step['position']), step }))
  if (opened.length === 0) return undefined
  const drawn = vectorPicture(opened, typeof size === 'number' ? size : USUAL_SIZE, onStep)
  return {
    picture: drawn,
    caption: 'The whole vector, row by row; the opened positions are filled.',
  }
}
