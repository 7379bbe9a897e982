import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Builds an example as its `build` script does and returns its `dist` folder. */
export async function buildExample(name: 'browser-wallet' | 'mobile-webview'): Promise<string> {
  const folder = fileURLToPath(new URL(`../../${name}/`, import.meta.url))
  await run(process.execPath, [`${folder}build.mjs`])
  return `${folder}dist`
}

/** Where screenshots go: a folder that git ignores. */
export function screenshotPath(example: string, name: string): string {
  return fileURLToPath(new URL(`../../${example}/.screenshots/${name}.png`, import.meta.url))
}
