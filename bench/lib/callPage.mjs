/**
 * The first call of a page that was just opened: its scripts, a worker, the modules, the questions
 * to a node and the run, each time at an origin that the engine has not seen.
 */

import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { keccak256 } from 'ethers'
import { engineNames, findEngine } from '../../scripts/engines/find.mjs'
import { launch } from '../../scripts/engines/launch.mjs'
import { serveStatic } from '../../scripts/engines/serve.mjs'
import { GENESIS, nodeOf } from './callClient.mjs'

/** @typedef {import('./callState.mjs').RecordedCall} RecordedCall */
/** @typedef {import('../../scripts/engines/types.ts').EngineName} EngineName */

const here = fileURLToPath(new URL('.', import.meta.url))

/**
 * Milliseconds from the navigation to the proven output.
 *
 * @param {RecordedCall} recorded one call
 * @param {number} rounds
 * @returns {Promise<Map<EngineName, number[]>>} of each engine that is on this machine
 */
export async function measureColdCall(recorded, rounds) {
  const hash = /** @type {`0x${string}`} */ (keccak256(recorded.header))
  const node = await serveNode(nodeOf(recorded, hash, false))
  const folder = await mkdtemp(path.join(tmpdir(), 'lightproof-bench-'))
  /** @type {Map<EngineName, number[]>} */
  const samples = new Map()
  try {
    await buildPage(folder, pageOf(recorded, hash, node.url))
    for (const name of engineNames.filter((one) => findEngine(one).status === 'found')) {
      const engine = await launch(name)
      try {
        const own = []
        for (let round = 0; round < rounds; round++) own.push(await openPage(engine, folder))
        samples.set(name, own)
      } finally {
        await engine.close()
      }
    }
  } finally {
    await rm(folder, { recursive: true })
    await node.stop()
  }
  return samples
}

/**
 * @param {import('../../scripts/engines/types.ts').Engine} engine
 * @param {string} folder
 * @returns {Promise<number>}
 */
async function openPage(engine, folder) {
  const { url, close } = await serveStatic(folder)
  try {
    await engine.open(`${url}/`)
    await engine.waitFor('window.outcome !== undefined')
    const outcome = await engine.evaluate('window.outcome')
    if (typeof outcome !== 'number') throw new Error(`${engine.name}: ${outcome}`)
    return outcome
  } finally {
    await close()
  }
}

/**
 * The page's script.
 *
 * @param {RecordedCall} recorded
 * @param {string} block
 * @param {string} node
 */
function pageOf({ calls: [call], output }, block, node) {
  return `import { createClient, defineChain } from 'lightproof'
    import { call } from 'lightproof/evm'
    const forks = [{ rules: 'prague', block: 0, blobFraction: 5007716 }]
    const named = { name: 'made', kind: 'ethereum', chainId: 1, genesisHash: '${GENESIS}' }
    const client = createClient({
      chain: defineChain({ ...named, forks }),
      anchor: { block: '${block}' },
      nodes: ['${node}'],
    })
    call(client, ${JSON.stringify(call)}).then(
      (result) => {
        const isRight = result.status === 'success' && result.value.output === '${output}'
        window.outcome = isRight ? performance.now() : JSON.stringify(result.status)
      },
      (error) => { window.outcome = String(error) },
    )`
}

/**
 * Laid out as the package is.
 *
 * @param {string} folder
 * @param {string} contents
 */
async function buildPage(folder, contents) {
  const html = '<!doctype html><script type="module" src="scripts/main.js"></script>'
  await mkdir(path.join(folder, 'generated'))
  await writeFile(path.join(folder, 'main.js'), contents)
  await Promise.all([
    writeFile(path.join(folder, 'index.html'), html),
    ...['mpt', 'evm'].map((name) =>
      copyFile(
        fileURLToPath(import.meta.resolve(`lightproof/${name}.wasm`)),
        path.join(folder, 'generated', `${name}_bg.wasm`),
      ),
    ),
    build({
      absWorkingDir: here,
      entryPoints: [
        { in: path.join(folder, 'main.js'), out: 'scripts/main' },
        { in: 'lightproof/worker', out: 'workers/web' },
      ],
      // The script is not below the packages.
      nodePaths: [fileURLToPath(new URL('../../node_modules', import.meta.url))],
      outdir: folder,
      chunkNames: 'scripts/[name]-[hash]',
      bundle: true,
      splitting: true,
      minify: true,
      format: 'esm',
      target: 'es2022',
      logLevel: 'warning',
    }),
  ])
}

/**
 * @param {(asked: { id: unknown, method: string, params: never[] }) => unknown} answer
 * @returns {Promise<{ url: string, stop(): Promise<void> }>}
 */
async function serveNode(answer) {
  const server = createServer(async (request, response) => {
    response.setHeader('access-control-allow-origin', '*')
    response.setHeader('access-control-allow-headers', '*')
    response.setHeader('content-type', 'application/json')
    let text = ''
    for await (const part of request) text += part
    const asked = text === '' ? [] : JSON.parse(text)
    response.end(JSON.stringify(Array.isArray(asked) ? asked.map(answer) : answer(asked)))
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve(undefined))
      }),
  }
}
