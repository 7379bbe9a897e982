import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
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
      "createClient",
      "defineChain",
      "devnet",
      "fetchProof",
      "getAccount",
      "getBalance",
      "getBlock",
      "getCode",
      "getHistory",
      "getNonce",
      "getStorage",
      "getValue",
      "hoodi",
      "mainnet",
      "proven",
      "resultToJson",
      "sepolia",
      "setWasm",
      "verifyProofFile",
    ]
  `)
})

test('default: every entry exports the same, inline the bridge as well', () => {
  const names = Object.keys(lightproof).sort()
  expect(Object.keys(node).sort()).toEqual(names)
  expect(Object.keys(web).sort()).toEqual(names)
  expect(Object.keys(inline).sort()).toEqual([...names, 'serveBridge'].sort())
})

test('default: files with side effects are those that choose the wasm', () => {
  const file = new URL('../package.json', import.meta.url)
  const { sideEffects } = JSON.parse(readFileSync(file, 'utf8')) as { sideEffects: string[] }
  expect(sideEffects).toEqual(['./dist/entry/node.js', './dist/entry/web.js', './dist/inline.js'])
})
