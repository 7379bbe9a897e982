/** COLE's sources on an axis of blocks: the opened range, its versions and their neighbours. */

import type { Finding } from 'lightproof'
import type { Step } from 'lightproof/trace'
import { grouped } from '../../parts/format.js'
import { leading, picture, svg } from '../../parts/svg.js'

const WIDTH = 640
const LEFT = 12
const RIGHT = WIDTH - 12
const ROW = 30

interface Source {
  readonly step: Step
  readonly name: string
  readonly first: number
  readonly last: number
  readonly form: string
}

/** A block on the axis, and the step that speaks of it, if one does. */
interface Mark {
  readonly block: number
  readonly step: Step | undefined
}

/**
 * The picture, or nothing where the steps name no blocks.
 *
 * @param onStep - somebody chose what a step is drawn as.
 */
export function timeline(
  steps: readonly Step[],
  finding: Finding | undefined,
  head: number,
  onStep: (step: Step) => void,
): SVGElement | undefined {
  const sources = steps.filter(({ what }) => what === 'extent').map(sourceOf)
  const versions = marksOf(steps, 'version', finding)
  const inside = steps.filter(({ edge }) => edge !== true)
  const neighbours = [...marksOf(inside, 'left neighbour'), ...marksOf(inside, 'right neighbour')]
  if (sources.length === 0 && versions.length === 0) return undefined
  const last = Math.max(head, 1, ...sources.map((source) => source.last))
  const x = (block: number): number => LEFT + (Math.min(block, last) / last) * (RIGHT - LEFT)
  const rows = sources.length === 0 ? 1 : sources.length
  const axis = rows * ROW + 28
  const bars = sources.flatMap((source, i) => bar(source, i * ROW + 28, x, onStep))
  const marks = [
    ...neighbours.map((mark) => dot(mark, x(mark.block), axis, 'neighbour', onStep)),
    ...versions.map((mark) => dot(mark, x(mark.block), axis, 'version', onStep)),
  ]
  const written = versions.map(({ block }) => block)
  const numbers = apart([0, last, ...written], x)
  const label = `${sources.length} sources over blocks 0 to ${last}; versions in blocks ${written.join(', ') || 'none'}`
  return picture(
    label,
    WIDTH,
    axis + 30,
    ...bars,
    svg('line', { class: 'axis', x1: LEFT, x2: RIGHT, y1: axis, y2: axis }),
    ...marks,
    ...numbers.map((block) => number(x(block), axis + 22, block)),
  )
}

/** The blocks of which the numbers do not run into those before them. */
function apart(blocks: readonly number[], x: (block: number) => number): readonly number[] {
  const kept: number[] = []
  for (const block of blocks) {
    if (kept.every((other) => Math.abs(x(other) - x(block)) > 36)) kept.push(block)
  }
  return kept
}

function sourceOf(step: Step): Source {
  const { first, last, form, place, level } = step
  const name = place === 'memory' ? 'memory' : `run, level ${String(level ?? '')}`
  return { step, name, first: Number(first ?? 0), last: Number(last ?? 0), form: String(form) }
}

/** Blocks that steps of this name speak of; of versions, what was found tells them too. */
function marksOf(steps: readonly Step[], what: string, finding?: Finding): readonly Mark[] {
  const told = steps
    .filter((step) => step.what === what)
    .map((step) => ({ block: Number(step['block'] ?? 0), step }))
  if (told.length > 0 || finding === undefined) return told
  const value = finding.value
  if (typeof value !== 'object' || value === null || !('versions' in value)) return []
  const { versions } = value as { readonly versions: readonly { readonly block: bigint }[] }
  return versions.map(({ block }) => ({ block: Number(block), step: undefined }))
}

function bar(
  { step, name, first, last, form }: Source,
  y: number,
  x: (block: number) => number,
  onStep: (step: Step) => void,
): Node[] {
  const width = Math.max(6, x(last) - x(first))
  const shape = { x: x(first), y: y - 8, width, height: 10, rx: 5 }
  const anchor = x(first) > WIDTH / 2 ? 'end' : 'start'
  const at = anchor === 'end' ? x(last) : x(first)
  return [
    svg('text', { class: 'name', x: at, y: y - 12, 'text-anchor': anchor }, `${name}, ${form}`),
    leading(svg('rect', { class: form === 'open' ? 'open' : 'closed', ...shape }), step, onStep),
  ]
}

function dot(
  { block, step }: Mark,
  cx: number,
  cy: number,
  look: string,
  onStep: (step: Step) => void,
): SVGElement {
  const made = svg('circle', { class: look, cx, cy, r: 6 }, svg('title', {}, `Block ${block}`))
  return step === undefined ? made : leading(made, step, onStep)
}

function number(x: number, y: number, block: number): SVGElement {
  const anchor = x < 30 ? 'start' : x > WIDTH - 30 ? 'end' : 'middle'
  return svg('text', { class: 'number', x, y, 'text-anchor': anchor }, grouped(block))
}
