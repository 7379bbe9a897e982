/** Modules as an engine that compiles wrongly would run them. */

import { readFile } from 'node:fs/promises'
import binaryen from 'binaryen'
import type { ModuleName } from '../../src/wasm/module.js'

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

/** Modules that judge what nodes send. */
export const MODULES = ['mpt', 'hash', 'bn254', 'bls12_381', 'light', 'evm'] as const

/** Of each module an instruction, and the one that does something else with the same operands. */
export const EXCHANGES = [
  ['mpt', 'i64.rotl', 'i64.rotr'],
  ['hash', 'i64.rotl', 'i64.rotr'],
  ['evm', 'i64.rotl', 'i64.rotr'],
  ['bn254', 'i64x2.extmul_high_i32x4_s', 'i64x2.extmul_low_i32x4_s'],
  ['bls12_381', 'i64x2.extmul_high_i32x4_s', 'i64x2.extmul_low_i32x4_s'],
  ['light', 'i64x2.extmul_high_i32x4_s', 'i64x2.extmul_low_i32x4_s'],
] as const

/** A module as it was built. */
export const read = (name: ModuleName): Promise<Uint8Array> =>
  readFile(new URL(`../../src/generated/${name}_bg.wasm`, import.meta.url))

async function readModule(name: ModuleName): Promise<binaryen.Module> {
  const wasm = binaryen.readBinary(await read(name))
  wasm.setFeatures(FEATURES)
  return wasm
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
export async function comparing(name: ModuleName, result: number): Promise<Uint8Array> {
  const compare = comparison(await readModule(name))
  const wasm = await readModule(name)
  const { params, results } = binaryen.getFunctionInfo(wasm.getFunction(compare))
  wasm.removeFunction(compare)
  wasm.addFunction(compare, params, results, [], wasm.i32.const(result))
  return wasm.emitBinary()
}

/** A module in which one instruction does what another does. */
export async function exchanged(name: ModuleName, from: string, to: string): Promise<Uint8Array> {
  const text = (await readModule(name)).emitText()
  if (!text.includes(`(${from}\n`)) throw new Error(`no ${from}`)
  const other = binaryen.parseText(text.replaceAll(`(${from}\n`, `(${to}\n`))
  other.setFeatures(FEATURES)
  return other.emitBinary()
}
