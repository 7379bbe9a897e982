#!/usr/bin/env node
/**
 * Builds the WebAssembly modules again, in another folder with another home and another home of
 * cargo, as another user where root runs it, and compares each with the one that was built here
 * (`npm run reproducible`).
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
import { CommandError, run } from './lib/run.mjs'
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
 * Modules that are not the same in two folders, one line each.
 *
 * @param {string[]} modules
 * @param {string} here
 * @param {string} there
 */
export function differences(modules, here, there) {
  return modules.flatMap((name) => {
    const file = `${name}_bg.wasm`
    const [one, other] = [here, there].map((dir) => sha256(readFileSync(path.join(dir, file))))
    return one === other ? [] : [`${file}: ${one} here, ${other} elsewhere`]
  })
}

const NOBODY = '65534'
const AS_NOBODY = ['--reuid', NOBODY, '--regid', NOBODY, '--clear-groups', '--']

/**
 * What another user needs to build in a folder: links to this one's compiler and crates, whose home
 * is closed to others; `undefined` where this process may be no other user.
 *
 * @param {string} dir
 * @param {string} cargoHome
 */
async function asNobody(dir, cargoHome) {
  if (process.getuid?.() !== 0) return undefined
  try {
    await run('chown', ['-R', `${NOBODY}:${NOBODY}`, dir])
    const [cargo, compiler] = [path.join(dir, 'nobody-cargo'), path.join(dir, 'compiler')]
    await run('cp', ['-al', cargoHome, cargo])
    await run('cp', ['-al', (await run('rustc', ['--print', 'sysroot'])).trim(), compiler])
    const env = { CARGO_HOME: cargo, PATH: `${path.join(compiler, 'bin')}:${process.env.PATH}` }
    await run('setpriv', [...AS_NOBODY, 'cargo', '--version'], { cwd: dir, env })
    return env
  } catch (error) {
    if (error instanceof CommandError) return undefined
    throw error
  }
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
    const build = [debugProgram('lightproof-bindgen'), out, at(WASM_OPT), ...modules]
    const other = await asNobody(dir, CARGO_HOME)
    onLine(other ? 'built by the user nobody' : 'built by the same user')
    const [command = '', ...args] = other ? ['setpriv', ...AS_NOBODY, ...build] : build
    await run(command, args, { cwd: tree, env: { ...env, ...other }, onLine })
    return differences(modules, at(GENERATED), out)
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
