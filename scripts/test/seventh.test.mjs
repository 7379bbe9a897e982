import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { at } from '../lib/repo.mjs'
import { run } from '../lib/run.mjs'

/**
 * What a seventh system changes outside its own folders, by what the systems have there today: the
 * lines of Rust that name one.
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
  /(^|\/)(tests|benches|examples|fuzz|light|inclusion)\/|(^|\/)(balanceproofs|cole|lmpt|lvmt|mpt|verkle)(\/|\.rs$)/

/** @param {string} text */
function code(text) {
  const untested = text.replace(/#\[cfg\(test\)\]\s*mod \w+ \{[\s\S]*/, '')
  return untested.split('\n').filter((line) => !line.trim().startsWith('//'))
}

const shared = (await run('git', ['ls-files', '*.rs']))
  .split('\n')
  .filter((file) => file.endsWith('.rs') && !APART.test(file))
  .map((file) => ({ file, lines: code(readFileSync(at(file), 'utf8')) }))

/**
 * Lines that name a system, as `file: line`.
 *
 * @param {string} name
 */
function linesOf(name) {
  const word = new RegExp(String.raw`\b(${name}|${name}Verifier)\b`, 'i')
  return shared.flatMap(({ file, lines }) =>
    lines.filter((line) => word.test(line)).map((line) => `${file}: ${line.trim()}`),
  )
}

test.each(SYSTEMS)('%s has eleven lines of Rust outside its folders', (name, type, module) => {
  expect(linesOf(name)).toEqual([
    `node/src/system.rs: mod ${name};`,
    `prover/src/system.rs: pub mod ${name};`,
    `test-vectors/generator/src/lib.rs: pub mod ${name};`,
    `wasm/bindings/modules/${module}.rs: #[path = "parts/${name}.rs"]`,
    `wasm/bindings/modules/${module}.rs: mod ${name};`,
    `wasm/bindings/modules/trace_${module}.rs: #[path = "parts/${name}.rs"]`,
    `wasm/bindings/modules/trace_${module}.rs: mod ${name};`,
    `wasm/bindings/modules/trace_${module}.rs: use ${name}::${type}Verifier;`,
    `wasm/bindings/modules/trace_${module}.rs: lightproof_wasm::export_trace!(${type}Verifier);`,
    `wasm/core/src/system.rs: pub mod ${name};`,
    `wasm/core/src/system.rs: ${name} ${type},`,
  ])
})
