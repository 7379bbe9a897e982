/**
 * The packed tarball in a Next.js application: built and started as its users do; the server
 * proves, and a page in a worker.
 */

import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startGroup } from '../../../scripts/engines/process.mjs'
import { consoleErrors, inEveryEngine } from '../support/engines.js'
import { someProof } from '../support/proof.js'

const SDK = fileURLToPath(new URL('../../../sdk', import.meta.url))
/** 350 MB that nobody else needs: not among the packages of the workspace. */
const PACKAGES = ['next@16.4.6', 'react@19.3.1', 'react-dom@19.3.1']

const FILES: Readonly<Record<string, string>> = {
  'package.json': '{"name":"app","private":true,"type":"module"}',
  // One process builds it all: the smallest machine can.
  'next.config.mjs': `export default {
    serverExternalPackages: ['lightproof'],
    experimental: { cpus: 1, webpackBuildWorker: false },
  }`,
  'app/layout.jsx': `export default function Layout({ children }) {
    return <html lang="en"><head><link rel="icon" href="data:," /></head><body>{children}</body></html>
  }`,
  'app/page.jsx': `'use client'
    import { useEffect, useState } from 'react'
    import { prove } from '../prove.js'
    export default function Page() {
      const [status, show] = useState('')
      useEffect(() => void prove().then(show, (error) => show(String(error))), [])
      return <p id="status">{status}</p>
    }`,
  'app/api/route.js': `import { prove } from '../../prove.js'
    export const dynamic = 'force-dynamic'
    export const GET = async () => new Response(await prove())`,
  'prove.js': `import { verifyProofFile } from 'lightproof'
    import proof from './proof.json'
    export const prove = async () => {
      const { file, block } = proof
      return (await verifyProofFile(file, { anchor: { block } })).status
    }`,
}

let app: string
let built: string
let url: string
let stop: () => Promise<void> = async () => undefined

/** @returns what it printed, warnings and all. */
const run = (command: string, args: readonly string[], cwd: string): string => {
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1' }
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}: ${stderr}`)
  return stdout + stderr
}

beforeAll(async () => {
  app = mkdtempSync(join(tmpdir(), 'lightproof-next-'))
  run('npm', ['pack', '--silent', '--pack-destination', app], SDK)
  const packed = readdirSync(app).find((name) => name.endsWith('.tgz')) ?? ''
  mkdirSync(join(app, 'app', 'api'), { recursive: true })
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(app, name), text)
  writeFileSync(join(app, 'proof.json'), await someProof())
  const quiet = ['--no-audit', '--no-fund', '--omit=peer']
  run('npm', ['install', ...quiet, join(app, packed), ...PACKAGES], app)
  const next = join(app, 'node_modules', 'next', 'dist', 'bin', 'next')
  built = run(process.execPath, [next, 'build', '--webpack'], app)
  const started = startGroup(process.execPath, [next, 'start', app, '-p', '0', '-H', '127.0.0.1'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  stop = started.stop
  const { stdout } = started.child
  if (stdout === null) throw new Error('no stdout')
  for await (const line of createInterface(stdout)) {
    const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? []
    if (found !== undefined) url = found
    if (line.includes('Ready')) break
  }
}, 600_000)

afterAll(async () => {
  await stop()
  rmSync(app, { recursive: true, force: true })
})

test('default: it is built without a warning', () => {
  expect(built).toContain('Compiled successfully')
  expect(built).not.toMatch(/warn|circular/i)
})

test('default: a route of the server proves', async () => {
  expect(await (await fetch(`${url}/api`)).text()).toBe('present')
})

inEveryEngine((lab) => {
  test('default: a page proves', async () => {
    const engine = lab.engine()
    await engine.open(url)
    await engine.waitFor("document.getElementById('status')?.textContent === 'present'")
    expect(await consoleErrors(engine)).toEqual([])
  })
})
