/** Builds the pages that run the vectors. */

import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const names = [
  'url',
  'inline',
  'worker-page',
  'pool',
  'headers',
  'mainnet',
  'store',
  'kept',
  'systems',
  'calls',
  'call-workers',
  'bridge',
  'window',
  'altered',
  'lies',
] as const
const modules = ['mpt', 'hash', 'bn254', 'bls12_381', 'light', 'evm'] as const

/** One page for each way of loading the verifier. */
type PageName = (typeof names)[number]

/**
 * Bundles the pages into a temporary folder, laid out as the package is: wasm in `generated/` and
 * the worker in `workers/`, beside the script's folder. Each carries `vectors`, the text of a JSON
 * file.
 */
export async function buildPages(
  vectors: string,
): Promise<{ folder: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'lightproof-pages-'))
  await mkdir(join(folder, 'generated'))
  await Promise.all([
    build({
      absWorkingDir: fileURLToPath(new URL('.', import.meta.url)),
      entryPoints: [
        ...[...names, 'worker'].map((name) => ({
          in: `pages/${name}.ts`,
          out: `scripts/${name}`,
        })),
        { in: 'lightproof/worker', out: 'workers/web' },
      ],
      outdir: folder,
      chunkNames: 'scripts/[name]-[hash]',
      bundle: true,
      splitting: true,
      format: 'esm',
      target: 'es2022',
      logLevel: 'warning',
    }),
    ...modules.map((name) =>
      copyFile(
        fileURLToPath(import.meta.resolve(`lightproof/${name}.wasm`)),
        join(folder, 'generated', `${name}_bg.wasm`),
      ),
    ),
    ...names.map((name) => writeFile(join(folder, `${name}.html`), page(name, vectors))),
  ])
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}

function page(name: PageName, vectors: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>${name}</title>
    <link rel="icon" href="data:,">
  </head>
  <body>
    <script id="vectors" type="application/json">${vectors.replaceAll('<', '\\u003c')}</script>
    <script type="module" src="scripts/${name}.js"></script>
  </body>
</html>
`
}
