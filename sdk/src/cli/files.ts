/** `lightproof export` and `lightproof verify`: proofs as files. */

import { writeFile } from 'node:fs/promises'
import { fetchProof } from '../actions/fetchProof.js'
import { verifyProofFile } from '../actions/verifyProofFile.js'
import type { Client } from '../client.js'
import { isRecord } from '../encoding/input.js'
import { rowsOf } from './get.js'
import { EXIT, type Io, printable, UsageError } from './io.js'
import { blockOption, integer, readChain, readJson, slotOf } from './setup.js'
import { type ProvenOutcome, show } from './show.js'
import { SYSTEMS } from './systems.js'

/** Runs `export ADDRESS`. */
export async function exportProof(
  io: Io,
  client: Client,
  [address]: readonly string[],
  values: {
    readonly at?: string | undefined
    readonly slot?: readonly string[] | undefined
    readonly code?: boolean | undefined
    readonly out?: string | undefined
  },
): Promise<number> {
  if (address === undefined) throw new UsageError('export: ADDRESS is missing')
  const { slot = [], code = false, out } = values
  const question = { address, slots: slot.map(slotOf), code, signal: io.signal }
  const file = await fetchProof(client, { ...question, ...blockOption(values.at) })
  const text = `${JSON.stringify(file, null, 2)}\n`
  if (out === undefined) io.out(text)
  else await writeFile(out, text)
  const anchor = 'header' in file.source ? file.source.header.hash : undefined
  const place = printable(out ?? 'FILE')
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
    readonly number?: string | undefined
    readonly json?: boolean | undefined
  },
): Promise<number> {
  if (file === undefined) throw new UsageError('verify: FILE is missing')
  const { block, root, number, json = false } = values
  if ((block === undefined) === (root === undefined)) {
    const why = 'a hash from a source you trust; the one in the file proves nothing'
    throw new UsageError(`verify: give one of --block HASH and --root HASH: ${why}`)
  }
  const { chain } =
    values.chain === undefined ? { chain: undefined } : await readChain(values.chain)
  const contents = await readJson(file, 'FILE')
  const height = number === undefined ? {} : { number: integer(number, '--number') }
  const outcome = await verifyProofFile(contents, {
    anchor: root === undefined ? { block: block ?? '' } : { root, ...height },
    systems: SYSTEMS,
    ...(chain === undefined ? {} : { chain }),
  })
  const rows = ({ value }: ProvenOutcome): [string, string][] => rowsOf('value', value)
  const exit = await show(io, outcome, { json, rows })
  if (outcome.status === 'invalid' && isEvidence(contents, outcome.error.code) && !json) {
    io.err('that is what the file, as evidence of a lie, says of itself\n')
  }
  return exit
}

/** Does a file of evidence fail as it says? */
function isEvidence(file: unknown, code: string): boolean {
  if (!isRecord(file) || file['kind'] !== 'evidence') return false
  const { expected } = file
  return isRecord(expected) && expected['code'] === code
}
