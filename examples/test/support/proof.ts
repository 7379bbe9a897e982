/** A proof file for pages and programs, and the block that it is checked against. */

import { readFile } from 'node:fs/promises'

interface Vectors {
  readonly groups: readonly {
    readonly chain: object
    readonly config: object
    readonly tests: readonly {
      readonly source: { readonly header?: { readonly hash: string } }
      readonly expected: { readonly result: string }
    }[]
  }[]
}

/** The first vector that proves something under a header, as a file. */
export async function someProof(): Promise<string> {
  const text = await readFile(new URL('../../../test-vectors/mpt.json', import.meta.url), 'utf8')
  for (const { chain, config, tests } of (JSON.parse(text) as Vectors).groups) {
    for (const { source, expected, ...rest } of tests) {
      if (expected.result !== 'valid' || source.header === undefined) continue
      const contents = { schema: 1, kind: 'proof', chain, system: 'mpt', config, source, expected }
      return JSON.stringify({ file: { ...contents, ...rest }, block: source.header.hash })
    }
  }
  throw new Error('no vector with a header')
}
