/**
 * Bundles what a browser downloads, for size-limit: of the whole package what a page with a pinned
 * block loads (`entry.js`), and all of it where the bundler does not split (`one-file.js`). Both
 * minified, without wasm.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('../..', import.meta.url))
const out = path.join(root, '.cache', 'size')
const common = /** @type {const} */ ({
  absWorkingDir: root,
  entryPoints: ['sdk/dist/entry/web.js'],
  bundle: true,
  minify: true,
  platform: 'browser',
  format: 'esm',
  logLevel: 'warning',
  // As in node_modules, where bundlers take no settings of the compiler from.
  tsconfigRaw: '{}',
})

rmSync(out, { recursive: true, force: true })
mkdirSync(out, { recursive: true })
await build({ ...common, outfile: path.join(out, 'one-file.js') })
const { metafile, outputFiles } = await build({
  ...common,
  splitting: true,
  metafile: true,
  write: false,
  outdir: path.join(out, 'split'),
})

/** Loaded by the first answer, whatever it is about. */
const ALWAYS = 'sdk/dist/generated/mpt.js'
const loaded = new Set()
const visit = (/** @type {string} */ file) => {
  if (loaded.has(file)) return
  loaded.add(file)
  for (const { path: next, kind } of metafile.outputs[file]?.imports ?? []) {
    if (kind === 'import-statement') visit(next)
  }
}
for (const [file, { entryPoint }] of Object.entries(metafile.outputs)) {
  if (entryPoint === ALWAYS || entryPoint === common.entryPoints[0]) visit(file)
}
const parts = outputFiles.filter((file) => loaded.has(path.relative(root, file.path)))
writeFileSync(path.join(out, 'entry.js'), parts.map(({ text }) => text).join(''))
