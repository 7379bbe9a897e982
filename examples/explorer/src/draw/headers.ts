/**
 * The chain of signed headers: from the checkpoint, from committee to committee, to the newest
 * header.
 */

import type { HeadersTrace, Step } from 'lightproof/trace'
import type { Trail } from '../check/check.js'
import { grouped } from '../parts/format.js'
import type { Card } from './cards.js'
import { noteOf } from './notes.js'
import { committeePicture } from './pictures/committee.js'
import { wordsOf } from './words.js'

/** A header of the chain, and the steps that proved it. */
export interface Link {
  readonly card: Card
  /** The other steps, in order; the last one breaks if the link does. */
  readonly steps: readonly Card[]
  readonly isBroken: boolean
  /** What stands below it in a picture. */
  readonly label: string
  /** Whence a header comes that nobody signed here. */
  readonly origin: string
  /** Who signed, bit by bit; left out of the checkpoint. */
  readonly signers?: readonly boolean[]
}

/** The links of a chain. */
export function linksOf(traced: HeadersTrace, { chain }: Trail): readonly Link[] {
  const unit = chain.kind === 'ethereum' ? 'Slot' : 'Block'
  return runsOf(traced.steps).map((steps) => linkOf(steps, traced, unit))
}

/** Each link begins with what is pinned, or with those who signed. */
function runsOf(steps: readonly Step[]): readonly (readonly Step[])[] {
  const runs: Step[][] = []
  for (const step of steps) {
    const last = runs.at(-1)
    const begins = step.kind === 'entered' || step.what === 'participation'
    const isEmpty = last?.every(({ kind }) => kind === 'entered') === true
    if (last === undefined || (begins && !isEmpty)) runs.push([step])
    else last.push(step)
  }
  return runs
}

function linkOf(steps: readonly Step[], traced: HeadersTrace, unit: string): Link {
  const find = (what: string) => steps.find((step) => step.what === what)
  const told = steps.filter(({ kind }) => kind !== 'entered')
  const isBroken = told.at(-1)?.kind === 'rejected'
  const cards = told.map((step) => cardOf(step, traced))
  const pinned = find('checkpoint')
  const signing = find('participation')
  const header = pinned ?? find('signed header')
  const place = header === undefined ? '' : `${unit} ${grouped(Number(header['number']))}`
  const label = place === '' ? (pinned === undefined ? 'A header' : 'Checkpoint') : place
  const main = find('signature') ?? pinned ?? signing ?? steps[0]
  const bytes = main === undefined ? undefined : cardOf(main, traced).bytes
  const isKept = steps[0]?.what === 'import'
  const origin = isKept ? 'proven before' : 'start of trust'
  if (signing === undefined) {
    const start = isKept ? 'proven before' : 'where trust starts'
    const card: Card = {
      title: place === '' ? 'Where trust starts' : `${place}, ${start}`,
      sentence: isKept
        ? 'This header was proven from your checkpoint before, and this browser kept it. It names the ' +
          'committee that signs next.'
        : 'The header where trust starts. It names the committee that signs next.',
      note: noteOf(pinned ?? header ?? told[0] ?? NOTHING),
      look: 'trust',
      pictures: [],
      bytes,
      step: main,
    }
    return { card, steps: cards, isBroken, label, origin }
  }
  const signers = signersOf(signing, traced)
  const count = signers.filter((has) => has).length
  const verb = isBroken ? 'said to be signed' : 'signed'
  const card: Card = {
    title: `${label}, ${verb} by ${grouped(count)} of ${grouped(signers.length)}`,
    sentence: isBroken
      ? 'This header does not hold: the step below breaks.'
      : 'The committee that the header before names has signed this one, so it is as good as that.',
    note: noteOf(header ?? NOTHING),
    look: 'step',
    pictures: [committeePicture(signers)],
    bytes,
    step: main,
  }
  return { card, steps: cards, isBroken, label, origin, signers }
}

const NOTHING: Step = { claim: null, kind: 'entered', what: '', span: null, at: 0 }

function cardOf(step: Step, traced: HeadersTrace): Card {
  const bytes = traced.proofs[step.claim ?? 0]?.bytes ?? new Uint8Array(0)
  return {
    ...wordsOf(step),
    note: noteOf(step),
    look: step.kind === 'rejected' ? 'broken' : 'step',
    pictures: [],
    bytes: { name: 'Signed headers, as sent', bytes, span: step.span },
    step,
  }
}

/** The bits of the signature, least significant first. */
function signersOf(step: Step, { proofs }: HeadersTrace): readonly boolean[] {
  const [from, to] = step.span ?? [0, 0]
  const bits = proofs[step.claim ?? 0]?.bytes.subarray(from, to) ?? new Uint8Array(0)
  return [...bits].flatMap((byte) => Array.from({ length: 8 }, (_, i) => ((byte >> i) & 1) === 1))
}
