#!/usr/bin/env node
/**
 * Writes the licences of other people's code that is shipped: in the SDK's WebAssembly, and in the
 * full node's programs, of every platform.
 *
 *   node scripts/thirdParty.mjs
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { cratesOf } from './lib/crates.mjs'
import { asProgram, flags } from './lib/program.mjs'
import { at } from './lib/repo.mjs'

/** @typedef {import('./lib/crates.mjs').Crate} Crate */

const FILE = 'THIRD_PARTY.txt'
const FILES = /** @type {const} */ ({
  wasm: `sdk/${FILE}`,
  node: `node/npm/${FILE}`,
})
const RULE = '-'.repeat(80)

/**
 * A crate's licence texts; of several that one may choose from, that of MIT.
 *
 * @param {Crate} crate
 */
function textsOf({ dir, license }) {
  const files = readdirSync(dir)
    .filter((name) => /^(licen[cs]e|copying|notice|unlicense|copyright)/i.test(name))
    .filter((name) => !/\.(rs|html)$/.test(name))
    .sort()
  const mit = files.filter((name) => /mit/i.test(name))
  const chosen = /MIT/.test(license) && !/AND/.test(license) && mit.length > 0 ? mit : files
  return chosen
    .map((name) => path.join(dir, name))
    .flatMap((file) => {
      try {
        return [readFileSync(file, 'utf8')]
      } catch (error) {
        // A folder of texts, which the files beside it name.
        if (error instanceof Error && 'code' in error && error.code === 'EISDIR') return []
        throw error
      }
    })
    .map((text) =>
      text
        .replaceAll('\r', '')
        .replaceAll(/[ \t]+$/gm, '')
        .trim(),
    )
    .filter((text) => text !== '')
}

/**
 * The whole text.
 *
 * @param {readonly Crate[]} crates
 */
function textOf(crates) {
  /** @type {Map<string, string[]>} */
  const holders = new Map()
  const lines = crates.map((crate) => {
    const title = `${crate.name} ${crate.version}`
    const texts = textsOf(crate)
    for (const text of texts) holders.set(text, [...(holders.get(text) ?? []), title])
    const without = texts.length === 0 ? ' (its package holds no text)' : ''
    return `${title}: ${crate.license}${without}\n    ${crate.repository}`
  })
  const texts = [...holders].map(([text, names]) => `${RULE}\n${names.join(', ')}\n\n${text}\n`)
  return `Other people's code in this package, with its licences. Written by scripts/thirdParty.mjs.
Where a licence may be chosen, it is MIT if that is one of them. Rust's own libraries core, alloc
and std (https://github.com/rust-lang/rust) are used under MIT OR Apache-2.0.

${lines.join('\n')}

${texts.join('\n')}`
}

/**
 * Files that are not of the crates in Cargo.lock, one line each.
 *
 * @returns {Promise<string[]>}
 */
export async function staleLicences() {
  const found = []
  for (const [program, file] of Object.entries(FILES)) {
    const text = textOf(await cratesOf(/** @type {keyof typeof FILES} */ (program)))
    const isCurrent = existsSync(at(file)) && readFileSync(at(file), 'utf8') === text
    if (!isCurrent) found.push(`${file}: run \`node scripts/thirdParty.mjs\``)
  }
  return found
}

await asProgram(import.meta.url, async () => {
  flags('node scripts/thirdParty.mjs', {})
  for (const [program, file] of Object.entries(FILES)) {
    const crates = await cratesOf(/** @type {keyof typeof FILES} */ (program))
    writeFileSync(at(file), textOf(crates))
    console.log(`${file}: ${crates.length} crates`)
  }
})
