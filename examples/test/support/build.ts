import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const folderOf = (name: string) => fileURLToPath(new URL(`../../${name}/`, import.meta.url))

/** Examples that are built. */
const names = ['browser-wallet', 'explorer', 'extension', 'mobile-webview'] as const

/**
 * Builds the examples as their `build` scripts do, once before all tests: files that run at a time
 * share them. What browsers leave in the temporary folder is removed after all tests.
 */
export async function setup(): Promise<() => void> {
  for (const name of names) {
    await run(process.execPath, [`${folderOf(name)}build.mjs`])
  }
  const temporary = mkdtempSync(join(tmpdir(), 'lightproof-examples-'))
  process.env['TMPDIR'] = temporary
  return () => rmSync(temporary, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
}

/** The `dist` folder of an example, built by {@link setup}. */
export function builtExample(name: (typeof names)[number]): string {
  return `${folderOf(name)}dist`
}

/** Where screenshots go: a folder that git ignores. */
export function screenshotPath(example: string, name: string): string {
  return `${folderOf(example)}.screenshots/${name}.png`
}
