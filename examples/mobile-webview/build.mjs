// Builds dist/lightproof-webview.html: script, style and verifier in one file that requests nothing.
import { createHash } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const folder = fileURLToPath(new URL('.', import.meta.url))

/** @param {string} entry */
async function bundle(entry) {
  const result = await build({
    absWorkingDir: folder,
    entryPoints: [entry],
    bundle: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
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

const [page, style, script] = await Promise.all([
  readFile(`${folder}src/index.html`, 'utf8'),
  bundle('src/style.css'),
  bundle('src/main.ts'),
])
// The page may run this script and no other, compile WebAssembly, and talk to the nodes that the app names.
const policy = [
  "default-src 'none'",
  `script-src ${source(script)} 'wasm-unsafe-eval'`,
  `style-src ${source(style)}`,
  'img-src data:',
  'connect-src http: https:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')
const html = page
  .replace('/*policy*/', () => policy)
  .replace('/*style*/', () => style)
  .replace('/*script*/', () => script)

await rm(`${folder}dist`, { recursive: true, force: true })
await mkdir(`${folder}dist`)
await writeFile(`${folder}dist/lightproof-webview.html`, html)
