import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { at, readJson } from '../lib/repo.mjs'
import { PLATFORMS } from '../nodePackages.mjs'
import { obstacles, programsOf } from '../release.mjs'

const version = '1.2.3'
const changelog = '# Changelog\n\n## [1.2.3] - 2026-02-03\n\n## [1.2.2] - 2026-01-02\n'

test('default: a tree without changes, whose version has a date, is released', () => {
  expect(obstacles({ version, changes: '', changelog })).toEqual([])
})

test('error: changes, and a version without a date', () => {
  expect(obstacles({ version, changes: ' M README.md', changelog })).toEqual([
    'there are changes that are not committed',
  ])
  const noDate = ['CHANGELOG.md has no date for 1.2.3']
  const unreleased = changelog.replace('2026-02-03', 'unreleased')
  expect(obstacles({ version, changes: '', changelog: unreleased })).toEqual(noDate)
  expect(obstacles({ version, changes: '', changelog: '## [1.2.2] - 2026-01-02' })).toEqual(noDate)
})

test('default: programs of other platforms are named by them; another file is refused', () => {
  const dir = mkdtempSync(path.join(tmpdir(), 'lightproof-programs-'))
  try {
    const file = (/** @type {string} */ name) => path.join(dir, name)
    for (const name of ['lightproof-node-darwin-arm64', 'lightproof-node-win32-x64.exe']) {
      writeFileSync(file(name), '')
    }
    expect(programsOf(dir)).toEqual([
      ['darwin-arm64', file('lightproof-node-darwin-arm64')],
      ['win32-x64', file('lightproof-node-win32-x64.exe')],
    ])
    writeFileSync(file('lightproof-node-win32-x64'), '')
    expect(() => programsOf(dir)).toThrow(/win32-x64: expected one of lightproof-node-linux-x64, /)
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
})

test('default: the workflow builds every platform', () => {
  const workflow = readFileSync(at('.github', 'workflows', 'release.yml'), 'utf8')
  const built = [...workflow.matchAll(/platform: (\S+?),/g)].map(([, platform]) => platform)
  // The release builds its own machine's.
  expect(['linux-x64', ...built].sort()).toEqual([...PLATFORMS].sort())
})

test('default: sizes that pages state are those that size-limit holds', () => {
  /** @type {{ name: string, limit: string }[]} */
  const limits = readJson('.size-limit.json')
  const limitOf = (/** @type {string} */ name) =>
    Number.parseInt(limits.find((one) => one.name.startsWith(name))?.limit ?? '', 10)
  const [mpt, entry] = [limitOf('mpt module'), limitOf('SDK entry')]
  const said = (/** @type {string} */ file) =>
    [...readFileSync(at(file), 'utf8').matchAll(/at most (\d+) kB/g)].map(([, kB]) => Number(kB))
  expect(said('docs/index.md')).toEqual([mpt + entry])
  expect(said('sdk/README.md')).toEqual([mpt, entry])
})
