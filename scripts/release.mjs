#!/usr/bin/env node
/**
 * Makes a release: builds and checks what is published to npm, packs it, installs the tarballs as a
 * user does, and writes their SHA-256. It publishes nothing; it prints the commands that do.
 *
 *   npm run release [-- --out DIR] [--programs DIR] [--dry-run]
 *
 * --out: where the tarballs and SHA256SUMS go, a folder that is emptied first.
 *
 * --programs: the node's programs of other platforms, `lightproof-node-PLATFORM`, with `.exe` for
 * Windows. This machine's is built.
 *
 * --dry-run: packs and checks what is built, of any tree; without cargo's release build and gates.
 */
import { createHash } from 'node:crypto'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { checkRest } from './check.mjs'
import { asProgram, flags } from './lib/program.mjs'
import { at, nodeProgram, readJson, releasedProgram } from './lib/repo.mjs'
import { run } from './lib/run.mjs'
import { step } from './lib/steps.mjs'
import { PLATFORMS, packNode, programName } from './nodePackages.mjs'
import { setup } from './setup.mjs'

const HERE = `${process.platform}-${process.arch}`
/** What can be wrong with a package; the tests are `.ci/run`'s. */
const GATES = ['versions', 'links', 'machine traces', 'publint', 'attw', 'size']
const BUILD = ['build', '--release', '--locked', '-p', 'lightproof-node', '--features', 'ethereum']

/**
 * What keeps a tree from being released, one line each.
 *
 * @param {{ version: string, changes: string, changelog: string }} tree its version, what git says
 *   of it, and its changelog
 * @returns {string[]}
 */
export function obstacles({ version, changes, changelog }) {
  const [, date = ''] = changelog.split(`\n## [${version}] - `)
  return [
    ...(changes === '' ? [] : ['there are changes that are not committed']),
    ...(/^\d{4}-\d\d-\d\d\n/.test(date) ? [] : [`CHANGELOG.md has no date for ${version}`]),
  ]
}

/**
 * The programs of a folder by their platforms.
 *
 * @param {string} dir
 * @returns {[string, string][]}
 * @throws {Error} of a file that is none
 */
export function programsOf(dir) {
  const names = new Map(PLATFORMS.map((one) => [programName(one, `-${one}`), one]))
  return readdirSync(dir).map((file) => {
    const platform = names.get(file)
    if (platform !== undefined) return [platform, path.join(dir, file)]
    throw new Error(`${path.join(dir, file)}: expected one of ${[...names.keys()].join(', ')}`)
  })
}

/**
 * Packs a folder of the workspace; the tarball's path.
 *
 * @param {string} dir
 * @param {string} out
 */
async function pack(dir, out) {
  const args = ['pack', '--silent', '--pack-destination', out]
  const printed = await run('npm', args, { cwd: at(dir) })
  return path.join(out, printed.trim().split('\n').at(-1) ?? '')
}

/**
 * Installs what a user of this machine does, and asks each command for its version.
 *
 * @param {string[]} tarballs
 * @throws {Error} if a command does not run, or is of another version
 */
async function tryOut(tarballs) {
  const { version } = readJson('package.json')
  const app = mkdtempSync(path.join(tmpdir(), 'lightproof-release-'))
  const inApp = { cwd: app }
  try {
    writeFileSync(path.join(app, 'package.json'), '{ "private": true, "type": "module" }')
    const others = PLATFORMS.filter((platform) => platform !== HERE)
    const own = tarballs.filter((file) => !others.some((platform) => file.includes(platform)))
    const quiet = ['--offline', '--no-audit', '--no-fund', '--omit=peer']
    await run('npm', ['install', ...quiet, ...own], inApp)
    const npx = (/** @type {string[]} */ ...args) => run('npx', ['--offline', ...args], inApp)
    const told = [await npx('lightproof', '--version'), await npx('lightproof-node', '--version')]
    await npx('create-lightproof', 'made', '--template', 'script')
    const made = JSON.parse(readFileSync(path.join(app, 'made', 'package.json'), 'utf8'))
    told.push(made.dependencies.lightproof)
    const wrong = told.filter((text) => text.trim().split(' ').at(-1) !== version)
    if (wrong.length > 0) throw new Error(`installed: ${wrong.join(', ')}, expected ${version}`)
  } finally {
    rmSync(app, { recursive: true, force: true })
  }
}

/**
 * Lines of `sha256sum`.
 *
 * @param {string[]} files
 */
function sums(files) {
  const sum = (/** @type {string} */ file) =>
    createHash('sha256').update(readFileSync(file)).digest('hex')
  return files.map((file) => `${sum(file)}  ${path.basename(file)}\n`).join('')
}

/**
 * Packs and checks everything that is published, and writes SHA256SUMS.
 *
 * @param {string} out
 * @param {[string, string][]} programs platform and file
 * @returns {Promise<string[]>} the tarballs, in the order in which they are published: whoever
 *   installs one finds what it needs
 */
async function packAll(out, programs) {
  rmSync(out, { recursive: true, force: true })
  mkdirSync(out, { recursive: true })
  const tarballs = await packNode(out, programs)
  for (const dir of ['sdk', 'create']) tarballs.push(await pack(dir, out))
  for (const file of tarballs) {
    await run(at('node_modules', '.bin', 'publint'), ['run', file, '--strict'])
  }
  await tryOut(tarballs)
  writeFileSync(path.join(out, 'SHA256SUMS'), sums(tarballs))
  return tarballs
}

/**
 * What is packed, and what is to be done with it.
 *
 * @param {string} out
 * @param {string[]} tarballs
 * @param {string[]} missing platforms
 */
function report(out, tarballs, missing) {
  const from = path.relative(process.cwd(), out) || '.'
  console.log(`\n${from}: ${tarballs.length} packages and SHA256SUMS\n`)
  for (const file of tarballs) {
    console.log(
      `  ${(statSync(file).size / 1000).toFixed(0).padStart(6)} kB  ${path.basename(file)}`,
    )
  }
  if (missing.length > 0) {
    console.log(`
No program for ${missing.join(', ')}: there npx lightproof-node says to build it. Build each with
cargo ${BUILD.join(' ')}
on a machine of its own, and give the folder with them: --programs DIR (see CONTRIBUTING.md).`)
  }
}

await asProgram(import.meta.url, async () => {
  const usage = 'npm run release [-- --out DIR] [--programs DIR] [--dry-run]'
  const given = flags(usage, {
    out: { type: 'string' },
    programs: { type: 'string' },
    'dry-run': { type: 'boolean' },
  })
  const isDry = given['dry-run'] === true
  const out = path.resolve(String(given.out ?? at('.cache', 'release')))
  const others =
    given.programs === undefined ? [] : programsOf(path.resolve(String(given.programs)))
  const lacks = obstacles({
    version: readJson('package.json').version,
    changes: await run('git', ['status', '--porcelain']),
    changelog: readFileSync(at('CHANGELOG.md'), 'utf8'),
  })
  if (!isDry && lacks.length > 0) throw new Error(`not released: ${lacks.join('; ')}`)

  if (!isDry) {
    await setup(['sdk'])
    await step('full node (release)', (onLine) => run('cargo', BUILD, { onLine }))
    const failed = await checkRest(GATES)
    if (failed.length > 0) throw new Error(`not released: failed gates: ${failed.join(', ')}`)
  }
  const program = process.env['LIGHTPROOF_NODE'] ?? nodeProgram()
  /** @type {[string, string]} */
  const own = [HERE, isDry ? program : releasedProgram('lightproof-node')]
  const programs = [own, ...others.filter(([platform]) => platform !== HERE)]
  const tarballs = await step('packages', () => packAll(out, programs))
  const packed = programs.map(([platform]) => platform)
  report(
    out,
    tarballs,
    PLATFORMS.filter((platform) => !packed.includes(platform)),
  )
  if (isDry) {
    for (const line of lacks) console.log(`\nA release would be refused: ${line}.`)
    return
  }
  console.log('\nTo publish, in this order:\n')
  for (const file of tarballs) console.log(`  npm publish ${path.relative(process.cwd(), file)}`)
})
