// @ts-check
// Finds the browser engines on this machine. No dependencies: scripts/test.mjs runs it before
// `npm ci`.
import { accessSync, constants, readdirSync, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** @import { EngineName, FoundEngine, MissingEngine } from './types.ts' */

/** @type {readonly EngineName[]} */
export const engineNames = ['chromium', 'firefox', 'webkit']

/**
 * What each engine needs: binaries by role, each with the variable that may name it, the names to
 * look for on PATH, other places, and its Debian package. MiniBrowser is never on PATH; its folder
 * carries the architecture and the API version.
 *
 * @type {Record<EngineName, { role: string, variable: string, names: string[], globs: string[][], package: string }[]>}
 */
const needs = {
  chromium: [
    {
      role: 'browser',
      variable: 'LIGHTPROOF_CHROMIUM',
      names: ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'],
      globs: [],
      package: 'chromium',
    },
  ],
  firefox: [
    {
      role: 'browser',
      variable: 'LIGHTPROOF_FIREFOX',
      names: ['firefox-esr', 'firefox'],
      globs: [['/usr/lib', 'firefox-esr', 'firefox-esr']],
      package: 'firefox-esr',
    },
  ],
  webkit: [
    {
      role: 'driver',
      variable: 'LIGHTPROOF_WEBKITDRIVER',
      names: ['WebKitWebDriver'],
      globs: [],
      package: 'webkit2gtk-driver',
    },
    {
      role: 'browser',
      variable: 'LIGHTPROOF_MINIBROWSER',
      names: [],
      globs: [
        ['/usr/lib', '*', 'webkit2gtk-4.1', 'MiniBrowser'],
        ['/usr/lib', '*', 'webkit2gtk-4.0', 'MiniBrowser'],
        ['/usr/libexec', 'webkit2gtk-4.1', 'MiniBrowser'],
      ],
      package: 'webkit2gtk-driver',
    },
    {
      role: 'display',
      variable: 'LIGHTPROOF_XVFB',
      names: ['Xvfb'],
      globs: [],
      package: 'xvfb',
    },
  ],
}

/** Every Debian package that the three engines come from. */
export const aptPackages = Object.freeze([
  ...new Set(engineNames.flatMap((name) => needs[name].map((need) => need.package))),
])

/**
 * Debian's folder of programs is searched too: a cron job or a container may run with a short PATH.
 */
const programFolders = [
  ...(process.env['PATH'] ?? '').split(delimiter),
  '/usr/bin',
  '/usr/local/bin',
]

/** @param {string} path */
function isProgram(path) {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/**
 * Paths that match a pattern given as segments, where `*` stands for any one name.
 *
 * @param {string[]} segments
 * @returns {string[]}
 */
function matches(segments) {
  let paths = [segments[0] ?? '/']
  for (const segment of segments.slice(1)) {
    paths = paths.flatMap((path) => {
      if (segment !== '*') return [join(path, segment)]
      try {
        return readdirSync(path).map((name) => join(path, name))
      } catch {
        return []
      }
    })
  }
  return paths
}

/** @param {{ names: string[], globs: string[][] }} need */
function usualPlaces({ names, globs }) {
  const folders = programFolders.filter((folder) => folder !== '')
  const onPath = names.flatMap((name) => folders.map((folder) => join(folder, name)))
  return [...onPath, ...globs.flatMap(matches)]
}

/**
 * Looks for one engine.
 *
 * @param {EngineName} engine
 * @param {(path: string) => boolean} [exists] stands in for a look at the file system
 * @returns {FoundEngine | MissingEngine}
 */
export function findEngine(engine, exists = isProgram) {
  /** @type {Record<string, string>} */
  const binaries = {}
  /** @type {Set<string>} */
  const missing = new Set()
  for (const need of needs[engine]) {
    const named = process.env[need.variable] ?? ''
    // A path that somebody gave is taken or refused, never replaced by another.
    const candidates = named === '' ? usualPlaces(need) : [named]
    const path = candidates.find((candidate) => exists(candidate))
    if (path === undefined) missing.add(need.package)
    else binaries[need.role] = path
  }
  if (missing.size === 0) return { status: 'found', engine, binaries }
  const packages = [...missing]
  return {
    status: 'missing',
    engine,
    packages,
    message: `${engine} is not installed here; on Debian: apt-get install ${packages.join(' ')}`,
  }
}

/**
 * Looks for the three engines.
 *
 * @returns {Record<EngineName, FoundEngine | MissingEngine>}
 */
export function findEngines() {
  return {
    chromium: findEngine('chromium'),
    firefox: findEngine('firefox'),
    webkit: findEngine('webkit'),
  }
}
