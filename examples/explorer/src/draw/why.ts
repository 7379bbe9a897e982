/**
 * Draws why a value is true, or where a lie breaks: the chain of reasons from what is trusted to
 * the answer.
 */

import type { ProofFile } from 'lightproof'
import type { Counts, Step } from 'lightproof/trace'
import { tell } from '../answer/facts.js'
import type { Lie, Proof } from '../check/check.js'
import { element } from '../parts/dom.js'
import { grouped, milliseconds } from '../parts/format.js'
import { type Card, cardButton, cardOf, type Drawn } from './cards.js'
import { detailOf } from './detail.js'
import { groupsOf, unopenedLayers } from './groups.js'
import { type Link, linksOf } from './headers.js'
import { type Overview, overviewOf } from './overview.js'
import { chainPicture } from './pictures/chain.js'
import { traceOf, traceOfHeaders } from './trace.js'
import { walkByArrows } from './walk.js'

/** What a reader may do with the drawing. */
export interface Hands {
  /** Somebody chose a byte of the proof. */
  readonly onByte: (file: ProofFile, at: number) => void
}

/** The drawing of an outcome that comes with a file, or with signed headers. */
export async function whyOf(outcome: Proof | Lie, hands: Hands): Promise<HTMLElement | undefined> {
  const { file, trail } = outcome
  const followed = trail === undefined ? undefined : await traceOfHeaders(trail)
  const links = trail === undefined || followed === undefined ? [] : linksOf(followed, trail)
  // What is no proof file at all has no steps.
  const trace = file === undefined ? undefined : await traceOf(file).catch(() => undefined)
  if (trace === undefined && links.length === 0) return undefined
  const headers = file !== undefined && 'header' in file.source ? file.source.header.rlps : []
  const proof = outcome.state === 'invalid' ? undefined : outcome
  const counts = [followed, trace].flatMap((each) => (each === undefined ? [] : [each.counts]))
  return draw({ drawn: trace && { trace, headers, proof }, links, counts, file, proof }, hands)
}

/** All that is drawn of an outcome. */
interface Whole {
  readonly drawn: Drawn | undefined
  readonly links: readonly Link[]
  readonly counts: readonly Counts[]
  readonly file: ProofFile | undefined
  readonly proof: Proof | undefined
}

function draw(whole: Whole, hands: Hands): HTMLElement {
  const { drawn, links, file } = whole
  const detail = element('div', 'detail')
  detail.setAttribute('aria-live', 'polite')
  let chosen: HTMLButtonElement | undefined
  const choose = (card: Card, button: HTMLButtonElement): void => {
    chosen?.setAttribute('aria-pressed', 'false')
    button.setAttribute('aria-pressed', 'true')
    chosen = button
    const isProof = file !== undefined && card.bytes?.name === 'The proof'
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
  const chain = element('div', 'chain', ...partsOf(whole, item))
  const columns = element('div', 'why-columns', chain)
  walkByArrows(chain, detail)
  const first = buttons.find(({ card }) => card.look === 'broken') ?? longest(buttons)
  if (first !== undefined) choose(first.card, first.button)
  const goTo = (step: Step | undefined): void => {
    const found = buttons.find(({ card }) => card.step === step)
    found?.button.focus()
    found?.button.click()
  }
  const overviews = [
    ...(links.length === 0 ? [] : [chainOverview(links, goTo)]),
    ...(drawn === undefined ? [] : [overviewOf(drawn, goTo)]),
  ].filter((overview) => overview !== undefined)
  const isBroken = buttons.some(({ card }) => card.look === 'broken')
  const section = element(
    'section',
    'card why',
    element('h3', '', isBroken ? 'Where it breaks' : 'How it follows'),
    element('p', 'aside', countsIn(whole.counts)),
    ...overviews.map(({ picture, caption }) =>
      element('figure', '', picture, element('figcaption', 'aside', caption)),
    ),
    columns,
  )
  section.id = 'why'
  section.setAttribute('aria-label', 'Chain of reasons')
  return section
}

function chainOverview(links: readonly Link[], goTo: (step: Step | undefined) => void): Overview {
  return {
    picture: chainPicture(links, ({ card }) => goTo(card.step)),
    caption: 'From the header that you trust, each committee vouches for the next headers.',
  }
}

/** The card that says most at first: the one with the most bytes of the proof. */
function longest<T extends { readonly card: Card }>(all: readonly T[]): T | undefined {
  const size = ({ card: { bytes } }: T): number =>
    bytes?.name !== 'The proof' || bytes.span === null ? 0 : bytes.span[1] - bytes.span[0]
  return all.reduce<T | undefined>(
    (best, each) => (best === undefined || size(each) > size(best) ? each : best),
    undefined,
  )
}

function partsOf(
  { drawn, links, file, proof }: Whole,
  item: (card: Card) => HTMLElement,
): readonly HTMLElement[] {
  const part = (title: string, ...items: readonly HTMLElement[]): HTMLElement =>
    element('div', 'group', element('h4', '', title), element('ol', '', ...items))
  const trust =
    links.length === 0 && file !== undefined
      ? part('What you trust', item(trustCard(file)))
      : part(
          'From what you trust to the newest header',
          ...links.map((link) => linkItem(link, item)),
        )
  const end = proof === undefined ? [] : [part('The answer', item(valueCard(proof)))]
  const proved =
    drawn === undefined ? [] : groupsIn(drawn, (title, cards) => part(title, ...cards.map(item)))
  return [trust, ...proved, ...end]
}

/** A header of the chain, its steps folded away unless one of them breaks. */
function linkItem({ card, steps, isBroken }: Link, item: (card: Card) => HTMLElement): HTMLElement {
  const made = item(card)
  const folded = element(
    'details',
    'steps',
    element('summary', '', `${counted(steps.length, 'step')} of its check`),
    element('ol', '', ...steps.map(item)),
  )
  folded.open = isBroken
  made.append(folded)
  return made
}

function groupsIn(
  drawn: Drawn,
  part: (title: string, cards: readonly Card[]) => HTMLElement,
): readonly HTMLElement[] {
  const { trace, proof } = drawn
  const groups = groupsOf(trace.steps, trace.system)
  const drawnGroups: HTMLElement[] = []
  let columns: HTMLElement | undefined
  for (const { title, isColumn, steps } of groups) {
    const cards = steps.flatMap((step, i) =>
      isInNode(step, steps[i - 1]) ? [] : [cardOf(step, steps[i + 1], drawn)],
    )
    const made = part(title, cards)
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
  return drawnGroups
}

/**
 * The way that a walk takes is in the picture of its node, unless that is embedded in the one
 * above.
 */
function isInNode({ what }: Step, before: Step | undefined): boolean {
  return (what === 'branch' || what === 'extension') && before?.what === 'trie node'
}

function trustCard({ source }: ProofFile): Card {
  const hash = 'header' in source ? source.header.hash : source.root.bytes
  return {
    title: `${hash.slice(0, 10)}…${hash.slice(-6)}`,
    sentence: `The block hash ${hash}, where trust starts. Everything below must lead up to it.`,
    note: '',
    look: 'trust',
    pictures: [],
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

function countsIn(counts: readonly Counts[]): string {
  const sum = (of: (counts: Counts) => number) =>
    counts.reduce((total, each) => total + of(each), 0)
  const omitted = sum((each) => each.omitted)
  const [steps, hashes] = [sum((each) => each.steps), sum((each) => each.hashes)]
  const [opened, loops] = [sum((each) => each.opened), sum((each) => each.loops)]
  const parts = [
    counted(steps, 'step') + (omitted === 0 ? '' : ` (${grouped(omitted)} more are left out)`),
    `${counted(hashes, 'hash', 'hashes')} over ${grouped(sum(({ bytesHashed }) => bytesHashed))} bytes`,
    ...(opened === 0 ? [] : [counted(opened, 'opening')]),
    ...(loops === 0 ? [] : [counted(loops, 'pairing')]),
  ]
  return `${parts.join(', ')}, in ${milliseconds(sum(({ microseconds }) => microseconds) / 1000)}. Choose a step to see its bytes.`
}

function counted(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`
}
