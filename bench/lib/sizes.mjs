/** Bytes of what a page downloads, raw and as servers compress it. */

import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { build } from 'esbuild'

/** @typedef {import('./types.js').Size} Size */

const here = fileURLToPath(new URL('.', import.meta.url))

/** What a page would import to check an account's proof with each library. */
const BUNDLES = [
  {
    name: 'lightproof: a wallet that shows a balance (+ mpt module)',
    code: `export { createClient, getBalance, mainnet } from 'lightproof'`,
  },
  { name: 'lightproof: everything (+ mpt module)', code: `export * from 'lightproof'` },
  {
    name: 'lightproof/inline: everything, module inside',
    code: `export * from 'lightproof/inline'`,
  },
  {
    name: 'lightproof/evm: a call (+ mpt and evm modules)',
    code: `export { createClient, mainnet } from 'lightproof'; export { call } from 'lightproof/evm'`,
  },
  {
    name: '@ethereumjs/evm: a call over proofs',
    code: `export { createEVM } from '@ethereumjs/evm'; export { fromMerkleStateProof } from '@ethereumjs/statemanager'`,
  },
  {
    name: '@ethereumjs/mpt: verifyMerkleProof',
    code: `export { verifyMerkleProof } from '@ethereumjs/mpt'; export { RLP } from '@ethereumjs/rlp'`,
  },
  {
    name: 'ethers: keccak256, decodeRlp',
    code: `export { keccak256, decodeRlp } from 'ethers'; export * from './walk.mjs'`,
  },
  {
    name: 'viem: keccak256, fromRlp',
    code: `export { keccak256, fromRlp } from 'viem'; export * from './walk.mjs'`,
  },
]

/** @returns {Promise<Size[]>} */
export async function measureSizes() {
  const modules = wasmFiles().map(([name, file]) => size(`module ${name}`, readFileSync(file)))
  const bundles = []
  for (const { name, code } of BUNDLES) bundles.push(size(name, await bundle(code)))
  return [...modules, ...bundles]
}

/** The modules in the published package. */
function wasmFiles() {
  const dir = fileURLToPath(new URL('../generated/', import.meta.resolve('lightproof')))
  return readdirSync(dir)
    .filter((file) => file.endsWith('_bg.wasm'))
    .map((file) => /** @type {const} */ ([file.replace('_bg.wasm', ''), path.join(dir, file)]))
}

/**
 * Minified for browsers, without any `.wasm` file.
 *
 * @param {string} code
 */
async function bundle(code) {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: here },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    logLevel: 'error',
  })
  const [output] = outputFiles
  if (output === undefined) throw new Error('esbuild wrote nothing')
  return output.contents
}

/**
 * @param {string} name
 * @param {Uint8Array} bytes
 * @returns {Size}
 */
function size(name, bytes) {
  return {
    name,
    raw: bytes.length,
    gzip: gzipSync(bytes, { level: 9 }).length,
    brotli: brotliCompressSync(bytes).length,
  }
}
