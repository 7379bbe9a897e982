#!/usr/bin/env node
/**
 * Packs the full node for npm: `lightproof-node`, a launcher, and a package with the program for
 * each platform, of which npm installs the one that fits. Prints the tarballs in the order in which
 * a release publishes them.
 *
 *   node scripts/nodePackages.mjs --out DIR [--programs PLATFORM=FILE,…]
 *
 * --programs: what `cargo build --release --locked -p lightproof-node --features ethereum` made on
 * a machine of each platform; for Linux on Debian 12, whose glibc is the newest that is accepted.
 * `npm run release` gives them.
 */
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { asProgram, flags } from './lib/program.mjs'
import { at, readJson } from './lib/repo.mjs'
import { run } from './lib/run.mjs'

/** By Node.js' names: what its launcher finds itself on. */
export const PLATFORMS = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64']
/** By the number of the processor in the program's head. @type {Record<number, string>} */
const ELF = { 62: 'linux-x64', 183: 'linux-arm64' }
/** @type {Record<number, string>} */
const MACH_O = { 16777223: 'darwin-x64', 16777228: 'darwin-arm64' }
/** glibc 2.x of Debian 12. */
const NEWEST_GLIBC = 36
/** By their names in the package. */
const LICENSES = {
  'LICENSE-MIT': 'LICENSE-MIT',
  'LICENSE-APACHE': 'LICENSE-APACHE',
  'THIRD_PARTY.txt': 'node/npm/THIRD_PARTY.txt',
}

/**
 * What the packages' manifests share.
 *
 * @param {string} name
 * @param {string} description
 */
function manifest(name, description) {
  const { version, license, homepage, bugs, repository, engines } = readJson('package.json')
  return {
    name,
    version,
    description,
    license,
    homepage,
    bugs,
    repository: { ...repository, directory: 'node' },
    engines,
    publishConfig: { access: 'public' },
  }
}

/** @param {string} platform */
const packageOf = (platform) => `@lightproof/node-${platform}`

/**
 * The name of a platform's program.
 *
 * @param {string} platform
 * @param {string} [suffix]
 */
export function programName(platform, suffix = '') {
  return `lightproof-node${suffix}${platform.startsWith('win32') ? '.exe' : ''}`
}

/**
 * The glibc 2.x that a program asks for.
 *
 * @param {string} program
 */
function neededGlibc(program) {
  const versions = readFileSync(program, 'latin1').matchAll(/GLIBC_2\.(\d+)/g)
  return Math.max(0, ...[...versions].map(([, minor]) => Number(minor)))
}

/**
 * The platform that a program is for, by its first bytes: ELF's, Mach-O's or PE's; undefined of
 * another file.
 *
 * @param {string} program
 */
function builtFor(program) {
  const bytes = readFileSync(program)
  const at = (/** @type {number} */ place) =>
    bytes.length >= place + 4 ? bytes.readUInt32LE(place) : 0
  if (at(0) === 0x464c457f) return ELF[at(18) & 0xffff]
  if (at(0) === 0xfeedfacf) return MACH_O[at(4)]
  const isPe = (at(0) & 0xffff) === 0x5a4d && at(at(60)) === 0x4550
  return isPe && (at(at(60) + 4) & 0xffff) === 0x8664 ? 'win32-x64' : undefined
}

/**
 * The manifest of a platform's package.
 *
 * @param {string} platform
 * @param {string} program
 * @throws {Error} if the program is for another platform, or needs a glibc that is newer than
 *   Debian 12's
 */
function platformManifest(platform, program) {
  const found = builtFor(program)
  if (found !== platform) {
    throw new Error(`${program} is a program for ${found ?? 'no known platform'}, not ${platform}`)
  }
  const [os = '', cpu = ''] = platform.split('-')
  const shared = manifest(packageOf(platform), `The program of lightproof-node for ${os} on ${cpu}`)
  const fits = { os: [os], cpu: [cpu], preferUnplugged: true }
  if (os !== 'linux') return { ...shared, ...fits }
  const glibc = neededGlibc(program)
  if (glibc > NEWEST_GLIBC) {
    const most = `at most 2.${NEWEST_GLIBC}, that of Debian 12`
    throw new Error(`${program} needs glibc 2.${glibc}, expected ${most}: build it there`)
  }
  const description = `${shared.description}, with glibc 2.${glibc} or newer`
  return { ...shared, description, ...fits, libc: ['glibc'] }
}

/**
 * Packs a folder of these files; the tarball's path.
 *
 * @param {string} out
 * @param {object} manifest
 * @param {Record<string, { from: string, mode?: number }>} files by their names in the package
 */
async function pack(out, manifest, files) {
  const dir = mkdtempSync(path.join(tmpdir(), 'lightproof-pack-'))
  try {
    const json = { ...manifest, files: [...Object.keys(files), ...Object.keys(LICENSES)] }
    writeFileSync(path.join(dir, 'package.json'), `${JSON.stringify(json, undefined, 2)}\n`)
    for (const [name, { from, mode = 0o644 }] of Object.entries(files)) {
      copyFileSync(from, path.join(dir, name))
      chmodSync(path.join(dir, name), mode)
    }
    for (const [name, from] of Object.entries(LICENSES))
      copyFileSync(at(from), path.join(dir, name))
    const tarball = await run('npm', ['pack', '--silent', '--pack-destination', out], { cwd: dir })
    return path.join(out, tarball.trim())
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

/**
 * Packs the programs, then the launcher.
 *
 * @param {string} out folder for the tarballs
 * @param {readonly (readonly [string, string])[]} programs platform and file
 * @returns {Promise<string[]>} the tarballs' paths
 * @throws {Error} of a platform that is not known, or a program that does not fit it
 */
export async function packNode(out, programs) {
  mkdirSync(out, { recursive: true })
  const tarballs = []
  for (const [platform, from] of programs) {
    if (!PLATFORMS.includes(platform)) {
      throw new Error(`no platform ${platform}; there are ${PLATFORMS.join(', ')}`)
    }
    const own = platformManifest(platform, from)
    tarballs.push(await pack(out, own, { [programName(platform)]: { from, mode: 0o755 } }))
  }
  const launcher = manifest(
    'lightproof-node',
    "Lightproof's full node, for a devnet or beside geth",
  )
  const { version } = launcher
  const more = {
    type: 'module',
    bin: { 'lightproof-node': 'lightproof-node.mjs' },
    optionalDependencies: Object.fromEntries(PLATFORMS.map((one) => [packageOf(one), version])),
  }
  const files = {
    'lightproof-node.mjs': { from: at('node/npm/lightproof-node.mjs'), mode: 0o755 },
    'README.md': { from: at('node/README.md') },
  }
  return [...tarballs, await pack(out, { ...launcher, ...more }, files)]
}

await asProgram(import.meta.url, async () => {
  const usage = 'node scripts/nodePackages.mjs --out DIR [--programs PLATFORM=FILE,…]'
  const given = flags(usage, { out: { type: 'string' }, programs: { type: 'string' } })
  if (given.out === undefined) throw new Error(`usage: ${usage}`)
  const pairs = String(given.programs ?? '')
    .split(',')
    .filter(Boolean)
  /** @type {[string, string][]} */
  const programs = pairs.map((pair) => {
    const [platform = '', ...file] = pair.split('=')
    return [platform, path.resolve(file.join('='))]
  })
  console.log((await packNode(path.resolve(String(given.out)), programs)).join('\n'))
})
