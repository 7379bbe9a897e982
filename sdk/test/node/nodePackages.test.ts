/** The full node from npm: packed, installed without network, and run as somebody types it. */

import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BINARY } from '../support/liveNode.js'
import { leftOf, processesOf } from '../support/processes.js'

const PACK = fileURLToPath(new URL('../../../scripts/nodePackages.mjs', import.meta.url))
const MANIFEST = new URL('../../package.json', import.meta.url)
const { version }: { version: string } = JSON.parse(readFileSync(MANIFEST, 'utf8'))
const PLATFORM = `${process.platform}-${process.arch}`

let app: string
beforeAll(async () => {
  app = mkdtempSync(path.join(tmpdir(), 'lightproof-npm-'))
  writeFileSync(path.join(app, 'package.json'), '{ "private": true }')
  const packed = await pack(`${PLATFORM}=${BINARY}`)
  const tarballs = packed.out.trim().split('\n')
  const names = [`lightproof-node-${PLATFORM}-${version}.tgz`, `lightproof-node-${version}.tgz`]
  // The launcher is published last: whoever installs it finds its programs.
  expect(tarballs.map((file) => path.basename(file))).toEqual(names)
  const offline = ['install', '--offline', '--no-audit', '--no-fund']
  expect(await type('npm', ...offline, ...tarballs)).toMatchObject({ code: 0 })
})
afterAll(() => rmSync(app, { recursive: true, force: true }))

/** Runs a command in the user's folder to its end. */
function type(command: string, ...args: readonly string[]) {
  return new Promise<{ code: unknown; out: string; err: string }>((resolve) => {
    execFile(command, args, { cwd: app }, (error, out, err) =>
      resolve({ code: error === null ? 0 : error.code, out, err }),
    )
  })
}

const pack = (programs: string) =>
  type(process.execPath, PACK, '--out', path.join(app, 'packed'), '--programs', programs)
const node = (...args: readonly string[]) => type('npx', '--offline', 'lightproof-node', ...args)

test('default: npx runs the program of this machine, with its arguments, output and exit code', async () => {
  expect(await node('--version')).toEqual({ code: 0, out: `lightproof-node ${version}\n`, err: '' })
  const wrong = { code: 2, err: expect.stringContaining("unexpected argument '--nothing'") }
  expect(await node('run', '--nothing')).toMatchObject(wrong)
})

test.each([
  ['npx', 'npx', ['--offline', 'lightproof-node'], { code: null, signal: 'SIGTERM' }],
  // The node stops by itself, and its launcher says so.
  ['the launcher', 'node', ['node_modules/.bin/lightproof-node'], { code: 0, signal: null }],
] as const)('behavior: SIGTERM to %s leaves no process', async (_, command, first, end) => {
  const data = path.join(app, `data of ${command}`)
  const run = ['run', '--data', data, '--systems', 'mpt']
  const child = spawn(command, [...first, ...run], {
    cwd: app,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [line]: string[] = await once(createInterface(child.stdout), 'line')
  expect(JSON.parse(line ?? '')).toMatchObject({ event: 'ready' })
  expect(processesOf(data).length).toBeGreaterThanOrEqual(2)
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  const [code, signal]: unknown[] = await exited
  expect({ code, signal }).toEqual(end)
  expect(await leftOf(data)).toEqual([])
})

test.runIf(process.platform !== 'win32')(
  'behavior: a program that a signal ended ends its launcher so',
  async () => {
    const data = path.join(app, 'data of the killed')
    const run = ['node_modules/.bin/lightproof-node', 'run', '--data', data, '--systems', 'mpt']
    const child = spawn('node', run, { cwd: app, stdio: ['ignore', 'pipe', 'ignore'] })
    await once(createInterface(child.stdout), 'line')
    const [program] = processesOf(data).filter((line) => !line.includes('.bin'))
    process.kill(Number.parseInt(program ?? '', 10), 'SIGKILL')
    expect(await once(child, 'exit')).toEqual([null, 'SIGKILL'])
  },
)

test('error: the package of this machine is missing: the fix, by name', async () => {
  const packages = path.join(app, 'node_modules', '@lightproof')
  expect(readdirSync(packages)).toEqual([`node-${PLATFORM}`])
  renameSync(packages, `${packages}-gone`)
  const { code, err } = await node('--version')
  renameSync(`${packages}-gone`, packages)
  expect(code).toBe(1)
  expect(err).toContain(`the package @lightproof/node-${PLATFORM} with the program`)
  expect(err).toContain('npm i --include=optional')
  expect(err).toContain('cargo install --path node --locked')
})

test('error: a platform that there is not, a program of another, and one for a newer Linux', async () => {
  const unknown = await pack(`plan9-x64=${BINARY}`)
  expect([unknown.code, unknown.err]).toEqual([1, expect.stringContaining('no platform plan9-x64')])
  const other = await pack(`linux-arm64=${BINARY},darwin-x64=${BINARY}`)
  const wrong = `is a program for ${PLATFORM}, not linux-arm64`
  expect([other.code, other.err]).toEqual([1, expect.stringContaining(wrong)])
  const program = path.join(app, 'newer')
  writeFileSync(program, `${'\x7fELF'.padEnd(18, '\0')}\x3e\0GLIBC_2.17\0GLIBC_2.37\0`)
  const newer = await pack(`linux-x64=${program}`)
  expect([newer.code, newer.err]).toEqual([1, expect.stringContaining('needs glibc 2.37')])
})
