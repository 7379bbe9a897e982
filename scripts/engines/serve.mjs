// @ts-check
// A static file server on the loopback interface, for the examples and their tests. No
// dependencies.
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join, normalize, sep } from 'node:path'
import { captureScript } from './capture.mjs'

/** @type {Record<string, string>} */
const types = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
}

const capturePath = '/__console.js'

/**
 * @typedef {object} ServeOptions
 * @property {string} [csp] value of the Content-Security-Policy header
 * @property {string} [wasmType] MIME type of .wasm files, to imitate a server that does not know them
 * @property {string} [cacheControl] value of the Cache-Control header; `no-store` when left out
 * @property {string[]} [missing] paths that are answered 404
 * @property {boolean} [captureConsole] load {@link captureScript} first in every page
 */

/**
 * @typedef {object} StaticServer
 * @property {string} url origin, without a slash at the end
 * @property {string[]} requests path of every request, in order of arrival
 * @property {() => Promise<void>} close
 */

/**
 * The file that a request path names, or nothing if the path leaves the folder.
 *
 * @param {string} folder
 * @param {string} requestPath
 */
function fileFor(folder, requestPath) {
  /** @type {string} */
  let path
  try {
    path = decodeURIComponent(requestPath)
  } catch {
    return undefined
  }
  const file = normalize(join(folder, path.endsWith('/') ? `${path}index.html` : path))
  return file.startsWith(normalize(folder + sep)) && !path.includes('\0') ? file : undefined
}

/**
 * Serves a folder on 127.0.0.1 at a port that the system chooses.
 *
 * @param {string} folder
 * @param {ServeOptions} [options]
 * @returns {Promise<StaticServer>}
 */
export async function serveStatic(folder, options = {}) {
  /** @type {string[]} */
  const requests = []
  const server = createServer(async (request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    requests.push(path)
    response.setHeader('cache-control', options.cacheControl ?? 'no-store')
    response.setHeader('x-content-type-options', 'nosniff')
    if (options.csp !== undefined) response.setHeader('content-security-policy', options.csp)
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(405, { allow: 'GET, HEAD' }).end()
      return
    }
    if (options.captureConsole === true && path === capturePath) {
      response.writeHead(200, { 'content-type': types['.js'] }).end(captureScript)
      return
    }
    const file = options.missing?.includes(path) ? undefined : fileFor(folder, path)
    const content = file === undefined ? undefined : await readFile(file).catch(() => undefined)
    if (file === undefined || content === undefined) {
      response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end('not found\n')
      return
    }
    const extension = extname(file)
    const type =
      (extension === '.wasm' ? options.wasmType : undefined) ??
      types[extension] ??
      'application/octet-stream'
    const body =
      options.captureConsole === true && extension === '.html' ? withCapture(content) : content
    response.writeHead(200, { 'content-type': type }).end(request.method === 'HEAD' ? '' : body)
  })
  await new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => resolve(undefined))
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('server has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** @param {Buffer} html */
function withCapture(html) {
  return html.toString('utf8').replace('<head>', `<head><script src="${capturePath}"></script>`)
}
