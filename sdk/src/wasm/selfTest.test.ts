/** Modules that an engine compiled wrongly: none judges anything. */

import { describe, expect, test, vi } from 'vitest'
import { comparing, EXCHANGES, exchanged, MODULES, read } from '../../test/support/altered.js'
import type * as Wasm from './module.js'
import type { ModuleName } from './module.js'

/** Module state is per test: each gets the loader anew. */
async function fresh(): Promise<typeof Wasm> {
  vi.resetModules()
  return import('./module.js')
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

  test.each(EXCHANGES)('error: %s runs %s as %s', async (name, from, to) => {
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
