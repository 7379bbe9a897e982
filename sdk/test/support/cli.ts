/** The command line, run in this process. */

import { runCli } from '../../src/cli/main.js'
import '../../src/entry/node.js'

/** How it ended, and what it wrote. */
export interface CliRun {
  readonly exit: number
  readonly out: string
  readonly err: string
}

/** Runs a command line where there is no terminal. */
export async function cli(...argv: readonly string[]): Promise<CliRun> {
  const written = { out: '', err: '' }
  const exit = await runCli(argv, {
    out: (text) => {
      written.out += text
    },
    err: (text) => {
      written.err += text
    },
    isLive: false,
    signal: new AbortController().signal,
  })
  return { exit, ...written }
}
