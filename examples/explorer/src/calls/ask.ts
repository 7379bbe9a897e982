/** A call: run here on proven state, drawn with all that it read. */

import { type CallFile, fetchCallProof, verifyCallFile } from 'lightproof/evm'
import { showDoing } from '../answer/view.js'
import { type Outcome, outcomeOf } from '../check/check.js'
import { onGroundsOf, type Place, type Progress, placeOf } from '../check/place.js'
import type { Settings } from '../form/settings.js'
import { grouped } from '../parts/format.js'
import { dataOf } from './data.js'
import { readsOf } from './reads.js'
import { type Answer, drawn } from './view.js'

/**
 * Asks for all that a call reads, runs it, and draws it.
 *
 * @throws the reason of `signal` when it is aborted.
 */
export async function askCall(
  settings: Settings,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<Outcome> {
  try {
    const place = await placeOf(settings, signal, onProgress)
    return drawn(await answerAt(place, settings, signal))
  } catch (error) {
    signal.throwIfAborted()
    return outcomeOf(error)
  }
}

async function answerAt(place: Place, asked: Settings, signal: AbortSignal): Promise<Answer> {
  const { client, block, signed } = place
  const given = { signal, ...(signed && { at: signed.value }) }
  const file = await fetchCallProof(client, {
    to: asked.address,
    data: dataOf(asked.data),
    ...(asked.sender === '' ? {} : { from: asked.sender }),
    ...given,
    onProgress: ({ round, items }) => {
      if (!signal.aborted) showDoing(`Round ${round}: ${grouped(items)} items asked for.`)
    },
  })
  const started = performance.now()
  const run = (changed: CallFile) => {
    return verifyCallFile(changed, { anchor: { block }, chain: client.chain })
  }
  const result = await run(file)
  const verifyMilliseconds = performance.now() - started
  if (result.status === 'invalid' || result.status === 'unavailable') throw result.error
  const { accessed } = result.status === 'success' ? result.value : result
  const reads = await readsOf(client, accessed, block, given)
  const trust = signed === undefined ? result.trust : onGroundsOf(result.trust, signed.trust)
  const servedBy = file.meta?.servedBy ?? 'a file'
  const grounds = { trust, servedBy, proofBytes: bytesIn(file), verifyMilliseconds }
  return { asked, file, result, reads, grounds, run }
}

function bytesIn({ source, witness }: CallFile): number {
  const parts = [source.header.rlps, witness.nodes, witness.codes, witness.headers].flat()
  return parts.reduce((sum, hex) => sum + (hex.length - 2) / 2, 0)
}
