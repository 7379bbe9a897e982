import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import * as cole from './cole.js'
import * as node from './entry/node.js'
import * as web from './entry/web.js'
import * as lightproof from './index.js'
import * as inline from './inline.js'

test('default: the export list', () => {
  expect(Object.keys(lightproof).sort()).toMatchInlineSnapshot(`
    [
      "CORE_CODES",
      "InputError",
      "PlatformError",
      "ProofError",
      "RpcError",
      "TransportError",
      "UnavailableError",
      "agreeOnCheckpoint",
      "createClient",
      "defineChain",
      "devnet",
      "fetchProof",
      "getAccount",
      "getBalance",
      "getBlock",
      "getCode",
      "getNonce",
      "getStorage",
      "hoodi",
      "mainnet",
      "memoryStore",
      "proven",
      "resultToJson",
      "sepolia",
      "setWasm",
      "sync",
      "verifyProofFile",
    ]
  `)
})

test('default: every entry exports the same, and what its platform alone can do', () => {
  const names = Object.keys(lightproof)
  expect(Object.keys(node).sort()).toEqual([...names, 'fileStore'].sort())
  expect(Object.keys(web).sort()).toEqual([...names, 'indexedDbStore'].sort())
  expect(Object.keys(inline).sort()).toEqual([...names, 'indexedDbStore', 'serveBridge'].sort())
})

test('default: the entry of cole adds its actions alone', () => {
  expect(Object.keys(cole)).toEqual(['getHistory', 'getValue'])
})

test('default: files with side effects are those that choose the wasm', () => {
  const file = new URL('../package.json', import.meta.url)
  const { sideEffects } = JSON.parse(readFileSync(file, 'utf8')) as { sideEffects: string[] }
  expect(sideEffects).toEqual(['./dist/entry/node.js', './dist/entry/web.js', './dist/inline.js'])
})
