#!/usr/bin/env node
/**
 * Runs the program of `@lightproof/node-<os>-<cpu>`, the package that npm chose for this machine.
 */
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'

const { platform, arch } = process
const name = `@lightproof/node-${platform}-${arch}`

/** @returns {string} the program's path */
function find() {
  const file = platform === 'win32' ? 'lightproof-node.exe' : 'lightproof-node'
  try {
    return createRequire(import.meta.url).resolve(`${name}/${file}`)
  } catch {
    console.error(`error: the package ${name} with the program is not installed.
If you install without optional packages, repeat it with them: npm i --include=optional
If there is no such package for this machine, build the program from a clone of the sources:
cargo install --path node --locked`)
    process.exit(1)
  }
}

const child = spawn(find(), process.argv.slice(2), { stdio: 'inherit' })
/** @type {NodeJS.Signals[]} */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
const pass = (/** @type {NodeJS.Signals} */ signal) => child.kill(signal)
for (const signal of signals) process.on(signal, pass)
// npx passes a signal to its shell, which dies of it and tells nobody.
if (process.env.npm_lifecycle_event !== undefined) {
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) child.kill('SIGTERM')
  }, 500).unref()
}
child.once('error', (error) => {
  console.error(`error: cannot start ${child.spawnfile}: ${error.message}`)
  process.exitCode = 1
})
child.once('exit', (code, signal) => {
  process.exitCode = code ?? 1
  if (signal === null) return
  // Ends as the program did, so that a shell sees the same.
  for (const name of signals) process.off(name, pass)
  process.kill(process.pid, signal)
})
