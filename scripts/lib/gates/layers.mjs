/**
 * Generic folders of the SDK name no proof system: neither their files nor what these import may
 * import a file of one. The lists of `systems/` are the only way: a generic file takes a system
 * from there, or as a parameter.
 */
import { readGraph } from './circles.mjs'

/** @typedef {import('./circles.mjs').Graph} Graph */

const SRC = 'sdk/src/'
const GENERIC =
  /^(actions|client|encoding|light|proving|result|store|trace|transport|wasm|workers)\/(?!.*\.test(-d)?\.ts$)/
/** Files of `systems/` that list systems, or say what a system is. */
const LISTS = ['all', 'ancestors', 'default', 'encode', 'registry', 'shard', 'system']
const IS_LIST = new RegExp(String.raw`^systems/(${LISTS.join('|')})\.ts$`)

/**
 * The shortest way from a file to a file of a system; undefined if there is none.
 *
 * @param {string} from
 * @param {Graph} graph
 */
function wayToSystem(from, graph) {
  /** @type {string[][]} */
  const ways = [[from]]
  const seen = new Set([from])
  for (const way of ways) {
    const last = way.at(-1) ?? from
    for (const next of graph.get(last) ?? []) {
      const name = next.slice(SRC.length)
      if (seen.has(next) || !next.startsWith(SRC) || IS_LIST.test(name)) continue
      if (name.startsWith('systems/')) return [...way, next]
      seen.add(next)
      ways.push([...way, next])
    }
  }
  return undefined
}

/**
 * Ways from generic files to systems, one line each. A file that gets there through another generic
 * file is left out, because that file is named.
 *
 * @param {Graph} graph
 * @returns {string[]}
 */
export function systemsNamed(graph) {
  const isGeneric = (/** @type {string} */ file) =>
    file.startsWith(SRC) && GENERIC.test(file.slice(SRC.length))
  return [...graph.keys()].filter(isGeneric).flatMap((file) => {
    const way = wayToSystem(file, graph)
    if (way === undefined || way.slice(1).some(isGeneric)) return []
    return [`generic code reaches a proof system: ${way.join(' -> ')}`]
  })
}

/**
 * As {@link systemsNamed}, of this repository.
 *
 * @returns {Promise<string[]>}
 */
export async function findNamedSystems() {
  return systemsNamed(await readGraph())
}
