/** `lightproof verify` of a file that says: this block contradicts the chain that it follows. */

import { readFile } from 'node:fs/promises'
import { verifyContradiction } from '../follows/verifyContradiction.js'
import { toJson } from '../result/json.js'
import { systems } from '../systems/registry.js'
import { EXIT, type Io, jsonText, refusal, UsageError } from './io.js'
import { readChain } from './setup.js'

/** Options of `verify` that matter to a contradiction. */
export interface ContradictionValues {
  readonly chain?: string | undefined
  readonly block?: string | undefined
  readonly checkpoint?: string | undefined
  readonly origin?: string | undefined
  readonly accounts?: string | undefined
  readonly json?: boolean | undefined
}

/** @throws UsageError, InputError */
export async function verifyContradictionFile(
  io: Io,
  contents: unknown,
  values: ContradictionValues,
): Promise<number> {
  const { block, checkpoint, origin, accounts } = values
  if (values.chain === undefined) {
    throw new UsageError(
      'verify: --chain is missing: a contradiction is about a chain that you know',
    )
  }
  const { chain } = await readChain(values.chain)
  const outcome = await verifyContradiction(contents, {
    anchor: checkpoint === undefined ? { block: block ?? '' } : { checkpoint },
    chain,
    systems,
    ...(origin === undefined ? {} : { origin }),
    ...(accounts === undefined ? {} : { accounts: await readAccounts(accounts) }),
  })
  if (values.json === true) io.out(jsonText(toJson(outcome)))
  else io.err(refusal(outcome))
  if (values.json !== true && outcome.error.code === 'verify.contradiction') io.err(SHOWN)
  return EXIT.invalid
}

const SHOWN = 'who signed the block vouched for something false\n'

/** The operator's list (`--balances`): one address a line. */
async function readAccounts(file: string): Promise<readonly string[]> {
  try {
    return (await readFile(file, 'utf8')).split('\n').flatMap((line) => line.trim() || [])
  } catch (cause) {
    throw new UsageError(`--accounts: cannot read ${file}`, { cause })
  }
}
