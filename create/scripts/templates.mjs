/**
 * Writes `templates/`, which is packed and not kept: the examples' own files, with what a program
 * outside of the repository needs.
 */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * @typedef {object} Template
 * @property {string} example its folder
 * @property {string[]} files what is copied
 * @property {Record<string, string>} scripts beside the example's own
 * @property {boolean} [isTyped] whether it has types to check
 */

const TYPED = { files: ['build.mjs', 'src'], isTyped: true }

/** @type {Record<string, Template>} */
const TEMPLATES = {
  wallet: {
    ...TYPED,
    example: 'browser-wallet',
    scripts: { start: 'npm run build && esbuild --servedir=dist' },
  },
  script: {
    example: 'node-script',
    files: ['prove.mjs', 'options.mjs', 'report.mjs'],
    scripts: { start: 'node prove.mjs' },
  },
  extension: { ...TYPED, example: 'extension', scripts: {} },
}

const root = fileURLToPath(new URL('../..', import.meta.url))
const out = path.join(root, 'create', 'templates')
const at = (/** @type {string[]} */ ...parts) => path.join(root, ...parts)
const read = (/** @type {string[]} */ ...parts) => readFileSync(at(...parts), 'utf8')
const json = (/** @type {unknown} */ value) => `${JSON.stringify(value, undefined, 2)}\n`
const workspace = JSON.parse(read('package.json'))
/** A configuration for mainnet, in place of the devnet's that `npm start` writes. */
const MAINNET = /## On mainnet.*?```ts\n(.*?)```/s

/** @param {Template} template */
function manifest({ example, scripts, isTyped }) {
  const { version, description, license, type, bin, ...own } = JSON.parse(
    read('examples', example, 'package.json'),
  )
  const { typescript } = workspace.devDependencies
  const typed = isTyped ? { typecheck: 'tsc --noEmit' } : {}
  return {
    name: example,
    version,
    private: true,
    description,
    license,
    type,
    engines: workspace.engines,
    ...(bin === undefined ? {} : { bin }),
    scripts: { ...own.scripts, ...scripts, ...typed },
    dependencies: own.dependencies,
    ...(isTyped ? { devDependencies: { ...own.devDependencies, typescript } } : {}),
  }
}

/**
 * The example's configuration of the compiler, with all that it extends.
 *
 * @param {string} example
 */
function tsconfig(example) {
  const {
    extends: base,
    compilerOptions,
    include,
  } = JSON.parse(read('examples', example, 'tsconfig.json'))
  const inherited = JSON.parse(read('examples', example, base)).compilerOptions
  return { compilerOptions: { ...inherited, ...compilerOptions }, include }
}

/**
 * The example's page, for a reader who does not have the repository.
 *
 * @param {string} example
 */
function readme(example) {
  const page = workspace.homepage.replace(/#.*/, '/blob/main/examples')
  return read('examples', example, 'README.md')
    .replace(/\n## Tests\n.*?(?=\n## |$)/s, '')
    .replace(/put this in place of\s`src\/config.ts`/i, '`src/config.ts` has this')
    .replace(/^ {4}npm start .*\n/m, '')
    .replace(/ -w example-[\w-]+/g, '')
    .replace(/\]\(\.\.\//g, `](${page}/`)
    .trimEnd()
}

/**
 * @param {string} name
 * @param {Template} template
 */
function write(name, template) {
  const { example, files, isTyped } = template
  const into = path.join(out, name)
  mkdirSync(into, { recursive: true })
  for (const file of files)
    cpSync(at('examples', example, file), path.join(into, file), { recursive: true })
  const put = (/** @type {string} */ file, /** @type {string} */ text) =>
    writeFileSync(path.join(into, file), text)
  put('package.json', json(manifest(template)))
  put('README.md', `${readme(example)}\n`)
  put('gitignore', 'node_modules/\ndist/\n')
  if (!isTyped) return
  put('tsconfig.json', json(tsconfig(example)))
  const config = MAINNET.exec(read('examples', example, 'README.md'))?.[1]
  if (config === undefined) throw new Error(`${example}/README.md has no configuration for mainnet`)
  put('src/config.ts', config)
}

rmSync(out, { recursive: true, force: true })
for (const [name, template] of Object.entries(TEMPLATES)) write(name, template)
for (const licence of ['LICENSE-MIT', 'LICENSE-APACHE']) cpSync(at(licence), at('create', licence))
