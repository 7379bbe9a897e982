// Builds dist/lightproof-webview.html and dist/lightproof-explorer.html: script, style and
// verifiers in one file each, which request nothing but what they ask of nodes.
import { createHash } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const folder = fileURLToPath(new URL('.', import.meta.url))

/**
 * @param {string} entry
 * @param {string} [from]
 */
async function bundle(entry, from = folder) {
  const result = await build({
    absWorkingDir: from,
    entryPoints: [entry],
    bundle: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    // The explorer's modules lie in it as data: URLs.
    loader: { '.wasm': 'dataurl' },
    write: false,
    logLevel: 'warning',
  })
  const text = result.outputFiles[0]?.text ?? ''
  // Inside an HTML file the text of a script must not hold its own end tag.
  return text.trim().replaceAll('</script', '<\\/script')
}

/** @param {string} text */
function source(text) {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

/**
 * The page may run this script and no other, compile WebAssembly, and talk to the nodes that are
 * named.
 *
 * @param {string} script
 * @param {string} style
 * @param {string} connect
 */
function policyOf(script, style, connect) {
  return [
    "default-src 'none'",
    `script-src ${source(script)} 'wasm-unsafe-eval'`,
    `style-src ${source(style)}`,
    'img-src data:',
    `connect-src ${connect}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
}

async function webview() {
  const [page, style, script] = await Promise.all([
    readFile(`${folder}src/index.html`, 'utf8'),
    bundle('src/style.css'),
    bundle('src/main.ts'),
  ])
  return page
    .replace('/*policy*/', () => policyOf(script, style, 'http: https:'))
    .replace('/*style*/', () => style)
    .replace('/*script*/', () => script)
}

/** The proof explorer of ../explorer, in one file. */
async function explorer() {
  const from = fileURLToPath(new URL('../explorer/', import.meta.url))
  const [page, style, script] = await Promise.all([
    readFile(`${from}src/index.html`, 'utf8'),
    bundle('src/style.css', from),
    bundle('src/main.ts', from),
  ])
  const policy = policyOf(script, style, 'data: http: https:')
  return page
    .replace(/(http-equiv="Content-Security-Policy" content=")[^"]*/, (_, start) => start + policy)
    .replace('<link rel="stylesheet" href="style.css">', () => `<style>${style}</style>`)
    .replace(
      '<script type="module" src="main.js"></script>',
      () => `<script type="module">${script}</script>`,
    )
}

const files = { 'lightproof-webview.html': webview(), 'lightproof-explorer.html': explorer() }
const texts = await Promise.all(
  Object.entries(files).map(async ([name, html]) => /** @type {const} */ ([name, await html])),
)
await rm(`${folder}dist`, { recursive: true, force: true })
await mkdir(`${folder}dist`)
await Promise.all(texts.map(([name, html]) => writeFile(`${folder}dist/${name}`, html)))
