/**
 * What a hostile node got out of a client: every answer is right, or refused with a typed error, or
 * the test fails.
 */

import { resultToJson } from '../../src/result/json.js'
import type { Result } from '../../src/result/result.js'

export type Answer = Result<unknown, unknown>

/** A question, and its answer by a client. */
export interface Subject<C> {
  readonly name: string
  readonly ask: (client: C) => Promise<Answer>
}

/** What an answer says, whoever served it. */
export function essence(answer: Answer): string {
  if (answer.status === 'invalid' || answer.status === 'unavailable') return answer.status
  const { status, value } = resultToJson(answer)
  return JSON.stringify([status, value])
}

/** A tally as JSON. */
export interface TallyJson extends Pick<Tally, 'asked' | 'refused' | 'right' | 'wrong'> {
  readonly lies: readonly string[]
  readonly codes: readonly (readonly [code: string, count: number])[]
}

/** Counts of answers. */
export class Tally {
  readonly lies = new Set<string>()
  readonly codes = new Map<string, number>()
  asked = 0
  refused = 0
  right = 0
  /** Descriptions: there must be none. */
  readonly wrong: string[] = []

  /** Judges an answer by the truth. */
  judge(lie: string, subject: string, answer: Answer | Error, truth: string | undefined): void {
    this.lies.add(lie)
    this.asked++
    if (answer instanceof Error) {
      this.wrong.push(`${lie}, ${subject}: threw ${answer.name}: ${answer.message}`)
    } else if (answer.status === 'invalid' || answer.status === 'unavailable') {
      this.refused++
      const { code } = answer.error
      if (typeof code !== 'string') this.wrong.push(`${lie}, ${subject}: no code`)
      this.count(code, 1)
    } else if (essence(answer) === truth) {
      this.right++
    } else {
      this.wrong.push(`${lie}, ${subject}: ${essence(answer)}, not ${truth}`)
    }
  }

  private count(code: string, more: number): void {
    this.codes.set(code, (this.codes.get(code) ?? 0) + more)
  }

  /** Adds what a page counted. */
  add({ lies, codes, asked, refused, right, wrong }: TallyJson): void {
    for (const lie of lies) this.lies.add(lie)
    for (const [code, count] of codes) this.count(code, count)
    this.asked += asked
    this.refused += refused
    this.right += right
    this.wrong.push(...wrong)
  }

  toJSON(): TallyJson {
    const { asked, refused, right, wrong } = this
    return { lies: [...this.lies], codes: [...this.codes], asked, refused, right, wrong }
  }

  /** One line for people. */
  toString(): string {
    const { lies, asked, refused, right, wrong } = this
    const counts = [...this.codes].sort(([, a], [, b]) => b - a)
    const codes = counts.map(([code, count]) => `${count} ${code}`).join(', ')
    const shown = refused === 0 ? '0 refused' : `${refused} refused (${codes})`
    const accepted = `${right} right all the same, ${wrong.length} wrongly accepted`
    return `${lies.size} lies, ${asked} answers: ${shown}, ${accepted}`
  }
}

/** The most memory that was in use at once while the work ran, above what was before, in bytes. */
export async function peakMemory(work: () => Promise<void>): Promise<number> {
  const used = (): number => {
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
  const before = used()
  let peak = before
  const timer = setInterval(() => {
    peak = Math.max(peak, used())
  }, 10)
  try {
    await work()
  } finally {
    clearInterval(timer)
  }
  return peak - before
}
