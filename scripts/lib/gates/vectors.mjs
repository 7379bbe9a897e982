/** Compares test-vectors/ with what the generator writes today. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { at } from '../repo.mjs'

/** Written by hand or captured, so the generator does not make them; and the generator itself. */
const BY_HAND = /^(README\.md|schema\.json|(generator|geth)\/.*)$/

/**
 * @param {string} dir
 * @returns {string[]}
 */
function names(dir) {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.posix.relative(dir, path.posix.join(entry.parentPath, entry.name)))
    .filter((name) => !BY_HAND.test(name))
}

/**
 * What differs between the committed vectors and those in `fresh`, one line each.
 *
 * @param {string} fresh
 */
export function differences(fresh) {
  const committed = at('test-vectors')
  const all = new Set([...names(committed), ...names(fresh)])
  return [...all].sort().flatMap((name) => {
    const [ours, theirs] = [path.join(committed, name), path.join(fresh, name)]
    if (!existsSync(ours)) return [`${name}: not committed`]
    if (!existsSync(theirs)) return [`${name}: the generator does not write it`]
    return readFileSync(ours).equals(readFileSync(theirs)) ? [] : [`${name}: differs`]
  })
}
