/** What a page and its workers say to each other. */

import type { Done, Job } from '../proving/engine.js'
import type { ModuleName, WasmSource } from '../wasm/module.js'

/**
 * To a worker: modules that it need not fetch, or where they are, if the caller said so; and jobs.
 */
export type Order =
  | { readonly wasm: { readonly [name in ModuleName]?: WasmSource } }
  | { readonly id: number; readonly job: Job }

/** From a worker: that it runs, then once for each job. */
export type Report =
  | { readonly isReady: true }
  | { readonly id: number; readonly done: Done }
  | { readonly id: number; readonly error: string; readonly isTrap: boolean }
