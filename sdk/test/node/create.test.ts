/** `npm create lightproof`, packed as it is published: every template is made, built and run. */

import { execFileSync, type SpawnSyncReturns, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run, tool } from '../support/installed.js'
import { startNode } from '../support/liveNode.js'

const SDK = fileURLToPath(new URL('../..', import.meta.url))
const CREATE = fileURLToPath(new URL('../../../create', import.meta.url))
const TEMPLATES = ['extension', 'script', 'wallet']

let dir: string
let tarball: string
let bin: string

beforeAll(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'lightproof-create-'))
  const pack = (from: string): string =>
    path.join(dir, run('npm', ['pack', '--silent', '--pack-destination', dir], from).trim())
  tarball = pack(SDK)
  mkdirSync(path.join(dir, 'create'))
  execFileSync('tar', ['-xzf', pack(CREATE), '-C', path.join(dir, 'create')])
  bin = path.join(dir, 'create', 'package', 'index.mjs')
})
afterAll(() => rmSync(dir, { recursive: true, force: true }))

/** Runs the command in a folder that has nothing of this repository. */
function create(...args: readonly string[]): SpawnSyncReturns<string> {
  return spawnSync(process.execPath, [bin, ...args], { cwd: dir, encoding: 'utf8' })
}

interface Manifest {
  name: string
  dependencies: Record<string, string>
  devDependencies?: Record<string, string>
}

/** Makes a program and installs the package's tarball; its tools are those of this workspace. */
function made(template: string): string {
  const app = path.join(dir, `My ${template}`)
  expect(create(app, '--template', template)).toMatchObject({ status: 0, stderr: '' })
  const file = path.join(app, 'package.json')
  const text = readFileSync(file, 'utf8')
  const { devDependencies = {}, ...own } = JSON.parse(text) as Manifest
  expect(own.name).toBe(`my-${template}`)
  const { version } = JSON.parse(readFileSync(path.join(SDK, 'package.json'), 'utf8'))
  expect(own.dependencies).toEqual({ lightproof: version })
  writeFileSync(file, JSON.stringify(own))
  const quiet = ['--offline', '--no-audit', '--no-fund', '--omit=peer', '--no-package-lock']
  run('npm', ['install', ...quiet, tarball], app)
  writeFileSync(file, text)
  for (const name of Object.keys(devDependencies)) {
    symlinkSync(tool(name), path.join(app, 'node_modules', name))
  }
  return app
}

test.each(['wallet', 'extension'])('default: the %s has right types, and is built', (template) => {
  const app = made(template)
  run(process.execPath, [tool('typescript/bin/tsc'), '--noEmit', '--project', app], app)
  run('npm', ['run', '--silent', 'build'], app)
  const files = readdirSync(path.join(app, 'dist'), { recursive: true })
  expect(files).toEqual(expect.arrayContaining([path.join('generated', 'mpt_bg.wasm')]))
  const script = template === 'wallet' ? 'scripts/main.js' : 'scripts/background.js'
  expect(readFileSync(path.join(app, 'dist', script), 'utf8')).toContain('https://rpc.example')
  expect(existsSync(path.join(app, '.gitignore'))).toBe(true)
  expect(readFileSync(path.join(app, 'README.md'), 'utf8')).not.toMatch(
    /npm start.*root|vitest|\]\(\.\./,
  )
})

test('default: the script proves an account', async () => {
  const app = made('script')
  const node = await startNode(4, ['--committee-size', '8', '--period', '16'])
  try {
    const chain = ['--chain', 'devnet', '--genesis', node.genesisHash]
    const asked = ['--node', node.url, '--block', node.head.hash]
    const address = ['--address', node.samples[0]?.address ?? '']
    const committee = ['--committee', '8/16']
    const args = ['start', '--silent', '--', ...chain, ...committee, ...asked, ...address]
    expect(run('npm', args, app)).toContain('✓ PROVEN')
  } finally {
    await node.stop()
  }
})

test('default: it says what to do next', () => {
  const { stdout } = create('told', '--template', 'wallet')
  expect(stdout).toMatch(
    /cd told\n +npm install\n +put your checkpoint and nodes in src\/config.ts/,
  )
})

test('error: a template that is not there, or none, names those that are', () => {
  const list = TEMPLATES.join(', ')
  const wrong = create('wrong', '--template', 'mobile')
  expect(wrong).toMatchObject({ status: 2, stdout: '' })
  expect(wrong.stderr).toContain(`--template: expected ${list}, got "mobile"`)
  expect(create('wrong').stderr).toContain('--template is missing')
  expect(create('wrong').stderr).toContain(`--template ${TEMPLATES.join('|')}`)
  expect(create('--template', 'wallet').stderr).toContain('expected one folder')
  expect(existsSync(path.join(dir, 'wrong'))).toBe(false)
})

test('error: a folder that is not empty stays as it is', () => {
  const folder = path.join(dir, 'full')
  mkdirSync(folder)
  writeFileSync(path.join(folder, 'mine.txt'), 'mine')
  const refused = create('full', '--template', 'script')
  expect(refused).toMatchObject({ status: 2, stdout: '' })
  expect(refused.stderr).toContain('full is not empty')
  expect(readdirSync(folder)).toEqual(['mine.txt'])
})
