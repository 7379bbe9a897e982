#!/usr/bin/env node
/**
 * Builds the WebAssembly modules again, in another folder with another home and another home of
 * cargo, and compares each with the one that was built here (`npm run reproducible`).
 *
 *   node scripts/reproducible.mjs [--modules mpt,…]
 *
 * Prints the SHA-256 of each, as `sdk/dist/SHA256SUMS` lists them.
 */
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import path from 'node:path'
import { asProgram, flags, named } from './lib/program.mjs'
import { at, debugProgram } from './lib/repo.mjs'
import { run } from './lib/run.mjs'
import { step } from './lib/steps.mjs'
import { GENERATED, SHIPPED, setup, WASM_OPT } from './setup.mjs'

/** @param {Uint8Array} bytes */
const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex')

/**
 * A folder that holds what another one does, but for its name.
 *
 * @param {string} from
 * @param {string} to
 */
function mirror(from, to) {
  mkdirSync(to, { recursive: true })
  if (!existsSync(from)) return
  for (const name of readdirSync(from)) symlinkSync(path.join(from, name), path.join(to, name))
}

/**
 * Modules that come out otherwise elsewhere, one line each.
 *
 * @param {string[]} modules
 * @param {(line: string) => void} onLine
 */
export async function differingModules(modules, onLine) {
  const dir = mkdtempSync(path.join(tmpdir(), 'lightproof-elsewhere-'))
  try {
    const tree = path.join(dir, 'a', 'longer', 'path')
    const home = path.join(dir, 'home')
    const out = path.join(dir, 'out')
    const files = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'])
    for (const file of files.split('\0').filter((name) => name !== '' && existsSync(at(name)))) {
      cpSync(at(file), path.join(tree, file))
    }
    const { CARGO_HOME = path.join(homedir(), '.cargo') } = process.env
    const { RUSTUP_HOME = path.join(homedir(), '.rustup') } = process.env
    mirror(CARGO_HOME, path.join(home, 'cargo'))
    const env = {
      HOME: home,
      CARGO_HOME: path.join(home, 'cargo'),
      RUSTUP_HOME,
      CARGO_TARGET_DIR: path.join(dir, 'target'),
    }
    const args = [out, at(WASM_OPT), ...modules]
    await run(debugProgram('lightproof-bindgen'), args, { cwd: tree, env, onLine })
    return modules.flatMap((name) => {
      const file = `${name}_bg.wasm`
      const here = sha256(readFileSync(at(GENERATED, file)))
      const there = sha256(readFileSync(path.join(out, file)))
      return here === there ? [] : [`${file}: ${here} here, ${there} elsewhere`]
    })
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

await asProgram(import.meta.url, async () => {
  const usage = `node scripts/reproducible.mjs [--modules ${SHIPPED.join(',')}]`
  const given = flags(usage, { modules: { type: 'string' } })
  const modules = named(given.modules, SHIPPED, usage)
  await setup(['wasm'])
  const found = await step('build the modules elsewhere', (onLine) =>
    differingModules(modules, onLine),
  )
  for (const name of modules) {
    const file = `${name}_bg.wasm`
    console.log(`${sha256(readFileSync(at(GENERATED, file)))}  ${file}`)
  }
  if (found.length > 0) throw new Error(found.join('\n'))
})
