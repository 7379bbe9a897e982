/** Runs every vector of calls through the shipped wasm. */

// biome-ignore lint/style/noRestrictedImports: the bytes of the vectors are below what the package takes.
import * as bls12_381 from '../../../../sdk/dist/generated/bls12_381.js'
// biome-ignore lint/style/noRestrictedImports: as above.
import * as bn254 from '../../../../sdk/dist/generated/bn254.js'
// biome-ignore lint/style/noRestrictedImports: as above.
import * as evm from '../../../../sdk/dist/generated/evm.js'
import { publish } from './publish.js'
import { start } from './start.js'

/** What must come of one call: the fields that are there; of what is missing, the first item. */
export interface ExpectedAnswer {
  readonly status: string
  readonly output?: string
  readonly code?: string
  readonly item?: unknown
}

/** The vectors of calls, in the bytes that the module takes. */
export interface CallsFile {
  readonly tests: readonly {
    readonly id: number
    readonly comment: string
    readonly chain: string
    readonly forks: string
    readonly request: string
    readonly expected: readonly ExpectedAnswer[] | string
  }[]
}

/** How it went. */
export interface CallsReport {
  readonly count: number
  readonly failures: readonly unknown[]
}

interface Answers {
  readonly code?: string
  readonly answers?: readonly (ExpectedAnswer & { readonly items?: readonly unknown[] })[]
}

const curves = {
  precompile: (number: number, input: Uint8Array): Uint8Array =>
    (number <= 8 || number === 0x100 ? bn254 : bls12_381).precompile(number, input),
}

publish(run())

async function run(): Promise<CallsReport> {
  const text = document.getElementById('vectors')?.textContent ?? ''
  const { tests } = JSON.parse(text) as CallsFile
  for (const [name, glue] of Object.entries({ bls12_381, bn254, evm })) {
    await start(glue, name)
  }
  const failures: unknown[] = []
  for (const { id, comment, chain, forks, request, expected } of tests) {
    const bytes = [chain, forks, request].map(bytesOf) as [Uint8Array, Uint8Array, Uint8Array]
    const got = JSON.parse(evm.calls(...bytes, curves)) as Answers
    const isRight =
      typeof expected === 'string'
        ? got.code === expected
        : JSON.stringify(got.answers?.map(shortened)) === JSON.stringify(expected.map(shortened))
    if (!isRight) failures.push({ id, comment, expected, got })
  }
  return { count: tests.length, failures }
}

/** What vectors say of an answer. */
function shortened({
  status,
  output,
  code,
  item,
  items,
}: ExpectedAnswer & { readonly items?: readonly unknown[] }): unknown {
  if (status === 'missing') return { status, item: canonical(item ?? items?.[0]) }
  return status === 'halt' ? { status } : { status, output, code }
}

/** Entries of an item, in the order of their names. */
function canonical(item: unknown): unknown {
  return Object.entries(item ?? {}).sort(([a], [b]) => (a < b ? -1 : 1))
}

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(hex.slice(2).match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
}
