/**
 * Circles: files that import each other, directly or through others. There are none. A module and
 * its own children, such as `trie.rs` and `trie/walk.rs`, may know each other.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { at } from '../repo.mjs'
import { run } from '../run.mjs'
import { parseRust, rustImports } from './rust.mjs'

/** @typedef {{ imports: number, files: string[] }} Circle files of a circle, and the imports among them */
/** @typedef {Map<string, Set<string>>} Graph the files that each file imports */

const HEAD = /(^|\/)(lib|main|index)\.(rs|ts)$/

/**
 * What a TypeScript or JavaScript file imports, types included.
 *
 * @param {string} file
 * @param {string} text
 * @param {Set<string>} files
 * @param {typeof import('typescript').preProcessFile} parse
 */
function scriptImports(file, text, files, parse) {
  return parse(text).importedFiles.flatMap(({ fileName }) => {
    if (!fileName.startsWith('.')) return []
    const target = path.posix.join(path.posix.dirname(file), fileName)
    return [target, target.replace(/\.js$/, '.ts')].filter((name) => files.has(name))
  })
}

/** @returns {Promise<Graph>} */
export async function readGraph() {
  // Not before `npm ci`.
  const { default: ts } = await import('typescript')
  const listed = (await run('git', ['ls-files', '*.ts', '*.mjs', '*/src/*.rs'])).split('\n')
  const texts = new Map(
    listed
      .filter((file) => !/(^|\/)(tests?|fuzz)\//.test(file))
      .map((file) => [file, readFileSync(at(file), 'utf8')]),
  )
  const files = new Set(texts.keys())
  const rust = new Map(
    [...texts].flatMap(([file, text]) =>
      file.endsWith('.rs') ? [[file, parseRust(file, text)]] : [],
    ),
  )
  return new Map(
    [...texts].map(([file, text]) => {
      const parsed = rust.get(file)
      const imports = parsed
        ? rustImports(parsed, rust)
        : scriptImports(file, text, files, ts.preProcessFile)
      return [file, new Set(imports.filter((target) => target !== file))]
    }),
  )
}

/**
 * Sets of files that all reach each other (Tarjan), of two or more.
 *
 * @param {string[]} files
 * @param {Graph} graph
 */
function components(files, graph) {
  const inside = new Set(files)
  /** @type {Map<string, { index: number, low: number, open: boolean }>} */
  const seen = new Map()
  /** @type {string[]} */
  const stack = []
  /** @type {string[][]} */
  const found = []
  const visit = (/** @type {string} */ file) => {
    const state = { index: seen.size, low: seen.size, open: true }
    seen.set(file, state)
    stack.push(file)
    for (const target of graph.get(file) ?? []) {
      if (!inside.has(target)) continue
      const next = seen.get(target) ?? visit(target)
      if (next.open) state.low = Math.min(state.low, next.low)
    }
    if (state.low === state.index) {
      const members = stack.splice(stack.lastIndexOf(file))
      for (const member of members) Object.assign(seen.get(member) ?? {}, { open: false })
      if (members.length > 1) found.push(members.sort())
    }
    return state
  }
  for (const file of files) if (!seen.has(file)) visit(file)
  return found
}

/**
 * True if `child` lies in the folder of the module `parent`.
 *
 * @param {string} parent
 * @param {string} child
 */
function isChild(parent, child) {
  return !HEAD.test(parent) && child.startsWith(`${parent.replace(/\.\w+$/, '')}/`)
}

/**
 * The circles among files, but for those of a module and its own children.
 *
 * @param {string[]} files
 * @param {Graph} graph
 * @returns {Circle[]}
 */
export function circlesAmong(files, graph) {
  return components(files, graph).flatMap((members) => {
    const head = members.find((file) =>
      members.every((other) => other === file || isChild(file, other)),
    )
    if (head !== undefined) {
      const children = members.filter((file) => file !== head)
      return circlesAmong(children, graph)
    }
    const imports = members.flatMap((file) =>
      [...(graph.get(file) ?? [])].filter((target) => members.includes(target)),
    )
    return [{ imports: imports.length, files: members }]
  })
}

/**
 * The circles of this repository, one line each.
 *
 * @returns {Promise<string[]>}
 */
export async function findCircles() {
  const graph = await readGraph()
  return circlesAmong([...graph.keys()], graph).map(
    ({ imports, files }) =>
      `circle: ${files.length} files, ${imports} imports: ${files.join(', ')}`,
  )
}
