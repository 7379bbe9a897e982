/**
 * One version and one address everywhere: crates, npm packages, changelog; and tools that come in
 * pairs.
 */
import { readFileSync } from 'node:fs'
import { at, readJson, workspaces } from '../repo.mjs'

/**
 * The first group of `pattern` in a file.
 *
 * @param {string} file
 * @param {RegExp} pattern
 */
function find(file, pattern) {
  return pattern.exec(readFileSync(at(file), 'utf8'))?.[1]
}

/** @typedef {[what: string, found: string | undefined, expected: string | undefined]} Pair */

/**
 * Cargo has the address in one place; npm wants it in every manifest that is published.
 *
 * @returns {Pair[]}
 */
function addresses() {
  const { homepage, bugs, repository } = readJson('package.json')
  const page = find('Cargo.toml', /^repository = "([^"]+)"/m)
  const published = workspaces().filter(({ manifest }) => manifest.private !== true)
  return [
    ['package.json, homepage', homepage, `${page}#readme`],
    ['package.json, bugs', bugs, `${page}/issues`],
    ['package.json, repository', repository?.url, `git+${page}.git`],
    ...published.flatMap(
      ({ dir, manifest }) =>
        /** @type {Pair[]} */ ([
          [`${dir}, homepage`, manifest.homepage, homepage],
          [`${dir}, bugs`, manifest.bugs, bugs],
          [`${dir}, repository`, manifest.repository?.url, repository?.url],
          [`${dir}, directory`, manifest.repository?.directory, dir],
        ]),
    ),
  ]
}

/**
 * What does not agree, one line each.
 *
 * @returns {string[]}
 */
export function versionMismatches() {
  const version = find('Cargo.toml', /\[workspace\.package\][^[]*?^version = "([^"]+)"/m)
  const bindgen = /^wasm-bindgen(?:-cli-support)? = (?:\{ version = )?"=([^"]+)"/m
  const { devDependencies } = readJson('package.json')
  /** @type {Pair[]} */
  const pairs = [
    ['package.json', readJson('package.json').version, version],
    ...workspaces().map(
      ({ dir, manifest }) =>
        /** @type {[string, string, string | undefined]} */ ([dir, manifest.version, version]),
    ),
    ['CHANGELOG.md', find('CHANGELOG.md', /^## \[(\d.*?)\]/m), version],
    [
      'wasm-bindgen of wasm/bindings and wasm/bindgen',
      find('wasm/bindings/Cargo.toml', bindgen),
      find('wasm/bindgen/Cargo.toml', bindgen),
    ],
    ['@size-limit/file', devDependencies['@size-limit/file'], devDependencies['size-limit']],
    ...addresses(),
  ]
  const loose = Object.entries(devDependencies).filter(([, pin]) => !/^\d/.test(pin))
  return [
    ...pairs
      .filter(([, found, expected]) => found === undefined || found !== expected)
      .map(([what, found, expected]) => `${what}: ${found}, expected ${expected}`),
    ...loose.map(([name, pin]) => `package.json: ${name} is not pinned: ${pin}`),
  ]
}
