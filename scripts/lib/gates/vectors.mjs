/** Compares test-vectors/ with what the generator writes today. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { at } from '../repo.mjs'

/** Written by hand, so the generator does not make them. */
const BY_HAND = new Set(['README.md', 'schema.json'])

/**
 * @param {string} dir
 * @returns {string[]}
 */
function names(dir) {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(dir, path.join(entry.parentPath, entry.name)))
}

/**
 * What differs between the committed vectors and those in `fresh`, one line each.
 *
 * @param {string} fresh
 */
export function differences(fresh) {
  const committed = at('test-vectors')
  const all = new Set([...names(committed).filter((name) => !BY_HAND.has(name)), ...names(fresh)])
  return [...all].sort().flatMap((name) => {
    const [ours, theirs] = [path.join(committed, name), path.join(fresh, name)]
    if (!existsSync(ours)) return [`${name}: not committed`]
    if (!existsSync(theirs)) return [`${name}: the generator does not write it`]
    return readFileSync(ours).equals(readFileSync(theirs)) ? [] : [`${name}: differs`]
  })
}
