/**
 * What stands below an answer: why it is true or where it breaks, how to make it lie, and the other
 * systems. Loaded after the answer.
 */

import type { ProofFile } from 'lightproof'
import type { Lie, Outcome, Proof } from './check/check.js'
import { comparePanel } from './compare/panel.js'
import { whyOf } from './draw/why.js'
import { anchorOf, flipped } from './lies/flip.js'
import { liesOf, lyingNode } from './lies/list.js'
import { chooseByte, liePanel } from './lies/panel.js'

/** What the parts start. */
export interface Acts {
  /**
   * Asks the node's path for a lie; one about signatures as a stranger, who heard nothing of the
   * honest ones.
   */
  readonly onLie: (name: string, node: string, asStranger: boolean) => void
  /** Checks a changed file. */
  readonly onFile: (file: ProofFile, anchor: string, name: string) => void
  readonly onHonest: () => void
  /** The lie behind the answer, if there is one. */
  readonly lie: string | undefined
}

/** The parts. */
export async function explanationOf(
  outcome: Outcome,
  honest: Proof | undefined,
  acts: Acts,
): Promise<readonly HTMLElement[]> {
  const [why, lies] = await Promise.all([
    isDrawn(outcome) ? whyOf(outcome, { onByte: (_, at) => chooseByte(at) }) : undefined,
    honest === undefined ? undefined : panelOf(honest, outcome, acts),
  ])
  const compared = honest !== undefined && isDevnet(honest) ? comparePanel(honest.asked) : undefined
  return [why, lies, compared].filter((part) => part !== undefined)
}

function isDrawn(outcome: Outcome): outcome is Proof | Lie {
  return 'finding' in outcome || outcome.state === 'invalid'
}

/** Served by a devnet's node, which can be asked for every system's proof and for lies. */
function isDevnet({ asked, grounds }: Proof): boolean {
  return grounds.servedBy !== 'a file' && asked.chain === 'devnet'
}

async function panelOf(honest: Proof, outcome: Outcome, acts: Acts): Promise<HTMLElement> {
  const { asked, system, grounds, file } = honest
  const isSigned = grounds.trust.anchor.kind === 'checkpoint'
  const lies = isDevnet(honest) ? await liesOf(asked.node, system, isSigned) : []
  const isTrue = 'finding' in outcome
  const { lie } = acts
  return liePanel(honest, lies, {
    onLie: (name) => {
      const isOfSignatures = lies.some((of) => of.name === name && of.subject === 'signatures')
      acts.onLie(name, lyingNode(asked.node, name), isOfSignatures)
    },
    onFlip: (at) => acts.onFile(flipped(file, at), anchorOf(file), `byte ${at}`),
    ...(lie === undefined ? {} : { onHonest: acts.onHonest, told: lie }),
    ...(lie !== undefined && isTrue ? { idle: lie } : {}),
  })
}
