/** No engine starts a module that answers known questions wrongly. */

import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { comparing, EXCHANGES, exchanged, MODULES } from '../../../sdk/test/support/altered.js'
import { consoleErrors, inEveryEngine } from '../support/engines.js'
import type { AlteredFile, AlteredReport } from './pages/altered.js'
import { buildPages } from './pages.js'

let pages: Awaited<ReturnType<typeof buildPages>>
let altered: AlteredFile['altered']

beforeAll(async () => {
  const equal = MODULES.map((module) => ({ module, file: `${module}-equal.wasm` }))
  const unequal = MODULES.map((module) => ({ module, file: `${module}-unequal.wasm` }))
  const other = EXCHANGES.map(([module]) => ({ module, file: `${module}-exchanged.wasm` }))
  altered = [...equal, ...unequal, ...other]
  pages = await buildPages(JSON.stringify({ altered } satisfies AlteredFile))
  const folder = join(pages.folder, 'altered')
  await mkdir(folder)
  const write = (file: string, bytes: Uint8Array) => writeFile(join(folder, file), bytes)
  for (const { module, file } of equal) await write(file, await comparing(module, 0))
  for (const { module, file } of unequal) await write(file, await comparing(module, 1))
  for (const [module, from, to] of EXCHANGES) {
    await write(`${module}-exchanged.wasm`, await exchanged(module, from, to))
  }
})

afterAll(() => pages.remove())

inEveryEngine((lab) => {
  test('error: a module that takes all bytes for equal, or none, or runs an instruction as another', async () => {
    const { url } = await lab.serve(pages.folder)
    const engine = lab.engine()
    await engine.open(`${url}/altered.html`)
    await engine.waitFor('window.report !== undefined')
    const report = (await engine.evaluate('window.report')) as AlteredReport
    expect(report).toEqual({ started: [], refused: altered.length, honest: MODULES })
    expect(await consoleErrors(engine)).toEqual([])
  })
})
