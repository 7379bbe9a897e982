/** `lightproof export` and `lightproof verify`: proofs as files. */

import { writeFile } from 'node:fs/promises'
import { fetchProof } from '../actions/fetchProof.js'
import { verifyProofFile } from '../actions/verifyProofFile.js'
import type { Client } from '../client/client.js'
import { isRecord, timeOf } from '../encoding/input.js'
import { toJson } from '../result/json.js'
import { type SystemName, systems } from '../systems/registry.js'
import { verifyContradictionFile } from './contradiction.js'
import { rowsOf } from './get.js'
import { EXIT, type Io, jsonText, line, refusal, table, UsageError } from './io.js'
import { blockOption, integer, readChain, readJson, slotOf } from './setup.js'
import { type ProvenOutcome, show } from './show.js'
import { headerRow } from './sync.js'

/** Runs `export ADDRESS`. */
export async function exportProof(
  io: Io,
  makeClient: () => Promise<Client>,
  [address]: readonly string[],
  values: {
    readonly at?: string | undefined
    readonly slot?: readonly string[] | undefined
    readonly code?: boolean | undefined
    readonly expires?: string | undefined
    readonly out?: string | undefined
  },
): Promise<number> {
  if (address === undefined) throw new UsageError('export: ADDRESS is missing')
  const { slot = [], code = false, expires, out } = values
  const question = {
    address,
    slots: slot.map(slotOf),
    code,
    signal: io.signal,
    ...(expires === undefined ? {} : { expires: expiry(expires) }),
  }
  const file = await fetchProof(await makeClient(), { ...question, ...blockOption(values.at) })
  const text = jsonText(toJson(file))
  if (out === undefined) io.out(text)
  else await writeFile(out, text)
  const anchor = 'header' in file.source ? file.source.header.hash : undefined
  const place = line(out ?? 'FILE')
  io.err(`check it with: lightproof verify ${place} --block ${anchor ?? 'HASH'}\n`)
  return EXIT.ok
}

/** Runs `verify FILE`. */
export async function verify(
  io: Io,
  [file]: readonly string[],
  values: {
    readonly chain?: string | undefined
    readonly block?: string | undefined
    readonly root?: string | undefined
    readonly system?: string | undefined
    readonly checkpoint?: string | undefined
    readonly number?: string | undefined
    readonly origin?: string | undefined
    readonly accounts?: string | undefined
    readonly now?: string | undefined
    readonly 'max-age'?: string | undefined
    readonly json?: boolean | undefined
  },
): Promise<number> {
  if (file === undefined) throw new UsageError('verify: FILE is missing')
  const { block, root, checkpoint, number, 'max-age': maxAge, json = false } = values
  if ([block, root, checkpoint].filter((one) => one !== undefined).length !== 1) {
    const why = 'a hash from a source you trust; the one in the file proves nothing'
    const which =
      '--block HASH and --root HASH, or --checkpoint HASH for evidence of signed headers'
    throw new UsageError(`verify: give one of ${which}: ${why}`)
  }
  const contents = await readJson(file, 'FILE')
  if (isRecord(contents) && contents['kind'] === 'contradiction') {
    return verifyContradictionFile(io, contents, values)
  }
  if (checkpoint !== undefined) return verifyHeaders(io, contents, checkpoint, values)
  const { chain } =
    values.chain === undefined ? { chain: undefined } : await readChain(values.chain)
  const height = number === undefined ? {} : { number: integer(number, '--number') }
  // The name of a system is parsed with the rest of the anchor.
  const kind = values.system === undefined ? {} : { system: values.system as SystemName }
  const outcome = await verifyProofFile(contents, {
    anchor: root === undefined ? { block: block ?? '' } : { root, ...kind, ...height },
    systems,
    ...(chain === undefined ? {} : { chain }),
    ...(values.now === undefined ? {} : { now: time(values.now, '--now') }),
    ...(maxAge === undefined ? {} : { maxAgeSeconds: seconds(maxAge, '--max-age') }),
  })
  const rows = ({ value }: ProvenOutcome): [string, string][] => rowsOf('value', value)
  const exit = await show(io, outcome, { json, rows })
  if (outcome.status === 'invalid' && isEvidence(contents, outcome.error.code) && !json) {
    io.err(CONVICTED)
  }
  return exit
}

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/** A time, or how long from now. */
function expiry(text: string): Date {
  const ms = span(text)
  return ms === undefined ? time(text, '--expires') : new Date(Date.now() + ms)
}

function seconds(text: string, option: string): number {
  const ms = span(text)
  if (ms !== undefined && ms > 0) return ms / 1000
  throw new UsageError(`${option}: expected a time such as 30m, 24h or 7d, got ${text}`)
}

/** Milliseconds of `30m`, `24h`, `7d`. */
function span(text: string): number | undefined {
  const [, count, unit = ''] = /^(\d{1,6})([mhd])$/.exec(text) ?? []
  const size = UNITS[unit]
  return count === undefined || size === undefined ? undefined : Number(count) * size
}

function time(text: string, option: string): Date {
  const at = timeOf(text)
  if (!Number.isNaN(at)) return new Date(at)
  throw new UsageError(`${option}: expected a time such as 2026-01-31T12:00:00Z, got ${text}`)
}

/** Evidence of signed headers: what the file says, or that the headers hold. */
async function verifyHeaders(
  io: Io,
  contents: unknown,
  checkpoint: string,
  values: { readonly chain?: string | undefined; readonly json?: boolean | undefined },
): Promise<number> {
  const { chain } = await readChain(values.chain)
  const outcome = await verifyProofFile(contents, { anchor: { checkpoint }, chain })
  if (values.json === true) io.out(jsonText(toJson(outcome)))
  if (outcome.status === 'signed') {
    if (values.json === true) return EXIT.ok
    const { finalized, head } = outcome
    io.out(
      table([
        ['status', 'the headers hold: no evidence of a lie'],
        ['finalized', headerRow(finalized)],
        ['head', headerRow(head)],
      ]),
    )
    return EXIT.ok
  }
  if (values.json !== true) {
    io.err(refusal(outcome))
    if (isEvidence(contents, outcome.error.code)) io.err(CONVICTED)
  }
  return EXIT.invalid
}

const CONVICTED = 'that is what the file, as evidence of a lie, says of itself\n'

/** Does a file of evidence fail as it says? */
function isEvidence(file: unknown, code: string): boolean {
  if (!isRecord(file) || file['kind'] !== 'evidence') return false
  const { expected } = file
  return isRecord(expected) && expected['code'] === code
}
