// Bundles the page into dist/: plain files for any static server.
import { copyFile, mkdir, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const folder = fileURLToPath(new URL('.', import.meta.url))

await rm(`${folder}dist`, { recursive: true, force: true })
await mkdir(`${folder}dist`)
await Promise.all([
  copyFile(`${folder}src/index.html`, `${folder}dist/index.html`),
  build({
    absWorkingDir: folder,
    // The worker lies where lightproof looks for it: in workers/, beside the folder of the file
    // that starts it.
    entryPoints: [
      { in: 'src/main.ts', out: 'main' },
      { in: 'src/style.css', out: 'style' },
      { in: 'lightproof/worker', out: 'workers/web' },
    ],
    chunkNames: 'parts/[name]-[hash]',
    outdir: 'dist',
    bundle: true,
    // The verifier is a file of its own, fetched after the first paint.
    splitting: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    loader: { '.wasm': 'file' },
    logLevel: 'warning',
  }),
])
