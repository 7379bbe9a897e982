/**
 * Where documents point. Links within the repository name files that exist, and headings that their
 * page has. Documents of the npm package are read without the repository: what they cite is in the
 * package, or is a URL.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { at, readJson, root } from '../repo.mjs'

/** Where the repository is published, as its manifest says. */
export const REPOSITORY = readJson('package.json').homepage.replace(/#.*/, '')

const FENCE = /^( *)(`{3,}|~{3,}).*?^\1\2/gms
const LINK = /\]\(([^)\s]+)\)/g
const CODE_SPAN = /`([^`\n]+)`/g
/** A link's text may be a path: its target is what counts. */
const LINKED = /\[(?:[^\]\n]|\n(?!\n))*\]\([^)\s]+\)/g
const HEADING = /^#{1,6} +(.+?) *#*$/gm
const OWN_ID = /<a (?:id|name)="([^"]+)"/g

/** Tracked files, as git lists them. */
function tracked() {
  return execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).trim().split('\n')
}

/**
 * A heading's anchor, as GitHub makes it.
 *
 * @param {string} heading
 */
export function slug(heading) {
  return heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-')
}

/** @param {string} text of a Markdown file */
function anchorsOf(text) {
  const plain = text.replace(FENCE, '')
  const headings = [...plain.matchAll(HEADING)].map(([, heading = '']) => slug(heading))
  return new Set([...headings, ...[...plain.matchAll(OWN_ID)].map(([, id]) => id)])
}

/**
 * Paths that text in backquotes names, outside of links: `examples/explorer`.
 *
 * @param {string} text without fenced blocks
 * @param {(name: string) => boolean} exists
 */
function namedPaths(text, exists) {
  const spans = [...text.replace(LINKED, '').matchAll(CODE_SPAN)].map(([, span = '']) => span)
  return spans.filter((span) => /^[\w.-]+(\/[\w.-]+)+\/?$/.test(span) && exists(span))
}

/**
 * @typedef {object} Tree What the links are looked up in.
 * @property {(file: string) => string} read
 * @property {(file: string) => boolean} exists a file or a folder
 * @property {readonly string[]} [packed] roots of the package's files; given, `file` is one of them
 */

/**
 * What is wrong with one document's links, one line each.
 *
 * @param {string} file
 * @param {Tree} tree
 * @returns {string[]}
 */
export function brokenLinks(file, { read, exists, packed }) {
  const text = read(file).replace(FENCE, '')
  const found = []
  for (const [, link = ''] of text.matchAll(LINK)) {
    const own = new RegExp(`^${REPOSITORY}/(?:blob|tree)/main/`)
    if (/^[a-z]+:/.test(link) && !own.test(link)) continue
    const [target = '', anchor] = link.replace(own, '/').split('#')
    const within = target.startsWith('/')
      ? target.slice(1)
      : path.join(path.dirname(file), decodeURI(target))
    const page = target === '' ? file : within.replace(/\/$/, '')
    if (!exists(page)) found.push(`${file}: ${link}: no such file`)
    else if (packed && !own.test(link) && !packed.some((kept) => isIn(page, kept))) {
      found.push(`${file}: ${link}: not in the package: link to ${REPOSITORY}/blob/main/${page}`)
    } else if (anchor !== undefined && page.endsWith('.md') && !anchorsOf(read(page)).has(anchor)) {
      found.push(`${file}: ${link}: no such heading`)
    }
  }
  if (packed === undefined) return found
  const named = namedPaths(text, (name) => exists(name) && !packed.some((kept) => isIn(name, kept)))
  return [
    ...found,
    ...named.map(
      (name) => `${file}: ${name}: not in the package: link to ${REPOSITORY}/tree/main/${name}`,
    ),
  ]
}

/**
 * @param {string} file
 * @param {string} folder or that file itself
 */
function isIn(file, folder) {
  return file === folder || file.startsWith(`${folder}/`)
}

/**
 * Broken links of every document in the repository, and of the package's what it does not hold.
 *
 * @returns {string[]}
 */
export function linksNowhere() {
  const files = tracked().filter((file) => existsSync(at(file)))
  const packed = ['package.json', 'README.md', ...readJson('sdk', 'package.json').files].map(
    (name) => `sdk/${name}`,
  )
  const tree = {
    read: (/** @type {string} */ file) => readFileSync(at(file), 'utf8'),
    exists: (/** @type {string} */ file) =>
      file === '.' || files.some((known) => isIn(known, file)),
  }
  return files
    .filter((file) => file.endsWith('.md') && !file.startsWith('.changeset/'))
    .flatMap((file) => {
      const isPacked = packed.some((kept) => isIn(file, kept))
      return brokenLinks(file, isPacked ? { ...tree, packed } : tree)
    })
}
