/** An account's transfers of a token: from receipts, by COLE, or by both, each on its own. */

import { type Client, getBlock, InputError, proven, type Trust } from 'lightproof'
import { getLogs } from 'lightproof/blocks'
import { getHistory } from 'lightproof/cole'
import { showDoing } from '../answer/view.js'
import { type Outcome, outcomeOf } from '../check/check.js'
import { followedOf, meteredOf } from '../check/client.js'
import { type Meter, meter } from '../check/meter.js'
import { type Place, type Progress, placeIn } from '../check/place.js'
import { numberOf, slotOf } from '../check/systems.js'
import type { Settings } from '../form/settings.js'
import { grouped } from '../parts/format.js'
import {
  type ByCole,
  type ByLogs,
  eventFilters,
  inOrder,
  type Transfer,
  transferOf,
  wordOf,
} from './transfers.js'
import { drawn } from './view.js'

/** Blocks of a range whose beginning is not given. */
const USUAL = 1_000n

/**
 * Asks both ways, one after the other, so that each is measured alone.
 *
 * @throws the reason of `signal` when it is aborted.
 */
export async function askTransfers(
  settings: Settings,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<Outcome> {
  try {
    const isAttested = settings.chain === 'devnet'
    wordOf(settings.address, 'address')
    if (isAttested || settings.token !== '') wordOf(settings.token, 'token')
    const [own, other] = [meter(), meter()]
    const client = meteredOf(settings, own)
    const place = await placeIn(client, settings, signal, onProgress)
    const upstream = isAttested ? followedOf(settings, { fetch: other.fetch }) : client
    const [from, to] = rangeOf(settings, await newestOf(place, upstream, signal))
    const range = { from, to, signal }
    const cole = isAttested ? await byCole(place, settings, range, own) : undefined
    const logs = upstream && (await byLogs(upstream, settings, range, isAttested ? other : own))
    return drawn({ asked: settings, from, to, logs, cole })
  } catch (error) {
    signal.throwIfAborted()
    return outcomeOf(error)
  }
}

interface Range {
  readonly from: bigint
  readonly to: bigint
  readonly signal: AbortSignal
}

/** The newest block that every side can speak of. */
async function newestOf(
  { client, signed }: Place,
  upstream: Client | undefined,
  signal: AbortSignal,
): Promise<bigint> {
  const numberOfPin = async (of: Client): Promise<bigint> =>
    proven(await getBlock(of, { signal })).number
  const own = signed === undefined ? await numberOfPin(client) : signed.value.number
  if (upstream === undefined || upstream === client) return own
  const other = await numberOfPin(upstream)
  if (other < own) return other
  return own
}

function rangeOf({ from, to }: Settings, newest: bigint): readonly [bigint, bigint] {
  const last = to === '' ? newest : numberOf(to, 'toBlock')
  const usual = last < USUAL ? 0n : last - USUAL + 1n
  return [from === '' ? usual : numberOf(from, 'fromBlock'), last]
}

async function byCole(
  { client, signed }: Place,
  { token, slot }: Settings,
  { from, to, signal }: Range,
  { count }: Meter,
): Promise<ByCole> {
  if (slot === '') {
    const problem = 'expected the slot in which the token keeps the balance'
    throw new InputError('input.slot', 'slot', problem)
  }
  const started = performance.now()
  const place = { address: token, slot: slotOf(slot) }
  const question = { ...place, fromBlock: from, toBlock: to, ...(signed && { at: signed.value }) }
  const found = await getHistory(client, { ...question, signal })
  if ('error' in found) throw found.error
  const cost = { ...count(), milliseconds: performance.now() - started }
  return { history: found.value, trust: found.trust, cost }
}

async function byLogs(
  client: Client,
  { address, token }: Settings,
  { from, to, signal }: Range,
  { count }: Meter,
): Promise<ByLogs> {
  const started = performance.now()
  const found: Transfer[] = []
  let trust: Trust | undefined
  for (const [name, topics] of eventFilters(address)) {
    const filter = { ...(token !== '' && { address: token }), topics }
    const result = await getLogs(client, {
      ...filter,
      fromBlock: from,
      toBlock: to,
      hashes: false,
      signal,
      onProgress: ({ left }) => {
        const what = `Transfers ${name}: ${grouped(left)} blocks left.`
        if (!signal.aborted) showDoing(what)
      },
    })
    if ('error' in result) throw result.error
    trust ??= result.trust
    found.push(...result.value.logs.flatMap(transferOf))
  }
  if (trust === undefined) throw new TypeError('no filter')
  const cost = { ...count(), milliseconds: performance.now() - started }
  return { transfers: inOrder(found), trust, cost }
}
