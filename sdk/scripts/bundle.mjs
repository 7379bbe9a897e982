/**
 * Bundles the compiled sources, since Node.js takes a millisecond for a file: what every program
 * loads is one file, `chunks/core.js`, in place of sixty. What a program may load later stays in
 * files of its own, and so do the glue and the wasm, which bundlers find by their URLs.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { build } from 'esbuild'

const INDEX = 'entry/index.js'
const CORE = 'chunks/core.js'
/**
 * The worker's script, a file that needs no other: Vite builds workers without splitting them,
 * unless it is told to.
 */
const WORKER = 'workers/web.js'
/** In place of a file of the bundle, until the place of the file that names it is known. */
const MARK = 'lightproof-file:'
/** `import { a as b } from "…"`, or `export * from "…"`, of a file with the mark. */
const STATEMENT = new RegExp(`(import|export) (\\*|\\{[^}]*\\}) from "${MARK}([^"]+)";`, 'g')
const PLACE = new RegExp(`"${MARK}([^"]+)"`, 'g')
/** Evaluating a chunk does nothing: it is loaded for what is used of it. */
const BARE = /^import "[^"]*\/chunk-\w+\.js";\n/gm
/**
 * Files that stay where they are: three choose how wasm is loaded when they are evaluated, so bundlers
 * must not drop them, and one finds the manifest beside itself.
 */
const APART = ['wasm/fromFiles.js', 'wasm/fromModules.js', 'wasm/fromUrls.js', 'cli/main.js']

/**
 * The files that `exports` and `bin` of a manifest name, relative to `dist`.
 *
 * @param {string} manifest
 */
function entriesOf(manifest) {
  const { exports, bin } = JSON.parse(readFileSync(manifest, 'utf8'))
  /** @type {Set<string>} */
  const found = new Set()
  const visit = (/** @type {unknown} */ value) => {
    if (typeof value === 'object' && value !== null) Object.values(value).forEach(visit)
    else if (String(value).endsWith('.js')) found.add(path.relative('dist', String(value)))
  }
  visit([exports, bin])
  return [...found]
}

/**
 * What the core calls each export of its files: the name itself, but for names of two of them.
 *
 * @param {import('esbuild').Metafile} metafile of a build with each of the files as an entry
 */
function namesOf({ outputs }) {
  /** @type {Map<string, Map<string, string>>} */
  const names = new Map()
  const taken = new Set()
  // What is published keeps its name.
  const files = Object.values(outputs).sort(({ entryPoint }) => (entryPoint === INDEX ? -1 : 0))
  for (const { entryPoint, exports } of files) {
    if (entryPoint === undefined) continue
    const own = new Map()
    for (const name of exports) {
      own.set(name, taken.has(name) ? `${name}_${taken.size}` : name)
      taken.add(own.get(name))
    }
    names.set(entryPoint, own)
  }
  return names
}

/** @param {string} dir */
function filesBelow(dir) {
  return readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.js') && !file.startsWith('generated'),
  )
}

/**
 * Replaces the JavaScript below `dir` with its bundle.
 *
 * @param {string} dir
 * @param {string} manifest
 */
export async function bundle(dir, manifest) {
  const common = /** @type {const} */ ({
    absWorkingDir: dir,
    outbase: dir,
    outdir: dir,
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    // Peers are found where the package is installed.
    external: ['../generated/*', '../../generated/*', 'node:*', 'ethers', 'react', 'viem'],
    logLevel: 'error',
    tsconfigRaw: '{}',
  })
  const sources = filesBelow(dir)
  const whole = await build({ ...common, entryPoints: [INDEX], ignoreAnnotations: true })
  const { inputs } = whole.metafile
  /** @type {Set<string>} */
  const core = new Set()
  const later = new Set()
  const visit = (/** @type {string} */ file) => {
    if (core.has(file)) return
    core.add(file)
    for (const { path: next, kind, external } of inputs[file]?.imports ?? []) {
      if (external) continue
      if (kind === 'import-statement') visit(next)
      else later.add(next)
    }
  }
  visit(INDEX)

  const parts = await build({ ...common, entryPoints: [...core] })
  const names = namesOf(parts.metafile)

  const entries = [...new Set([...entriesOf(manifest), ...APART, ...later])]
  /** @type {import('esbuild').Plugin} */
  const plugin = {
    name: 'lightproof',
    setup: (hooks) => {
      hooks.onResolve({ filter: /^\.{1,2}\// }, ({ path: to, kind, importer, resolveDir }) => {
        if (kind === 'entry-point' || to.includes('/generated/')) return undefined
        const file = path.relative(dir, path.join(resolveDir, to))
        const from = path.relative(dir, importer)
        if (core.has(from) || from === CORE) {
          return kind === 'import-statement' ? undefined : { path: MARK + file, external: true }
        }
        const isApart = core.has(file) || (entries.includes(file) && file !== from)
        return isApart ? { path: MARK + file, external: true } : undefined
      })
    },
  }
  const contents = [...core].map((file) => {
    const pairs = [...(names.get(file) ?? [])].map(([name, own]) => `${name} as ${own}`)
    return `export { ${pairs.join(', ')} } from './${file}'\n`
  })
  const options = { ...common, plugins: [plugin] }
  /** @type {import('esbuild').Plugin} */
  const whose = {
    name: 'lightproof-worker',
    setup: (hooks) => {
      // The manifest names it as having effects by its place in dist.
      hooks.onResolve({ filter: /\/fromUrls\.js$/ }, ({ path: to, resolveDir }) => {
        return { path: path.join(resolveDir, to), sideEffects: true }
      })
      // The quick build lacks modules.
      hooks.onResolve({ filter: /\/generated\// }, ({ path: to, resolveDir }) => {
        return existsSync(path.join(resolveDir, to)) ? undefined : { path: to, external: true }
      })
    },
  }
  const made = await Promise.all([
    build({ ...common, entryPoints: [WORKER], plugins: [whose], splitting: false, external: [] }),
    build({
      ...options,
      stdin: { contents: contents.join(''), resolveDir: dir, sourcefile: path.join(dir, CORE) },
      entryNames: CORE.replace(/\.js$/, ''),
    }),
    build({ ...options, entryPoints: entries, chunkNames: 'chunks/[name]-[hash]' }),
  ])

  for (const file of sources) rmSync(path.join(dir, file))
  const files = made.flatMap(({ outputFiles }) => outputFiles)
  for (const { path: file, text } of files) {
    // esbuild's own helpers, where no file needs any.
    if (text.trim() === '') continue
    const home = path.dirname(file)
    const place = (/** @type {string} */ to) => {
      const relative = path.relative(home, path.join(dir, to))
      return JSON.stringify(relative.startsWith('.') ? relative : `./${relative}`)
    }
    /** Of the core, by all the sources in this file. @type {string[]} */
    const imported = []
    const linked = text
      .replaceAll(STATEMENT, (whole, keyword, list, to) => {
        const own = names.get(to)
        if (own === undefined) return whole
        const pairs = list === '*' ? [...own.keys()] : list.slice(1, -1).split(',')
        const renamed = pairs.map((/** @type {string} */ pair) => {
          const [outer = '', inner = outer] = pair.trim().split(' as ')
          const name = own.get(outer)
          return name === inner ? inner : `${name} as ${inner}`
        })
        if (keyword === 'export') return `export { ${renamed.join(', ')} } from ${place(CORE)};`
        imported.push(...renamed)
        return ''
      })
      .replaceAll(PLACE, (_, to) => place(to))
      .replaceAll(BARE, '')
      .replace(/^(?:#!.*\n)?/, (first) => {
        const list = imported.join(', ')
        return list === '' ? first : `${first}import { ${list} } from ${place(CORE)};\n`
      })
    if (linked.includes(MARK)) throw new Error(`${file} imports a file in an unknown way`)
    mkdirSync(home, { recursive: true })
    writeFileSync(file, linked)
  }
}
