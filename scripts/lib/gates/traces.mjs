/** Finds what names one machine in tracked files: home directories, this clone's own path, registry hosts. */
import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { at, root } from '../repo.mjs'
import { run } from '../run.mjs'

// Written so that they do not match themselves.
const HOMES = [String.raw`/home/[a-z][\w.-]*/`, String.raw`/Users/[A-Za-z][\w.-]*/`, '/roo[t]/']
const REGISTRIES = [
  String.raw`registry\.(npmjs|yarnpkg)`,
  String.raw`(index|static)\.crates\.io`,
  String.raw`proxy\.golang\.org`,
  'artifactor[y]',
]

/** @param {string} text */
function escaped(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}

function pattern() {
  // The parent of the clone catches its neighbours too; a short one such as / or /tmp would match anything.
  const own = [path.dirname(path.resolve(root)), homedir()].filter((dir) => dir.length > 4)
  const places = own.map((dir) => `${escaped(dir)}/`)
  return new RegExp([...HOMES, ...places, ...REGISTRIES].join('|'))
}

/**
 * Lines of tracked text files that hold such a trace, as `file:line: match`.
 *
 * @returns {Promise<string[]>}
 */
export async function machineTraces() {
  const tracked = (await run('git', ['ls-files', '-z'])).split('\0').filter((name) => name !== '')
  const traces = pattern()
  return tracked.flatMap((file) => {
    const text = readFileSync(at(file), 'utf8')
    if (text.includes('\0')) return []
    return text.split('\n').flatMap((line, index) => {
      const found = traces.exec(line)
      return found ? [`${file}:${index + 1}: ${found[0]}`] : []
    })
  })
}
