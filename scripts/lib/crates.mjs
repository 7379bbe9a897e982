/** Crates that a program is made of, as cargo chooses them for it. */
import { readFileSync } from 'node:fs'
import { at } from './repo.mjs'
import { run } from './run.mjs'

/**
 * @typedef {object} Crate
 * @property {string} name
 * @property {string} version
 * @property {string} license SPDX
 * @property {string} repository
 * @property {string} dir of its source
 * @property {string} checksum SHA-256 of its package
 */

/**
 * What is shipped: cargo's choice of package, features and target.
 *
 * @type {Record<'wasm' | 'node', string[]>}
 */
const PROGRAMS = {
  wasm: ['-p', 'lightproof-wasm', '--features', 'evm', '--target', 'wasm32-unknown-unknown'],
  node: ['-p', 'lightproof-node', '--features', 'ethereum', '--target', 'all'],
}

/**
 * Other people's crates that are linked into a program, by name; not those that only run while it
 * is compiled.
 *
 * @param {keyof typeof PROGRAMS} program
 * @returns {Promise<Crate[]>}
 */
export async function cratesOf(program) {
  const edges = ['-e', 'normal,no-proc-macro', '--prefix', 'none', '--format', '{p}']
  const tree = await run('cargo', ['tree', '--locked', ...PROGRAMS[program], ...edges])
  const linked = new Set([...tree.matchAll(/^(\S+) v(\S+)/gm)].map(([, ...id]) => id.join(' ')))
  const metadata = await run('cargo', ['metadata', '--locked', '--quiet', '--format-version', '1'])
  /** @type {{ packages: Record<string, string | null>[] }} */
  const { packages } = JSON.parse(metadata.slice(metadata.indexOf('{')))
  const lock = readFileSync(at('Cargo.lock'), 'utf8')
  const sums = new Map(
    [...lock.matchAll(/name = "(.+)"\nversion = "(.+)"\n.*\nchecksum = "(.+)"/g)].map(
      ([, name, version, sum = '']) => [`${name} ${version}`, sum],
    ),
  )
  return packages
    .filter(({ name, version, source }) => source !== null && linked.has(`${name} ${version}`))
    .map(({ name, version, license, repository, manifest_path: manifest }) => ({
      name: name ?? '',
      version: version ?? '',
      license: license ?? '',
      repository: repository ?? '',
      dir: (manifest ?? '').replace(/[\\/]Cargo\.toml$/, ''),
      checksum: sums.get(`${name} ${version}`) ?? '',
    }))
    .sort((a, b) => (`${a.name} ${a.version}` < `${b.name} ${b.version}` ? -1 : 1))
}
