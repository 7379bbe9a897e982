/** The packed tarball in a folder of its own, installed as users install it. */

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { fetchProof } from '../../src/entry/node.js'
import { honest, makeChain, OWNER } from './chain.js'
import { clientOf } from './client.js'

const SDK = fileURLToPath(new URL('../..', import.meta.url))
const QUIET = ['--no-audit', '--no-fund', '--omit=peer']
const chain = makeChain(12)

/** What the program of {@link program} prints. */
export const PROVEN = `present ${chain.head.balance}\n`

/** The block that it trusts. */
export const TRUSTED: string = chain.head.hash

/** A tool of this workspace. */
export function tool(file: string): string {
  return fileURLToPath(new URL(`../../../node_modules/${file}`, import.meta.url))
}

/** Runs a command to its end; what it printed. */
export function run(
  command: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): string {
  const stdio = ['ignore', 'pipe', 'pipe'] as const
  const settings = { cwd, env: { ...process.env, ...env }, encoding: 'utf8' } as const
  return execFileSync(command, args, { ...settings, stdio: [...stdio] })
}

/**
 * Installs packages of exact versions, which nobody else of this workspace needs.
 *
 * @throws of npm, with what it said: these come from the registry.
 */
export function fetchTools(folder: string, ...packages: readonly string[]): void {
  run('npm', ['install', ...QUIET, '--prefer-offline', ...packages], folder)
}

/** A folder with `lightproof` installed from its tarball, and `file.json`, a proof. */
export async function install(): Promise<{ readonly app: string; remove(): void }> {
  const app = mkdtempSync(path.join(tmpdir(), 'lightproof-app-'))
  const packed = run('npm', ['pack', '--silent', '--pack-destination', app], SDK).trim()
  const manifest = { name: 'app', private: true, type: 'module' }
  writeFileSync(path.join(app, 'package.json'), JSON.stringify(manifest))
  run('npm', ['install', ...QUIET, '--offline', path.join(app, packed)], app)
  const { client } = clientOf(chain, [honest(chain)])
  const file = await fetchProof(client, { address: OWNER })
  writeFileSync(path.join(app, 'file.json'), JSON.stringify(file))
  return { app, remove: () => rmSync(app, { recursive: true, force: true }) }
}

/** A program that checks the file and says what it proves, by `print`. */
export function program(entry: string, print = 'console.log'): string {
  return `
    import { verifyProofFile } from '${entry}'
    import file from './file.json' with { type: 'json' }
    const { status, value } = await verifyProofFile(file, { anchor: { block: '${TRUSTED}' } })
    ${print}(status, String(value.account.balance))
  `
}
