/** The few tools that must be there before anything can be built, and how to get each one. */
import { existsSync, readFileSync } from 'node:fs'
import { at } from './repo.mjs'
import { probe } from './run.mjs'

const MIN_NODE = { major: 20, minor: 19 }

/** The compiler version that the repository pins. */
export function rustChannel() {
  const pinned = /channel = "(.+)"/.exec(readFileSync(at('rust-toolchain.toml'), 'utf8'))?.[1]
  if (pinned === undefined) throw new Error('rust-toolchain.toml names no channel')
  return pinned
}

function oldNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  return major < MIN_NODE.major || (major === MIN_NODE.major && minor < MIN_NODE.minor)
}

function compilerHint() {
  if (process.platform === 'darwin') return 'a C compiler (xcode-select --install)'
  return 'a C compiler (Debian: apt-get install gcc libc6-dev)'
}

/** What is missing, each with how to install it; empty when all is there. */
export function missingTools() {
  const missing = []
  if (oldNode()) {
    missing.push(
      `Node.js >= ${MIN_NODE.major}.${MIN_NODE.minor}, this is ${process.versions.node} (nodejs.org)`,
    )
  }
  if (probe('npm', ['--version']) === undefined) missing.push('npm (it comes with Node.js)')
  // A distribution's own Rust will do as long as it is the pinned version and can target wasm32.
  if (probe('rustup', ['--version']) === undefined && !hasWasmTarget()) {
    missing.push(`Rust ${rustChannel()} through rustup (rustup.rs)`)
  }
  if (
    process.platform !== 'win32' &&
    !['cc', 'gcc', 'clang'].some((cc) => probe(cc, ['--version']))
  ) {
    missing.push(compilerHint())
  }
  return missing
}

/** True if the pinned compiler is there and can build for wasm32. */
export function hasWasmTarget() {
  const target = ['--print', 'target-libdir', '--target', 'wasm32-unknown-unknown']
  const libdir = probe('rustc', target, { RUSTUP_AUTO_INSTALL: '0' })
  return libdir !== undefined && existsSync(libdir)
}
