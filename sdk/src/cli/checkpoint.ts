/** `lightproof checkpoint`: several sources asked, and compared. */

import { agreeOnCheckpoint } from '../actions/agreeOnCheckpoint.js'
import type { CheckpointAnswers, CheckpointVote } from '../light/votes.js'
import { toJson } from '../result/json.js'
import type { Tried } from '../result/result.js'
import { EXIT, type Io, jsonText, table, UsageError } from './io.js'
import { integer, readChain } from './setup.js'

/** Runs `checkpoint --agree N URL…`. */
export async function checkpoint(
  io: Io,
  sources: readonly string[],
  values: {
    readonly chain?: string | undefined
    readonly agree?: string | undefined
    readonly timeout?: string | undefined
    readonly json?: boolean | undefined
  },
): Promise<number> {
  if (values.agree === undefined) {
    throw new UsageError(
      'checkpoint: --agree N is missing: how many sources must name the same root',
    )
  }
  if (sources.length === 0) throw new UsageError('checkpoint: no URL to ask')
  const { chain } = await readChain(values.chain)
  const { timeout } = values
  const outcome = await agreeOnCheckpoint({
    chain,
    sources,
    need: integer(values.agree, '--agree'),
    signal: io.signal,
    ...(timeout === undefined ? {} : { timeoutMs: integer(timeout, '--timeout') }),
  })
  if (values.json === true) io.out(jsonText(toJson(outcome)))
  if (outcome.status === 'agreed') {
    const { checkpoint: root, slot, votes, dissent } = outcome
    const agreed = votes.length - dissent.length
    if (values.json !== true) {
      const rows: [string, string][] = [
        ['checkpoint', root],
        ['slot', String(slot)],
        ['agreed', `${agreed} of ${sources.length} sources (${values.agree} needed)`],
      ]
      io.out(table([...rows, ...voteRows(outcome, root)]))
    }
    return EXIT.ok
  }
  if (values.json !== true) {
    io.err(`disagreed: no root of one slot was named by ${values.agree} sources, or two were\n`)
    for (const answers of outcome.answers) {
      io.err(table([['slot', String(answers.slot)], ...voteRows(answers, undefined)]))
    }
    io.err(table(outcome.failed.map(failedRow)))
  }
  return EXIT.disagreed
}

function voteRows(
  { votes, failed }: CheckpointAnswers,
  agreed: string | undefined,
): [string, string][] {
  const named = ({ source, root }: CheckpointVote): [string, string] => {
    if (agreed === undefined) return ['named', `${root} by ${source}`]
    return root === agreed ? ['same', source] : ['DISSENT', `${source} names ${root}`]
  }
  return [...votes.map(named), ...failed.map(failedRow)]
}

function failedRow({ node, code }: Tried): [string, string] {
  return ['no answer', `${node}: ${code}`]
}
