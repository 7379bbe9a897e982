/** Starts modules as an engine that compiles wrongly would run them, and then as they are. */

// biome-ignore lint/style/noRestrictedImports: the loader is below what the package takes.
import { start, type WasmModule } from '../../../../sdk/src/wasm/instance.js'
import { publish } from './publish.js'

const GLUE = {
  // biome-ignore-start lint/style/noRestrictedImports: as above.
  mpt: () => import('../../../../sdk/dist/generated/mpt.js'),
  hash: () => import('../../../../sdk/dist/generated/hash.js'),
  bn254: () => import('../../../../sdk/dist/generated/bn254.js'),
  bls12_381: () => import('../../../../sdk/dist/generated/bls12_381.js'),
  light: () => import('../../../../sdk/dist/generated/light.js'),
  evm: () => import('../../../../sdk/dist/generated/evm.js'),
  // biome-ignore-end lint/style/noRestrictedImports: as above.
} as const

/** Files of modules that are altered; those that are not follow. */
export interface AlteredFile {
  readonly altered: readonly { readonly module: keyof typeof GLUE; readonly file: string }[]
}

/** How it went. */
export interface AlteredReport {
  /** Files of those that started though they were altered. */
  readonly started: readonly string[]
  readonly refused: number
  /** Modules that start as they are. */
  readonly honest: readonly string[]
}

publish(run())

async function run(): Promise<AlteredReport> {
  const { altered } = JSON.parse(
    document.getElementById('vectors')?.textContent ?? '',
  ) as AlteredFile
  const started: string[] = []
  for (const { module, file } of altered) {
    if (await starts(module, `altered/${file}`)) started.push(file)
  }
  const honest: string[] = []
  for (const module of Object.keys(GLUE) as (keyof typeof GLUE)[]) {
    if (await starts(module, `generated/${module}_bg.wasm`)) honest.push(module)
  }
  return { started, refused: altered.length - started.length, honest }
}

async function starts(module: keyof typeof GLUE, path: string): Promise<boolean> {
  const response = await fetch(path)
  if (!response.ok) throw new Error(`${path}: ${response.status}`)
  // Sound: what sdk/scripts/glue.mjs makes of the generated file.
  const glue = (await GLUE[module]()) as unknown as WasmModule
  const bytes = new Uint8Array(await response.arrayBuffer())
  try {
    await start(glue, bytes)
    return true
  } catch {
    return false
  }
}
