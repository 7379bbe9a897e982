/** The published types, as a user's compiler reads them: of the last build. */

import path from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'

const HERE = path.dirname(fileURLToPath(import.meta.url))
const ENTRIES = [
  'lightproof',
  'lightproof/blocks',
  'lightproof/dev',
  'lightproof/eip1193',
  'lightproof/evm',
  'lightproof/follows',
  'lightproof/inline',
  'lightproof/nodes',
  'lightproof/push',
  'lightproof/systems',
  'lightproof/tokens',
  'lightproof/trace',
  'lightproof/workers',
]

/** What the compiler says of a user's file. */
function complaints(code: string, options: ts.CompilerOptions): string[] {
  const file = path.join(HERE, 'user.ts')
  const settings: ts.CompilerOptions = {
    noEmit: true,
    strict: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    lib: ['lib.es2022.d.ts'],
    types: [],
    ...options,
  }
  const host = ts.createCompilerHost(settings)
  const { fileExists, getSourceFile } = host
  host.fileExists = (name) => name === file || fileExists(name)
  host.getSourceFile = (name, ...others) =>
    name === file
      ? ts.createSourceFile(name, code, ts.ScriptTarget.ES2022)
      : getSourceFile(name, ...others)
  const program = ts.createProgram([file], settings, host)
  return ts.getPreEmitDiagnostics(program).map(({ messageText, file: source }) => {
    const where = path.basename(source?.fileName ?? '')
    return `${where}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`
  })
}

const IMPORTS = ENTRIES.map((entry, i) => `export * as e${i} from '${entry}'`).join('\n')
const WRONG = "import { getBalance } from 'lightproof'\nexport const x: number = getBalance"
const DOM = ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts']

describe('types', () => {
  test('default: no library of DOM types is needed', () => {
    expect(complaints(IMPORTS, {})).toEqual([])
    // It can fail.
    expect(complaints(WRONG, {})).toHaveLength(1)
  })

  test.each([
    ['DOM', { lib: DOM }],
    ['Node.js', { types: ['node'] }],
  ])('default: %s adds to them', (_, options) => {
    expect(complaints(IMPORTS, options)).toEqual([])
    // What the platform has is not made weaker.
    const use = `
      import { createClient, mainnet } from 'lightproof'
      const fetch: typeof globalThis.fetch = globalThis.fetch
      const anchor = { block: '0x' }
      createClient({ chain: mainnet, anchor, nodes: [new URL('http://n1')], fetch })
      const wrong: AbortSignal = {}
      const fetched = 1 as unknown as import('lightproof').ClientOptions['fetch']
      fetched?.('http://n1').then((response) => response.status)
    `
    expect(complaints(use, options)).toEqual([expect.stringContaining("type 'AbortSignal'")])
  })

  test('default: compilers that know no `exports` find them', () => {
    const old = {
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Node10,
      ignoreDeprecations: '6.0',
      lib: DOM,
    }
    expect(complaints(IMPORTS, old)).toEqual([])
    expect(complaints("import 'lightproof/none'", old)).toHaveLength(1)
  })

  test('default: `require` is typed and works', () => {
    const code = `
      import lightproof = require('lightproof')
      import provider = require('lightproof/eip1193')
      export const make = [lightproof.createClient, provider.createProvider] as const
    `
    expect(complaints(code, {})).toEqual([])
  })
})
