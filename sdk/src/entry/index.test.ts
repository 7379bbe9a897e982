import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import * as balanceproofs from './balanceproofs.js'
import * as cole from './cole.js'
import * as dev from './dev.js'
import * as eip1193 from './eip1193.js'
import * as ethers from './ethers.js'
import * as evm from './evm.js'
import * as lightproof from './index.js'
import * as inline from './inline.js'
import * as lmpt from './lmpt.js'
import * as lvmt from './lvmt.js'
import * as node from './node.js'
import * as nodes from './nodes.js'
import * as push from './push.js'
import * as systems from './systems.js'
import * as tokens from './tokens.js'
import * as traceNode from './traceNode.js'
import * as traceWeb from './traceWeb.js'
import * as verkle from './verkle.js'
import * as viem from './viem.js'
import * as web from './web.js'
import * as workersNode from './workersNode.js'
import * as workersWeb from './workersWeb.js'

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
      "getValue",
      "getValues",
      "hoodi",
      "mainnet",
      "memoryStore",
      "mpt",
      "printable",
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

test('default: the entry of cole adds itself and its action alone', () => {
  expect(Object.keys(cole)).toEqual(['getHistory', 'cole'])
})

test('default: the entry of balanceproofs adds itself alone', () => {
  expect(Object.keys(balanceproofs)).toEqual(['balanceproofs'])
})

test('default: the entry of lmpt adds itself alone', () => {
  expect(Object.keys(lmpt)).toEqual(['lmpt'])
})

test('default: the entry of lvmt adds itself alone', () => {
  expect(Object.keys(lvmt)).toEqual(['lvmt'])
})

test('default: the entry for development', () => {
  expect(Object.keys(dev).sort()).toEqual(['chainOf', 'trustNode'])
})

test('default: the entry of nodes', () => {
  expect(Object.keys(nodes).sort()).toEqual(['probeNodes', 'reinstateNode', 'reportNodes'])
})

test('default: the entry of tokens', () => {
  expect(Object.keys(tokens).sort()).toEqual(['getErc20Balance', 'tokens'])
})

test('default: the entry of verkle adds itself alone', () => {
  expect(Object.keys(verkle)).toEqual(['verkle'])
})

test('default: the entry of all systems', () => {
  expect(Object.keys(systems)).toEqual(['systems'])
})

test('default: the entries of workers', () => {
  expect([workersNode, workersWeb].map(Object.keys)).toEqual([['startWorkers'], ['startWorkers']])
})

test('default: the entries of the trace', () => {
  expect([traceNode, traceWeb].map(Object.keys)).toEqual([
    ['traceHeaders', 'traceProofFile'],
    ['traceHeaders', 'traceProofFile'],
  ])
})

test('default: the entry of pushing', () => {
  expect(Object.keys(push).sort()).toEqual(['PushError', 'createPushClient', 'pushBlock'])
})

test('default: the entries of adapters', () => {
  const entries = { eip1193, ethers, evm, viem }
  const names = Object.entries(entries).map(([entry, names]) => [entry, Object.keys(names).sort()])
  expect(Object.fromEntries(names)).toEqual({
    eip1193: [
      'ProviderRpcError',
      'RPC_CODES',
      'announceProvider',
      'createProvider',
      'isFinal',
      'withSigner',
    ],
    ethers: ['LightproofProvider'],
    evm: [
      'CallError',
      'call',
      'calls',
      'createAccessList',
      'estimateGas',
      'evm',
      'fetchCallProof',
      'getErc1155Balance',
      'getErc20Allowance',
      'getErc20Balance',
      'getErc20Balances',
      'getErc721Balance',
      'getErc721Owner',
      'lookupAddress',
      'recoverAddress',
      'resolveName',
      'simulate',
      'simulateCalls',
      'verifyCallFile',
    ],
    viem: ['lightproof', 'multicall', 'readContract'],
  })
})

test('default: files with side effects are those that choose the wasm', () => {
  const file = new URL('../../package.json', import.meta.url)
  const { sideEffects } = JSON.parse(readFileSync(file, 'utf8')) as { sideEffects: string[] }
  expect(sideEffects).toEqual([
    './dist/entry/inline.js',
    './dist/entry/inline/bls12_381.js',
    './dist/entry/inline/bn254.js',
    './dist/entry/inline/evm.js',
    './dist/entry/inline/hash.js',
    './dist/entry/inline/light.js',
    './dist/entry/node.js',
    './dist/entry/traceNode.js',
    './dist/entry/traceWeb.js',
    './dist/entry/web.js',
    './dist/entry/workerd.js',
    './dist/wasm/fromFiles.js',
    './dist/wasm/fromModules.js',
    './dist/wasm/fromUrls.js',
    './dist/workers/node.js',
    './dist/workers/own.js',
    './dist/workers/web.js',
  ])
})
