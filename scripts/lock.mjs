#!/usr/bin/env node
/**
 * Brings package-lock.json up to date (`npm run lock`), and completes it.
 *
 * Optional packages hold one platform's binary each. A registry mirror that lacks some of them makes npm leave these
 * out of the lockfile, after which `npm ci` refuses it everywhere and other platforms would get no binary. Their
 * versions, systems and processors are known all the same: from the package that asks for them, and from their names.
 */
import { writeFileSync } from 'node:fs'
import { at, readJson } from './lib/repo.mjs'
import { run } from './lib/run.mjs'

const SYSTEMS = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
]
const PROCESSORS = [
  'arm',
  'arm64',
  'ia32',
  'loong64',
  'mips64el',
  'ppc64',
  'riscv64',
  's390x',
  'x64',
]

/**
 * What the name of a platform's package says about where it installs, or undefined if it names no platform.
 *
 * @param {string} name
 */
function platform(name) {
  const words = name.split(/[/-]/)
  const os = words.find((word) => SYSTEMS.includes(word))
  const cpu = words.find((word) => PROCESSORS.includes(word))
  if (os === undefined || cpu === undefined) return undefined
  const libc = words.some((word) => word.startsWith('musl'))
    ? 'musl'
    : words.some((word) => word.startsWith('gnu'))
      ? 'glibc'
      : undefined
  return { cpu: [cpu], ...(libc && os === 'linux' ? { libc: [libc] } : {}), os: [os] }
}

/**
 * Adds what is missing to `lock`, in place, and returns how many entries that were.
 *
 * @param {{ packages: Record<string, { optionalDependencies?: Record<string, string> }> }} lock
 */
function complete(lock) {
  /** @type {Record<string, object>} */
  const missing = {}
  for (const entry of Object.values(lock.packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      const key = `node_modules/${name}`
      const where = platform(name)
      if (lock.packages[key] !== undefined || where === undefined || !/^\d/.test(version)) continue
      missing[key] = { version, ...where, dev: true, optional: true }
    }
  }
  const entries = Object.entries({ ...lock.packages, ...missing })
  lock.packages = Object.fromEntries(entries.sort(([a], [b]) => a.localeCompare(b, 'en')))
  return Object.keys(missing).length
}

await run('npm', ['install', '--package-lock-only', '--no-audit', '--no-fund'])
const lock = readJson('package-lock.json')
const added = complete(lock)
writeFileSync(at('package-lock.json'), `${JSON.stringify(lock, null, 2)}\n`)
console.log(`package-lock.json is current; ${added} platform packages completed by name.`)
