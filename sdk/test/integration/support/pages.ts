/** Bundles pages of the tests, from the sources, and serves them. */

import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { serveStatic } from '../../../../scripts/engines/serve.mjs'
import { slimGlue } from '../../../scripts/glue.mjs'

const SDK = fileURLToPath(new URL('../../../', import.meta.url))
const MODULES = ['mpt', 'hash', 'bn254', 'bls12_381', 'light', 'evm'] as const

/** Pages run the glue that is shipped. */
const slimmed: Plugin = {
  name: 'slim-glue',
  setup({ onLoad }) {
    onLoad({ filter: /[/\\]src[/\\]generated[/\\]\w+\.js$/ }, async ({ path: file }) => {
      return { contents: slimGlue(await readFile(file, 'utf8')), loader: 'js' }
    })
  },
}

/** Pages by name, `/NAME.html`. */
export async function servePages(
  names: readonly string[],
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'lightproof-flows-'))
  await mkdir(path.join(folder, 'generated'))
  await Promise.all([
    build({
      absWorkingDir: SDK,
      entryPoints: [
        ...names.map((name) => ({
          in: `test/integration/pages/${name}.ts`,
          out: `scripts/${name}`,
        })),
        { in: 'src/workers/web.ts', out: 'workers/web' },
      ],
      outdir: folder,
      chunkNames: 'scripts/[name]-[hash]',
      bundle: true,
      splitting: true,
      // The package's list of files with effects is of dist/.
      ignoreAnnotations: true,
      format: 'esm',
      target: 'es2022',
      define: { 'process.env.NODE_ENV': '"development"' },
      plugins: [slimmed],
      logLevel: 'warning',
    }),
    ...MODULES.map((name) =>
      copyFile(
        path.join(SDK, 'src', 'generated', `${name}_bg.wasm`),
        path.join(folder, 'generated', `${name}_bg.wasm`),
      ),
    ),
    ...names.map((name) => writeFile(path.join(folder, `${name}.html`), page(name))),
  ])
  const server = await serveStatic(folder)
  const close = async (): Promise<void> => {
    await server.close()
    await rm(folder, { recursive: true, force: true })
  }
  return { url: server.url, close }
}

const page = (name: string): string => `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>${name}</title><link rel="icon" href="data:,"></head>
  <body><script type="module" src="scripts/${name}.js"></script></body>
</html>
`
