/**
 * What `npm run release` makes, without its build and its gates: every package, checked from its
 * tarball, without network.
 */

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run } from '../support/installed.js'
import { BINARY } from '../support/liveNode.js'

const RELEASE = fileURLToPath(new URL('../../../scripts/release.mjs', import.meta.url))
const HERE = `${process.platform}-${process.arch}`
/** The heads of programs for other machines. */
const HEADS: Readonly<Record<string, Buffer>> = {
  'lightproof-node-linux-arm64': Buffer.concat([
    Buffer.from('\x7fELF'.padEnd(18, '\0')),
    Buffer.from([0xb7, 0, 0, 0]),
  ]),
  'lightproof-node-darwin-arm64': Buffer.from([0xcf, 0xfa, 0xed, 0xfe, 0x0c, 0, 0, 0x01]),
  'lightproof-node-win32-x64.exe': windowsHead(),
}

let dir: string
let out: string
let made: ReturnType<typeof release>

beforeAll(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'lightproof-release-'))
  out = path.join(dir, 'packed')
  const programs = path.join(dir, 'programs')
  mkdirSync(programs)
  for (const [name, head] of Object.entries(HEADS)) writeFileSync(path.join(programs, name), head)
  made = release('--out', out, '--programs', programs)
})
afterAll(() => rmSync(dir, { recursive: true, force: true }))

function windowsHead(): Buffer {
  const head = Buffer.alloc(0x80 + 8)
  head.write('MZ')
  head.writeUInt32LE(0x80, 60)
  head.write('PE\0\0', 0x80)
  head.writeUInt16LE(0x8664, 0x84)
  return head
}

/** Runs the command where npm may reach nobody. */
function release(...args: readonly string[]) {
  const env = { ...process.env, LIGHTPROOF_NODE: BINARY, npm_config_offline: 'true' }
  const command = [RELEASE, '--dry-run', ...args]
  return spawnSync(process.execPath, command, { cwd: dir, env, encoding: 'utf8' })
}

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license: string
  readonly repository: { readonly directory: string }
}

function manifestOf(tarball: string): Manifest {
  return JSON.parse(run('tar', ['-xzOf', tarball, 'package/package.json'], out))
}

test('default: every package is packed, in the order in which it is published', () => {
  expect(made).toMatchObject({ status: 0, stderr: '' })
  const lines = readFileSync(path.join(out, 'SHA256SUMS'), 'utf8').trim().split('\n')
  const files = lines.map((line) => line.split('  ')[1] ?? '')
  const manifests = files.map(manifestOf)
  const names = manifests.map(({ name }) => name)
  const platforms = names.filter((name) => name.startsWith('@lightproof/node-'))
  expect(platforms.length).toBeGreaterThanOrEqual(4)
  expect(platforms).toContain(`@lightproof/node-${HERE}`)
  expect(names).toEqual([...platforms, 'lightproof-node', 'lightproof', 'create-lightproof'])
  expect(new Set(manifests.map(({ version }) => version)).size).toBe(1)
  for (const { license, repository } of manifests) {
    expect(license).toBe('MIT OR Apache-2.0')
    expect(['node', 'sdk', 'create']).toContain(repository.directory)
  }
  expect([...files, 'SHA256SUMS'].sort()).toEqual(readdirSync(out).sort())
})

test('default: a sum for each file, and no package has what is not for users', () => {
  for (const line of readFileSync(path.join(out, 'SHA256SUMS'), 'utf8').trim().split('\n')) {
    const [sum, file = ''] = line.split('  ')
    const bytes = readFileSync(path.join(out, file))
    expect(sum).toBe(createHash('sha256').update(bytes).digest('hex'))
    const packed = run('tar', ['-tzf', file], out).trim().split('\n')
    expect(packed).toEqual(
      expect.arrayContaining(['package/LICENSE-MIT', 'package/LICENSE-APACHE']),
    )
    const own = packed.filter((name) => !name.startsWith('package/templates/'))
    expect(own.filter((name) => /\btests?\b|\/src\/|(?<!\.d)\.ts$|\.map$/.test(name))).toEqual([])
  }
})

test('default: it names the platforms that lack a program, and what a release would refuse', () => {
  expect(made.stdout).toMatch(/No program for (darwin|linux|win32)-\S+: there npx lightproof-node/)
  expect(made.stdout).toContain('cargo build --release --locked -p lightproof-node')
  expect(made.stdout).not.toContain('npm publish')
})

test('error: a program under the name of another platform', () => {
  const programs = path.join(dir, 'wrong')
  mkdirSync(programs)
  const head = HEADS['lightproof-node-linux-arm64'] ?? ''
  const file = path.join(programs, 'lightproof-node-darwin-arm64')
  writeFileSync(file, head)
  const { status, stderr } = release('--out', path.join(dir, 'none'), '--programs', programs)
  expect(status).toBe(1)
  expect(stderr).toContain(`${file} is a program for linux-arm64, not darwin-arm64`)
})
