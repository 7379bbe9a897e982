/** `lightproof attack`: which lies does a client believe? */

import { printable } from '../encoding/printable.js'
import { EXIT, type Io, jsonText, progress, table, UsageError } from './io.js'
import { startLiar } from './liar.js'
import { LIES, type Lie } from './lies.js'
import { integer } from './setup.js'
import type { Answer, Subject } from './subject.js'
import { librarySubject } from './subjectLibrary.js'
import { programSubject } from './subjectProgram.js'

/** How a client took a lie. */
type Outcome = 'refused' | 'unharmed' | 'not asked' | 'BELIEVED' | 'HUNG'

/** A lie, and how the client took it. */
interface Finding {
  readonly lie: Lie
  readonly outcome: Outcome
  readonly why: string
}

/** Runs `attack URL`. */
export async function attack(
  io: Io,
  [target]: readonly string[],
  values: {
    readonly lie?: readonly string[] | undefined
    readonly address?: string | undefined
    readonly 'time-limit'?: string | undefined
    readonly list?: boolean | undefined
    readonly serve?: string | undefined
    readonly json?: boolean | undefined
  },
  program: readonly string[],
): Promise<number> {
  const { json = false } = values
  if (values.list === true) {
    const lies = LIES.map(({ name, about }) => ({ name, about }))
    io.out(json ? jsonText(lies) : table(lies.map(({ name, about }) => [name, about])))
    return EXIT.ok
  }
  if (target === undefined || !URL.canParse(target)) {
    throw new UsageError('attack: the URL of an honest node is missing')
  }
  if (values.serve !== undefined) return serve(io, target, lieOf(values.serve), json)
  const limitMs = integer(values['time-limit'] ?? '30000', '--time-limit')
  const lies = values.lie?.map(lieOf) ?? LIES
  const subject =
    program.length > 0
      ? programSubject(program, limitMs)
      : await librarySubject(target, values.address, io.signal)
  const findings = await run(io, { target, lies, subject, limitMs })
  report(io, findings, json)
  const isDeceived = findings.some(({ outcome }) => outcome === 'BELIEVED' || outcome === 'HUNG')
  return isDeceived ? EXIT.deceived : EXIT.ok
}

function lieOf(name: string): Lie {
  const lie = LIES.find((known) => known.name === name)
  if (lie !== undefined) return lie
  throw new UsageError(`attack: unknown lie ${name}; \`lightproof attack --list\` lists them`)
}

interface Plan {
  readonly target: string
  readonly lies: readonly Lie[]
  readonly subject: Subject
  readonly limitMs: number
}

async function run(io: Io, { target, lies, subject, limitMs }: Plan): Promise<Finding[]> {
  const line = progress(io)
  const liar = await startLiar(target)
  const ask = (): Promise<Answer | 'hung'> => limited(subject, liar.url, limitMs, io.signal)
  try {
    line.show('asking honestly')
    const honest = await ask()
    if (honest === 'hung' || honest.ended !== 'answered') {
      const why = honest === 'hung' ? `no answer within ${limitMs} ms` : printable(honest.why)
      throw new UsageError(`attack: the client refuses the honest node as well: ${why}`)
    }
    if (!liar.asked) {
      const where = 'give it the URL of the liar, by {url} in its arguments or by $LIGHTPROOF_URL'
      throw new UsageError(`attack: the client asked nothing of the node; ${where}`)
    }
    const findings: Finding[] = []
    for (const lie of lies) {
      line.show(`${findings.length + 1} of ${lies.length}: ${lie.name}`)
      liar.tell(lie)
      const answer = await ask()
      findings.push({ lie, ...judge(answer, honest.output, liar.told) })
    }
    return findings
  } finally {
    line.clear()
    await liar.close()
  }
}

async function limited(
  subject: Subject,
  url: string,
  limitMs: number,
  signal: AbortSignal,
): Promise<Answer | 'hung'> {
  signal.throwIfAborted()
  const limit = AbortSignal.timeout(limitMs)
  const hung = new Promise<'hung'>((resolve) => {
    limit.addEventListener('abort', () => resolve('hung'), { once: true })
  })
  const answer = await Promise.race([subject(url, AbortSignal.any([signal, limit])), hung])
  signal.throwIfAborted()
  return limit.aborted ? 'hung' : answer
}

function judge(
  answer: Answer | 'hung',
  honest: string,
  told: boolean,
): { readonly outcome: Outcome; readonly why: string } {
  if (answer === 'hung') return { outcome: 'HUNG', why: '' }
  if (!told) return { outcome: 'not asked', why: '' }
  if (answer.ended === 'refused') return { outcome: 'refused', why: answer.why }
  if (answer.output === honest) return { outcome: 'unharmed', why: '' }
  return { outcome: 'BELIEVED', why: difference(honest, answer.output) }
}

/** The first line that differs. */
function difference(honest: string, told: string): string {
  const [was, is] = [honest, told].map((text) => text.split('\n'))
  const at = was?.findIndex((line, i) => line !== is?.[i]) ?? -1
  return `${(is?.[at] ?? 'nothing').trim()} instead of ${(was?.[at] ?? 'nothing').trim()}`
}

function report(io: Io, findings: readonly Finding[], json: boolean): void {
  const count = (outcome: Outcome): number =>
    findings.filter((finding) => finding.outcome === outcome).length
  const counts = {
    lies: findings.length,
    refused: count('refused'),
    unharmed: count('unharmed'),
    notAsked: count('not asked'),
    hung: count('HUNG'),
    believed: count('BELIEVED'),
  }
  if (json) {
    const rows = findings.map(({ lie, outcome, why }) => ({ lie: lie.name, outcome, why }))
    io.out(jsonText({ ...counts, findings: rows }))
    return
  }
  io.out(
    table(
      findings.map(({ lie, outcome, why }) => {
        return [lie.name, `${outcome.padEnd(10)}${(why === '' ? lie.about : why).slice(0, 100)}`]
      }),
    ),
  )
  const { lies, refused, unharmed, notAsked, hung, believed } = counts
  const parts = [`${refused} refused`, `${unharmed} unharmed`, `${notAsked} not asked`]
  io.out(`${lies} lies: ${parts.join(', ')}, ${hung} hung, ${believed} believed\n`)
}

async function serve(io: Io, target: string, lie: Lie, json: boolean): Promise<number> {
  const liar = await startLiar(target)
  liar.tell(lie)
  io.out(json ? jsonText({ url: liar.url, lie: lie.name }) : `${liar.url}  ${lie.about}\n`)
  await new Promise<void>((resolve) => {
    if (io.signal.aborted) resolve()
    io.signal.addEventListener('abort', () => resolve(), { once: true })
  })
  await liar.close()
  return EXIT.ok
}
