import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { at } from '../lib/repo.mjs'
import { run } from '../lib/run.mjs'

/**
 * The places that a seventh system changes outside its own folders: lines of code that name one of
 * the systems today.
 *
 * The `mod` lines stay in the sources, because rustfmt and cargo-mutants find files by them. `cole`
 * and `mpt` are left out: core compiles their verifiers ahead of the modules, by lines that no
 * other system needs.
 */

/** @type {readonly (readonly [system: string, type: string, module: string])[]} */
const SYSTEMS = [
  ['balanceproofs', 'BalanceProofs', 'bls12_381'],
  ['lmpt', 'Lmpt', 'hash'],
  ['lvmt', 'Lvmt', 'bn254'],
  ['verkle', 'Verkle', 'bls12_381'],
]

/** Tests, benches and fuzz targets, and what belongs to one system, block lists or signatures. */
const APART =
  /(^|\/)(tests|benches|examples|fuzz|light|inclusion)\/|\.test(-d)?\.ts$|(^|\/)(balanceproofs|cole|lmpt|lvmt|mpt|verkle)(\/|\.(rs|ts)$)/

/** @param {string} text */
function code(text) {
  const untested = text.replace(/#\[cfg\(test\)\]\s*mod \w+ \{[\s\S]*/, '')
  return untested.split('\n').filter((line) => !/^\s*(\/\/|\/?\*)/.test(line))
}

const shared = (await run('git', ['ls-files', '*.rs', 'sdk/src/*.ts']))
  .split('\n')
  .filter((file) => /\.(rs|ts)$/.test(file) && !APART.test(file))
  .map((file) => ({ file, lines: code(readFileSync(at(file), 'utf8')) }))

/**
 * Lines that name a system, as `file: line`. An error that cites one as an example does not count.
 *
 * @param {string} name
 */
function linesOf(name) {
  const word = new RegExp(String.raw`\b(${name}|${name}Verifier)\b`, 'i')
  return shared.flatMap(({ file, lines }) =>
    lines
      .filter((line) => word.test(line) && !line.includes('such as'))
      .map((line) => `${file}: ${line.trim()}`),
  )
}

test.each(SYSTEMS)(
  '%s changes six files outside its folders, by a line each; core lists its type, too',
  (name, type, module) => {
    expect(linesOf(name)).toEqual([
      `node/src/system.rs: mod ${name};`,
      `prover/src/system.rs: pub mod ${name};`,
      `sdk/src/systems/all.ts: export { ${name} } from './${name}.js'`,
      `test-vectors/generator/src/lib.rs: pub mod ${name};`,
      `wasm/bindings/modules/${module}.rs: mod ${name};`,
      `wasm/core/src/system.rs: pub mod ${name};`,
      `wasm/core/src/system.rs: ${name} ${type},`,
    ])
  },
)
