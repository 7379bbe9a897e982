import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const folderOf = (name: string) => fileURLToPath(new URL(`../../${name}/`, import.meta.url))

/** Examples that are built. */
const names = ['browser-wallet', 'explorer', 'extension', 'mobile-webview'] as const

/**
 * Builds the examples as their `build` scripts do, once before all tests: files that run at a time
 * share them.
 */
export async function setup(): Promise<void> {
  for (const name of names) {
    await run(process.execPath, [`${folderOf(name)}build.mjs`])
  }
}

/** The `dist` folder of an example, built by {@link setup}. */
export function builtExample(name: (typeof names)[number]): string {
  return `${folderOf(name)}dist`
}

/** Where screenshots go: a folder that git ignores. */
export function screenshotPath(example: string, name: string): string {
  return `${folderOf(example)}.screenshots/${name}.png`
}
