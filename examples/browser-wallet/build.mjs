// Bundles the wallet into dist/: plain files for any static server.
import { copyFile, mkdir, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const here = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url))

await rm(here('dist'), { recursive: true, force: true })
await mkdir(here('dist/generated'), { recursive: true })
await Promise.all([
  copyFile(here('src/index.html'), here('dist/index.html')),
  // lightproof fetches its WebAssembly from generated/, beside the folder of its scripts. A balance
  // needs the module mpt, a checkpoint light, a call evm, a contract that works with curves one of
  // the last two.
  ...['mpt', 'light', 'evm', 'bn254', 'bls12_381'].map((name) =>
    copyFile(
      fileURLToPath(import.meta.resolve(`lightproof/${name}.wasm`)),
      here(`dist/generated/${name}_bg.wasm`),
    ),
  ),
  build({
    absWorkingDir: here('.'),
    entryPoints: [
      { in: 'src/main.ts', out: 'scripts/main' },
      { in: 'src/style.css', out: 'style' },
      // Proofs are checked in a worker. lightproof starts it from workers/web.js by itself.
      { in: 'lightproof/worker', out: 'workers/web' },
    ],
    chunkNames: 'scripts/[name]-[hash]',
    outdir: 'dist',
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    logLevel: 'warning',
  }),
])
