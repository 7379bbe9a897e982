/** Draws why a value is true, or where a lie breaks: the chain of reasons from what is trusted to the answer. */

import type { ProofFile } from 'lightproof'
import type { Counts, Step } from 'lightproof/trace'
import { tell } from '../answer/facts.js'
import type { Lie, Proof } from '../check/check.js'
import { element } from '../parts/dom.js'
import { grouped, milliseconds } from '../parts/format.js'
import { type Card, cardButton, cardOf, type Drawn } from './cards.js'
import { detailOf } from './detail.js'
import { groupsOf, unopenedLayers } from './groups.js'
import { overviewOf } from './overview.js'
import { committeePicture } from './pictures/committee.js'
import { traceOf } from './trace.js'
import { walkByArrows } from './walk.js'

/** What a reader may do with the drawing. */
export interface Hands {
  /** Somebody chose a byte of the proof. */
  readonly onByte: (file: ProofFile, at: number) => void
}

/** The drawing of an outcome that comes with a file. */
export async function whyOf(outcome: Proof | Lie, hands: Hands): Promise<HTMLElement | undefined> {
  const { file } = outcome
  if (file === undefined) return undefined
  // What is no proof file at all has no steps.
  const trace = await traceOf(file).catch(() => undefined)
  if (trace === undefined) return undefined
  const headers = 'header' in file.source ? file.source.header.rlps : []
  const proof = outcome.state === 'lying' ? undefined : outcome
  return draw({ trace, headers, proof }, file, hands)
}

function draw(drawn: Drawn, file: ProofFile, hands: Hands): HTMLElement {
  const detail = element('div', 'detail')
  detail.setAttribute('aria-live', 'polite')
  let chosen: HTMLButtonElement | undefined
  const choose = (card: Card, button: HTMLButtonElement): void => {
    chosen?.setAttribute('aria-pressed', 'false')
    button.setAttribute('aria-pressed', 'true')
    chosen = button
    const isProof = card.bytes?.name === 'The proof'
    const onByte = isProof ? (at: number) => hands.onByte(file, at) : undefined
    detail.replaceChildren(...detailOf(card, onByte))
    place()
  }
  // Beside the chain where there is room, else right below the chosen step.
  const isWide = matchMedia('(min-width: 56rem)')
  const place = (): void => {
    if (isWide.matches) columns.append(detail)
    else chosen?.closest('li')?.append(detail)
  }
  isWide.addEventListener('change', place)
  const buttons: { readonly card: Card; readonly button: HTMLButtonElement }[] = []
  const item = (card: Card): HTMLElement => {
    const button = cardButton(card, () => choose(card, button))
    button.setAttribute('aria-pressed', 'false')
    buttons.push({ card, button })
    const folded = card.pictures.filter((each) => each instanceof HTMLDetailsElement)
    return element('li', '', button, ...folded)
  }
  const chain = element('div', 'chain', ...partsOf(drawn, file, item))
  const columns = element('div', 'why-columns', chain)
  walkByArrows(chain, detail)
  const first = buttons.find(({ card }) => card.look === 'broken') ?? longest(buttons)
  if (first !== undefined) choose(first.card, first.button)
  const isBroken = drawn.trace.verdict.status === 'rejected'
  const overview = overviewOf(drawn, (step) => {
    const found = buttons.find(({ card }) => card.step === step)
    found?.button.focus()
    found?.button.click()
  })
  const section = element(
    'section',
    'card why',
    element('h3', '', isBroken ? 'Where it breaks' : 'How it follows'),
    element('p', 'aside', countsIn(drawn.trace.counts)),
    ...(overview === undefined
      ? []
      : [
          element('figure', '', overview.picture, element('figcaption', 'aside', overview.caption)),
        ]),
    columns,
  )
  section.id = 'why'
  section.setAttribute('aria-label', 'Chain of reasons')
  return section
}

/** The card that says most at first: the one with the most bytes. */
function longest<T extends { readonly card: Card }>(all: readonly T[]): T | undefined {
  const size = ({ card: { step } }: T): number =>
    step?.span === undefined || step.span === null ? 0 : step.span[1] - step.span[0]
  return all.reduce<T | undefined>(
    (best, each) => (best === undefined || size(each) > size(best) ? each : best),
    undefined,
  )
}

function partsOf(
  drawn: Drawn,
  file: ProofFile,
  item: (card: Card) => HTMLElement,
): readonly HTMLElement[] {
  const { trace, proof } = drawn
  const groups = groupsOf(trace.steps, trace.system)
  const part = (title: string, ...cards: readonly Card[]): HTMLElement =>
    element('div', 'group', element('h4', '', title), element('ol', '', ...cards.map(item)))
  const drawnGroups: HTMLElement[] = []
  let columns: HTMLElement | undefined
  for (const { title, isColumn, steps } of groups) {
    const cards = steps.flatMap((step, i) =>
      isInNode(step, steps[i - 1]) ? [] : [cardOf(step, steps[i + 1], drawn)],
    )
    const made = part(title, ...cards)
    if (!isColumn) {
      columns = undefined
      drawnGroups.push(made)
    } else if (columns === undefined) {
      columns = element('div', 'layers', made)
      drawnGroups.push(columns)
    } else {
      columns.append(made)
    }
  }
  for (const title of proof === undefined ? [] : unopenedLayers(groups)) {
    const words = element('p', 'aside', 'Not needed: a newer layer decides.')
    columns?.append(element('div', 'group', element('h4', '', title), words))
  }
  const end = proof === undefined ? [] : [part('The answer', valueCard(proof))]
  return [part('What you trust', trustCard(file, proof)), ...drawnGroups, ...end]
}

/** The way that a walk takes is in the picture of its node, unless that is embedded in the one above. */
function isInNode({ what }: Step, before: Step | undefined): boolean {
  return (what === 'branch' || what === 'extension') && before?.what === 'trie node'
}

function trustCard({ source }: ProofFile, proof: Proof | undefined): Card {
  const participation = proof?.grounds.trust.participation
  const hash = 'header' in source ? source.header.hash : source.root.bytes
  return {
    title:
      participation === undefined
        ? `${hash.slice(0, 10)}…${hash.slice(-6)}`
        : `${hash.slice(0, 10)}…${hash.slice(-6)}, signed by ${participation.signed} of ${participation.of}`,
    sentence:
      participation === undefined
        ? `The block hash ${hash}, which you chose. Everything below must lead up to it.`
        : `Block ${hash}: ${participation.signed} of the ${participation.of} members of its committee signed it, and the committees lead back to your checkpoint.`,
    note: '',
    look: 'trust',
    pictures: participation === undefined ? [] : [committeePicture(participation)],
    bytes: undefined,
    step: undefined,
  }
}

function valueCard(proof: Proof): Card {
  const { title, text, parts } = tell(proof)
  const figure = parts[0]?.querySelector('.amount, .figure')?.textContent ?? ''
  return {
    title: figure === '' ? title : `${title}: ${figure}`,
    sentence: text,
    note: '',
    look: 'value',
    pictures: [],
    bytes: undefined,
    step: undefined,
  }
}

function countsIn({ steps, hashes, bytesHashed, opened, loops, microseconds }: Counts): string {
  const parts = [
    counted(steps, 'step'),
    `${counted(hashes, 'hash', 'hashes')} over ${grouped(bytesHashed)} bytes`,
    ...(opened === 0 ? [] : [counted(opened, 'opening')]),
    ...(loops === 0 ? [] : [counted(loops, 'pairing')]),
  ]
  return `${parts.join(', ')}, in ${milliseconds(microseconds / 1000)}. Choose a step to see its bytes.`
}

function counted(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`
}
