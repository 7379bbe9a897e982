/** Builds dist/: the compiled sources, the wasm modules that they load, and the licences. */
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import './inline.mjs'

const sdk = fileURLToPath(new URL('..', import.meta.url))
const at = (/** @type {string[]} */ ...parts) => path.join(sdk, ...parts)

rmSync(at('dist'), { recursive: true, force: true })
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc')
execFileSync(process.execPath, [tsc, '--project', at('tsconfig.build.json')], { stdio: 'inherit' })

mkdirSync(at('dist', 'generated'), { recursive: true })
for (const file of readdirSync(at('src', 'generated'))) {
  // The modules of later systems are built already, but nothing here loads them yet.
  if (file.startsWith('hash')) {
    copyFileSync(at('src', 'generated', file), at('dist', 'generated', file))
  }
}
for (const licence of ['LICENSE-MIT', 'LICENSE-APACHE'])
  copyFileSync(at('..', licence), at(licence))
