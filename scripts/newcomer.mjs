#!/usr/bin/env node
/**
 * Walks the way of a new user: packs the package, installs the tarball outside of the repository,
 * and goes from there to the first proven fact. Prints every step with its time.
 *
 *   node scripts/newcomer.mjs
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { serveOneBlock } from './lib/oneBlock.mjs'
import { at } from './lib/repo.mjs'
import { run } from './lib/run.mjs'
import { duration } from './lib/steps.mjs'
import { setup } from './setup.mjs'

/** What the user writes. */
const PROGRAM = `import { createClient, defineChain, getBalance } from 'lightproof'

const [url, block, address, chainId] = process.argv.slice(2)
const chain = defineChain({ name: 'local', kind: 'ethereum', chainId: Number(chainId), genesisHash: block })
const client = createClient({ chain, anchor: { block }, nodes: [url] })
const result = await getBalance(client, { address })
console.log(result.status, String(result.value ?? result.error.code))
`

/**
 * The walk, with the SDK as it is built; the title of each step, what came of it, and its
 * milliseconds.
 *
 * @param {(step: { title: string, result: string, ms: number }) => void} tell
 */
export async function walk(tell) {
  const app = mkdtempSync(path.join(tmpdir(), 'lightproof-newcomer-'))
  const [honest, liar] = await Promise.all([serveOneBlock(), serveOneBlock({ lies: true })])
  /**
   * @param {string} title
   * @param {() => Promise<string>} work
   */
  const step = async (title, work) => {
    const began = performance.now()
    const result = (await work()).trim()
    tell({ title, result, ms: performance.now() - began })
    return result
  }
  const inApp = { cwd: app }
  const ask = (/** @type {typeof honest} */ { url, block, address, chainId }) =>
    run(process.execPath, ['first.js', url, block, address, String(chainId)], inApp)
  try {
    const packing = ['pack', '--silent', '--pack-destination', app]
    const tarball = await step('npm pack', () => run('npm', packing, { cwd: at('sdk') }))
    writeFileSync(path.join(app, 'package.json'), '{ "private": true, "type": "module" }')
    const quiet = ['--offline', '--no-audit', '--no-fund', '--omit=peer']
    await step('npm install lightproof', () =>
      run('npm', ['install', ...quiet, path.join(app, tarball)], inApp),
    )
    await step('a program of 7 lines', async () => {
      writeFileSync(path.join(app, 'first.js'), PROGRAM)
      return 'first.js'
    })
    await step('the first proven fact', () => ask(honest))
    await step('a node that lies', () => ask(liar))
    await step('the command line', () =>
      run(path.join(app, 'node_modules', '.bin', 'lightproof'), ['--version'], inApp),
    )
  } finally {
    honest.close()
    liar.close()
    rmSync(app, { recursive: true, force: true })
  }
}

async function main() {
  await setup(['sdk'])
  let total = 0
  await walk(({ title, result, ms }) => {
    total += ms
    console.log(`  ${title} (${duration(ms)}): ${result.split('\n').at(-1)}`)
  })
  console.log(`\nFrom the tarball to all of it: ${duration(total)}.`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main()
