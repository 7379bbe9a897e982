/** What a page and its workers say to each other. */

import type { Done, Job } from '../core/engine.js'
import type { ModuleName, WasmSource } from '../wasm/module.js'

/** To a worker: where the wasm is, if the caller said so; then jobs. */
export type Order =
  | { readonly wasm: { readonly [name in ModuleName]?: WasmSource } }
  | { readonly id: number; readonly job: Job }

/** From a worker, once for each job. */
export type Report =
  | { readonly id: number; readonly done: Done }
  | { readonly id: number; readonly error: { readonly code: string; readonly message: string } }
