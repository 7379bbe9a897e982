/**
 * Builds dist/: the compiled and bundled sources, the wasm modules that they load with their SHA-256
 * in a list for `sha256sum --check`, and the licences.
 *
 *   node scripts/build.mjs [--quick]     --quick: without types, which are not checked either; modules may be missing
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundle } from './bundle.mjs'
import { slimGlue } from './glue.mjs'
import './inline.mjs'

const sdk = fileURLToPath(new URL('..', import.meta.url))
const at = (/** @type {string[]} */ ...parts) => path.join(sdk, ...parts)
/** `mpt.js`, but not `mpt.inline.js`. */
const GLUE = /^\w+\.js$/
// Whoever uses dist/ meanwhile keeps the old one, also if this build fails.
const fresh = at(`.dist-${process.pid}`)
const old = at(`.dist-${process.pid}-old`)

try {
  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc')
  const project = ['--project', at('tsconfig.build.json'), '--outDir', fresh]
  const quick = process.argv.includes('--quick')
    ? ['--noCheck', '--declaration', 'false', '--isolatedDeclarations', 'false']
    : []
  execFileSync(process.execPath, [tsc, ...project, ...quick], { stdio: 'inherit' })
  mkdirSync(path.join(fresh, 'generated'))
  for (const file of readdirSync(at('src', 'generated'))) {
    const [from, to] = [at('src', 'generated', file), path.join(fresh, 'generated', file)]
    if (GLUE.test(file)) writeFileSync(to, slimGlue(readFileSync(from, 'utf8')))
    else copyFileSync(from, to)
  }
  const sums = readdirSync(path.join(fresh, 'generated'))
    .filter((file) => file.endsWith('.wasm'))
    .map((file) => {
      const bytes = readFileSync(path.join(fresh, 'generated', file))
      return `${createHash('sha256').update(bytes).digest('hex')}  generated/${file}\n`
    })
  writeFileSync(path.join(fresh, 'SHA256SUMS'), sums.join(''))
  await bundle(fresh, at('package.json'))
  // npm does so where it installs the package; in this repository nobody does.
  chmodSync(path.join(fresh, 'cli.js'), 0o755)
  try {
    renameSync(at('dist'), old)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
  }
  renameSync(fresh, at('dist'))
  // npm links the programs that it finds when it installs, and in a fresh clone this one is not
  // built by then.
  const program = at('..', 'node_modules', '.bin', 'lightproof')
  rmSync(program, { force: true })
  symlinkSync(path.join('..', 'lightproof', 'dist', 'cli.js'), program)
} finally {
  rmSync(fresh, { recursive: true, force: true })
  rmSync(old, { recursive: true, force: true })
}
for (const licence of ['LICENSE-MIT', 'LICENSE-APACHE'])
  copyFileSync(at('..', licence), at(licence))
