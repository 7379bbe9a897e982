/**
 * Which modules of its crate a Rust file names: in `use`, and in paths from `crate`, `super`,
 * `self` or a child.
 */

/**
 * The paths of a tree such as `a::{b, c::{self, d}}`, each as its segments.
 *
 * @param {string} tree
 * @returns {string[][]}
 */
function pathsOf(tree) {
  const open = tree.indexOf('{')
  if (open < 0) return [tree.split('::').map((part) => part.trim().split(/\s+as\s+/)[0] ?? '')]
  const prefix = tree.slice(0, open).split('::').slice(0, -1)
  const start = prefix.map((part) => part.trim())
  const parts = ['']
  let depth = 0
  for (const char of tree.slice(open + 1, tree.lastIndexOf('}'))) {
    if (char === '{') depth += 1
    if (char === '}') depth -= 1
    if (char === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += char
  }
  return parts
    .filter((part) => part.trim() !== '')
    .flatMap(pathsOf)
    .map((end) => [...start, ...end])
}

/**
 * A file of Rust: its crate's sources, its own place in the crate, and the paths that it names.
 *
 * @param {string} file
 * @param {string} text
 */
export function parseRust(file, text) {
  const [, crate = '', inner = ''] = /^(.*\bsrc)\/(.*)\.rs$/.exec(file) ?? []
  const here = /^(lib|main)$/.test(inner) ? [] : inner.split('/')
  // Tests inside the file stand at its end; their `super` is this file.
  const code = text.replace(/\/\/.*$/gm, '').replace(/#\[cfg\(test\)\]\s*mod \w+ \{[\s\S]*/, '')
  const children = new Set([...code.matchAll(/\bmod (\w+);/g)].map(([, name]) => name))
  const absolute = (/** @type {string[]} */ [first = '', ...rest]) => {
    if (first === 'crate') return [rest]
    if (first === 'self') return [[...here, ...rest]]
    if (first !== 'super') return children.has(first) ? [[...here, first, ...rest]] : []
    const up = 1 + rest.filter((name) => name === 'super').length
    return [[...here.slice(0, -up), ...rest.slice(up - 1)]]
  }
  const uses = [...code.matchAll(/\b(pub(?:\([a-z]+\))? )?use ([^;]+);/g)].flatMap(
    ([, pub, tree = '']) => pathsOf(tree).map((segments) => ({ pub, segments })),
  )
  const named = [...code.matchAll(/(?<![\w:])[a-z]\w*(?:::\w+)+/g)].map(([name]) =>
    name.split('::'),
  )
  return {
    crate,
    paths: [...uses.map(({ segments }) => segments), ...named].flatMap(absolute),
    shown: uses.filter(({ pub }) => pub).flatMap(({ segments }) => absolute(segments)),
  }
}

/** @typedef {ReturnType<typeof parseRust>} Parsed */

/**
 * The file that a path leads to: that of the longest beginning which is a module, or where that one
 * takes the name from.
 *
 * @param {string} crate folder of its sources
 * @param {string[]} segments from the crate's root
 * @param {Map<string, Parsed>} files
 * @returns {string[]}
 */
function fileOf(crate, segments, files) {
  for (let length = segments.length; length >= 0; length -= 1) {
    const inner = length === 0 ? 'lib' : segments.slice(0, length).join('/')
    const file = `${crate}/${inner}.rs`
    const name = segments[length]
    const parsed = files.get(file)
    if (parsed === undefined) continue
    const shown = parsed.shown.find((from) => from.length > length && from.at(-1) === name)
    return shown === undefined ? [file] : fileOf(crate, shown, files)
  }
  return []
}

/**
 * Files of the same crate that a file names.
 *
 * @param {Parsed} parsed
 * @param {Map<string, Parsed>} files
 */
export function rustImports({ crate, paths }, files) {
  return paths.flatMap((segments) => fileOf(crate, segments, files))
}
