/** The TypeScript of the guides, against the types of the built package: every name in it exists and fits. */

import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, test } from 'vitest'

const GUIDES = fileURLToPath(new URL('../../guides', import.meta.url))
/** Where `lightproof` is this package. */
const HERE = fileURLToPath(new URL('.', import.meta.url))

/** What a reader has: names that the snippets use and do not make. */
const READER = `
  declare const trustedHash: string, checkpoint: string, address: string
  declare const rpcUrl: string, otherRpcUrl: string, beaconUrl: string
  declare const checkpointSources: string[]
  declare const client: import('lightproof').Client
  declare const store: import('lightproof').Store
  declare function report(node: string, code: string, evidence: unknown): void
`

const options: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
  types: ['node'],
}

function snippets(): Map<string, string> {
  const found = new Map<string, string>()
  for (const guide of readdirSync(GUIDES)) {
    const text = readFileSync(path.join(GUIDES, guide), 'utf8')
    for (const [i, [, code = '']] of [...text.matchAll(/```ts\n(.*?)```/gs)].entries()) {
      found.set(path.join(HERE, `${path.basename(guide, '.md')}-${i}.ts`), `${code}\nexport {}\n`)
    }
  }
  return found
}

function problems(sources: ReadonlyMap<string, string>): string[] {
  const host = ts.createCompilerHost(options)
  const { fileExists, readFile, getSourceFile } = host
  host.fileExists = (file) => sources.has(file) || fileExists(file)
  host.readFile = (file) => sources.get(file) ?? readFile(file)
  host.getSourceFile = (file, ...rest) => {
    const text = sources.get(file)
    return text === undefined
      ? getSourceFile(file, ...rest)
      : ts.createSourceFile(file, text, ts.ScriptTarget.ES2022)
  }
  const program = ts.createProgram([...sources.keys()], options, host)
  return ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => {
    const text = ts.flattenDiagnosticMessageText(messageText, '\n')
    return `${path.basename(file?.fileName ?? '')}: ${text}`
  })
}

test('default: every snippet compiles', { timeout: 120_000 }, () => {
  const sources = snippets()
  expect(sources.size).toBeGreaterThanOrEqual(8)
  sources.set(path.join(HERE, 'reader.d.ts'), READER)
  expect(problems(sources)).toEqual([])
  const wrong = "import { getNothing } from 'lightproof'\nexport {}\n"
  sources.set(path.join(HERE, 'wrong.ts'), wrong)
  expect(problems(sources)).toEqual([expect.stringMatching(/^wrong\.ts: .*getNothing/)])
})
