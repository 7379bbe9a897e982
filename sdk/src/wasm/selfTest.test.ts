/** Modules that an engine compiled wrongly: none judges anything. */

import { readFile } from 'node:fs/promises'
import binaryen from 'binaryen'
import { describe, expect, test, vi } from 'vitest'
import type * as Wasm from './module.js'
import type { ModuleName } from './module.js'

/** Those that the modules are built with: Node 20 cannot load all of binaryen's. */
const FEATURES =
  binaryen.Features.BulkMemory |
  binaryen.Features.BulkMemoryOpt |
  binaryen.Features.Multivalue |
  binaryen.Features.MutableGlobals |
  binaryen.Features.NontrappingFPToInt |
  binaryen.Features.ReferenceTypes |
  binaryen.Features.SignExt |
  binaryen.Features.SIMD128

const MODULES = ['mpt', 'hash', 'bn254', 'bls12_381', 'light', 'evm'] as const

const read = (name: ModuleName): Promise<Uint8Array> =>
  readFile(new URL(`../generated/${name}_bg.wasm`, import.meta.url))

async function readModule(name: ModuleName): Promise<binaryen.Module> {
  const wasm = binaryen.readBinary(await read(name))
  wasm.setFeatures(FEATURES)
  return wasm
}

/** Module state is per test: each gets the loader anew. */
async function fresh(): Promise<typeof Wasm> {
  vi.resetModules()
  return import('./module.js')
}

/** Imports that do nothing. */
function imports(module: WebAssembly.Module): WebAssembly.Imports {
  const made: Record<string, Record<string, () => number>> = {}
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    made[from] = { ...made[from], [name]: () => 0 }
  }
  return made
}

type Compare = (left: number, right: number, length: number) => number

/** The function that compares bytes in memory, by what it does. */
function comparison(wasm: binaryen.Module): string {
  const three = binaryen.createType([binaryen.i32, binaryen.i32, binaryen.i32])
  const names: string[] = []
  for (let index = 0; index < wasm.getNumFunctions(); index++) {
    const { name, params, results, base } = binaryen.getFunctionInfo(wasm.getFunctionByIndex(index))
    if (params === three && results === binaryen.i32 && base === '') names.push(name)
  }
  for (const [index, name] of names.entries()) wasm.addFunctionExport(name, `candidate${index}`)
  const module = new WebAssembly.Module(Uint8Array.from(wasm.emitBinary()))
  const compares = names.filter((_, index) => {
    try {
      const { exports } = new WebAssembly.Instance(module, imports(module))
      const memory = new Uint8Array((exports['memory'] as WebAssembly.Memory).buffer)
      const compare = exports[`candidate${index}`] as Compare
      const at = memory.length - 64
      memory.set([1, 2, 3, 9], at)
      memory.set([1, 2, 3, 7], at + 32)
      return compare(at, at + 32, 3) === 0 && compare(at, at + 32, 4) !== 0
    } catch {
      return false
    }
  })
  const [found, ...more] = compares
  if (found === undefined || more.length > 0) throw new Error(`compare: ${compares}`)
  return found
}

/** A module in which bytes always compare so. */
async function comparing(name: ModuleName, result: number): Promise<Uint8Array> {
  const compare = comparison(await readModule(name))
  const wasm = await readModule(name)
  const { params, results } = binaryen.getFunctionInfo(wasm.getFunction(compare))
  wasm.removeFunction(compare)
  wasm.addFunction(compare, params, results, [], wasm.i32.const(result))
  return wasm.emitBinary()
}

/** A module in which one instruction does what another does. */
async function exchanged(name: ModuleName, from: string, to: string): Promise<Uint8Array> {
  const text = (await readModule(name)).emitText()
  if (!text.includes(`(${from}\n`)) throw new Error(`no ${from}`)
  const other = binaryen.parseText(text.replaceAll(`(${from}\n`, `(${to}\n`))
  other.setFeatures(FEATURES)
  return other.emitBinary()
}

async function refused(name: ModuleName, bytes: Uint8Array): Promise<void> {
  const wasm = await fresh()
  wasm.setWasm({ [name]: bytes })
  await expect(wasm.loadModule(name)).rejects.toMatchObject({
    name: 'PlatformError',
    code: 'platform.wasm',
    message: expect.stringMatching(/self-test|unreachable|out of bounds/),
  })
}

describe('a module that was compiled wrongly', () => {
  test.each(MODULES)('default: as it was compiled, %s starts', async (name) => {
    const wasm = await fresh()
    wasm.setWasm({ [name]: await read(name) })
    expect(await wasm.loadModule(name)).toHaveProperty('use')
  })

  test.each(MODULES)('error: %s takes all bytes for equal', async (name) => {
    await refused(name, await comparing(name, 0))
  })

  test.each(MODULES)('error: %s takes no bytes for equal', async (name) => {
    await refused(name, await comparing(name, 1))
  })

  test.each([
    ['mpt', 'i64.rotl', 'i64.rotr'],
    ['hash', 'i64.rotl', 'i64.rotr'],
    ['evm', 'i64.rotl', 'i64.rotr'],
    ['bn254', 'i64x2.extmul_high_i32x4_s', 'i64x2.extmul_low_i32x4_s'],
    ['bls12_381', 'i64x2.extmul_high_i32x4_s', 'i64x2.extmul_low_i32x4_s'],
    ['light', 'i64x2.extmul_high_i32x4_s', 'i64x2.extmul_low_i32x4_s'],
  ] as const)('error: %s runs %s as %s', async (name, from, to) => {
    await refused(name, await exchanged(name, from, to))
  })
})

describe('what follows', () => {
  test('behavior: it is compiled once more, from the source', async () => {
    const wasm = await fresh()
    const sources = [await comparing('mpt', 0), await read('mpt')]
    wasm.usePlatform({ mpt: async () => sources.shift() as Uint8Array<ArrayBuffer> })
    const { keccak256 } = await wasm.loadHash()
    expect(keccak256(new Uint8Array(0))).toHaveLength(32)
    expect(sources).toEqual([])
  })

  test('error: the second one fails as well: the engine is named, and what to do', async () => {
    vi.stubGlobal('navigator', { userAgent: 'Engine/7' })
    try {
      const wasm = await fresh()
      let reads = 0
      const bytes = await comparing('mpt', 0)
      wasm.usePlatform({
        mpt: async () => {
          reads++
          return bytes as Uint8Array<ArrayBuffer>
        },
      })
      await expect(wasm.loadHash()).rejects.toThrow(/Engine\/7.*update/)
      expect(reads).toBe(2)
      // Nothing of it can be called.
      const glue = await import('../generated/mpt.js')
      expect(() => glue.keccak256(new Uint8Array(0))).toThrow(TypeError)
    } finally {
      vi.unstubAllGlobals()
    }
  })
})
