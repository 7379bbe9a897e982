#!/usr/bin/env node
/**
 * The command line: `npx lightproof --help`.
 *
 * @packageDocumentation
 */

import './entry/node.js'
import { runCli } from './cli/main.js'

const abort = new AbortController()
process.once('SIGINT', () => abort.abort(new Error('interrupted')))
// A reader that leaves early (`| head`) is no failure.
process.stdout.on('error', () => process.exit())
process.exitCode = await runCli(process.argv.slice(2), {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  isLive: process.stderr.isTTY === true,
  signal: abort.signal,
})
