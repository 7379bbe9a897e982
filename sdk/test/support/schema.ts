/** The one schema of vectors, proof files and evidence, as a judge of files. */

import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'

const SCHEMA = new URL('../../../test-vectors/schema.json', import.meta.url)

const judge = new Ajv2020({ allErrors: true, strictRequired: false }).compile(
  JSON.parse(readFileSync(SCHEMA, 'utf8')) as object,
)

/** Is it a file of the schema, as it is written to disk? */
export function fits(file: unknown): boolean {
  return judge(JSON.parse(JSON.stringify(file)))
}
