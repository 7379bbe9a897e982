/** Assembles the pages of the documentation's site from the files of the repository. */

import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { PAGES } from '../../docs/pages.mjs'
import { REPOSITORY } from './gates/links.mjs'
import { at } from './repo.mjs'
import { run } from './run.mjs'

/** @typedef {import('../../docs/pages.mjs').Page} Page */

const DOCS = at('docs')
/** Beside the packages that its pages import. */
const OUT = path.join(DOCS, '.cache')
const VITEPRESS = path.join(DOCS, 'node_modules', 'vitepress', 'bin', 'vitepress.js')

/** The folder of the built site. */
export const SITE = path.join(OUT, 'site')
/** Folders whose every document is a page. */
const COMPLETE = ['sdk/guides', 'spec', 'spec/systems']
/** What it holds stands at the site's root. */
const PUBLIC = 'docs/public/'
/** Code is left as it is. */
const CODE_OR_LINK = /^( *)(`{3,}|~{3,})[\s\S]*?^\1\2`*$|`[^`\n]+`|\]\(([^)\s]+)\)/gm
/** Where `npm run bench` puts its tables. */
const MARKERS = /^<!-- .* -->$/gm

const bySource = new Map(PAGES.map((page) => [page.source, page]))

/**
 * A link of a document, as the site has it: to the page that its file is, else to the repository.
 *
 * @param {string} link
 * @param {Page} from
 */
export function siteLink(link, { source, page }) {
  const target = link.replace(new RegExp(`^${REPOSITORY}/(?:blob|tree)/main/`), '/')
  if (/^([a-z]+:|#)/.test(target) || source === 'docs/index.md') return link
  const [name = '', anchor] = target.split('#')
  const file = name.startsWith('/') ? name.slice(1) : path.join(path.dirname(source), name)
  const plain = file.replace(/\/$/, '')
  if (plain.startsWith(PUBLIC)) return plain.slice(PUBLIC.length - 1)
  const found = bySource.get(plain) ?? bySource.get(`${plain}/README.md`)
  const hash = anchor === undefined ? '' : `#${anchor}`
  if (found === undefined) {
    const kind = /\.\w+$|LICENSE/.test(plain) ? 'blob' : 'tree'
    return `${REPOSITORY}/${kind}/main/${plain}${hash}`
  }
  const relative = path.relative(path.dirname(page), found.page)
  return `${relative.startsWith('.') ? '' : './'}${relative}${hash}`
}

/**
 * @param {string} text of a document
 * @param {Page} page
 */
export function pageText(text, page) {
  return text
    .replace(MARKERS, '')
    .replace(CODE_OR_LINK, (all, _indent, _fence, link) =>
      link === undefined ? all : `](${siteLink(link, page)})`,
    )
}

/** Writes the pages, and returns the files that they are made of. */
export function writePages() {
  const forgotten = COMPLETE.flatMap((folder) =>
    readdirSync(at(folder))
      .map((name) => `${folder}/${name}`)
      .filter((file) => file.endsWith('.md') && !bySource.has(file)),
  )
  if (forgotten.length > 0) throw new Error(`docs/pages.mjs lacks ${forgotten.join(', ')}`)
  for (const page of PAGES) {
    const file = path.join(OUT, 'pages', page.page)
    const text = pageText(readFileSync(at(page.source), 'utf8'), page)
    // What has not changed is not written: the server would load it again.
    if (existsSync(file) && readFileSync(file, 'utf8') === text) continue
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  return PAGES.map(({ source }) => source)
}

/**
 * Pages, the reference that typedoc made, and the explorer that its example built.
 *
 * @throws {Error} if a document of a folder that the site shows whole is not in docs/pages.mjs
 */
export function assemble() {
  rmSync(path.join(OUT, 'pages'), { recursive: true, force: true })
  writePages()
  const into = path.join(OUT, 'pages', 'public')
  cpSync(at('docs', 'public'), into, { recursive: true })
  cpSync(at('.cache', 'typedoc'), path.join(into, 'api'), { recursive: true })
  cpSync(at('examples', 'explorer', 'dist'), path.join(into, 'explorer'), { recursive: true })
}

/** Installs VitePress as its lockfile says; no script of it runs. */
async function installVitePress() {
  if (!existsSync(VITEPRESS)) await run('npm', ['ci', '--ignore-scripts', '--prefix', DOCS])
}

/**
 * Runs a command of VitePress to its end.
 *
 * @param {string[]} args
 * @param {(line: string) => void} [onLine]
 */
export async function vitepress(args, onLine = () => {}) {
  await installVitePress()
  // Who calls it may be a test, for which VitePress would build another Vue.
  const env = { NODE_ENV: args[0] === 'build' ? 'production' : 'development' }
  return run(process.execPath, [VITEPRESS, ...args], { cwd: DOCS, env, onLine })
}

/**
 * Builds the site into {@link SITE}.
 *
 * @param {(line: string) => void} [onLine]
 * @throws {Error} if a link leads nowhere
 */
export async function buildSite(onLine) {
  assemble()
  await vitepress(['build', '.'], onLine)
}
