/** `lightproof sync`: from the checkpoint to the newest signed header. */

import { reportNodes } from '../actions/reportNodes.js'
import { type Synced, sync } from '../actions/sync.js'
import type { Client } from '../client/client.js'
import type { SyncEvent } from '../light/events.js'
import type { SignedHeader } from '../light/handle.js'
import { toJson } from '../result/json.js'
import {
  age,
  EXIT,
  type Io,
  jsonText,
  line as lineOf,
  progress,
  refusal,
  table,
  UsageError,
} from './io.js'
import { keep } from './show.js'

/** Runs `sync`. */
export async function syncCommand(
  io: Io,
  client: Client,
  {
    json = false,
    evidence,
  }: { readonly json?: boolean | undefined; readonly evidence?: string | undefined },
): Promise<number> {
  if (client.anchor.kind === 'block') {
    throw new UsageError(
      'sync: --checkpoint HASH is missing; a block pinned by --block is never replaced by a newer one',
    )
  }
  const line = progress(io)
  const onProgress = (event: SyncEvent): void => {
    if (event.type === 'warning') {
      line.clear()
      io.err(`warning: ${event.code}: ${lineOf(String(event.error))}\n`)
      return
    }
    if (event.type !== 'progress') return
    const { phase, period, periods, source } = event
    line.show(
      `${phase}: period ${period}${periods === undefined ? '' : ` of ${periods}`}, from ${source}`,
    )
  }
  const outcome = await sync(client, { onProgress, signal: io.signal }).finally(line.clear)
  const lies = reportNodes(client).flatMap(({ badProof }) => badProof?.evidence ?? [])
  for (const file of await keep(lies, evidence)) if (!json) io.err(`evidence: ${file}\n`)
  if (json) io.out(jsonText(toJson(outcome)))
  if (outcome.status !== 'synced') {
    if (!json) io.err(refusal(outcome))
    return outcome.status === 'invalid' ? EXIT.invalid : EXIT.unavailable
  }
  if (!json) io.out(table(rows(outcome)))
  return EXIT.ok
}

function rows({
  finalized,
  head,
  period,
  anchor,
  finalLagSeconds,
  headLagSeconds,
  forced,
  tried,
}: Synced): [string, string][] {
  return [
    [forced ? 'FORCED' : 'finalized', `${headerRow(finalized)}, ${age(finalLagSeconds)}`],
    ['head', `${headerRow(head)}, ${age(headLagSeconds)}`],
    ['period', String(period)],
    ['checkpoint', `${anchor.hash}, ${age(anchor.ageSeconds)}`],
    ...tried.map(({ node, code }): [string, string] => ['in vain', `${node}: ${code}`]),
  ]
}

/** A signed header in a line. */
export function headerRow({ slot, root, block, participation }: SignedHeader): string {
  const by =
    participation === null ? 'pinned' : `signed by ${participation.signed} of ${participation.of}`
  const inner =
    block === null || block.hash === root ? '' : `, block ${block.number ?? ''} ${block.hash}`
  return `slot ${slot} ${root}${inner}, ${by}`
}
