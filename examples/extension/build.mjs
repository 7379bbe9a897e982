// Bundles the extension into dist/, a folder to load unpacked.
import { copyFile, mkdir, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const here = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url))

await rm(here('dist'), { recursive: true, force: true })
await mkdir(here('dist/generated'), { recursive: true })
await Promise.all([
  ...['manifest.json', 'popup.html', 'popup.css'].map((name) =>
    copyFile(here(`src/${name}`), here(`dist/${name}`)),
  ),
  // lightproof fetches its WebAssembly from generated/, beside the folder of its scripts.
  ...['mpt', 'light'].map((name) =>
    copyFile(
      fileURLToPath(import.meta.resolve(`lightproof/${name}.wasm`)),
      here(`dist/generated/${name}_bg.wasm`),
    ),
  ),
  build({
    absWorkingDir: here('.'),
    entryPoints: ['src/background.ts', 'src/popup.ts'],
    outdir: 'dist/scripts',
    bundle: true,
    // One file each: a service worker may not import while it runs.
    splitting: false,
    format: 'esm',
    target: 'es2022',
    minify: true,
    logLevel: 'warning',
  }),
])
