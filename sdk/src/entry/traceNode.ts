/**
 * Entry for pages that show how a proof is checked, in Node.js: the verifier's own steps, from
 * modules that nothing else loads. Beside `lightproof`.
 *
 * @packageDocumentation
 */

import { readFile } from 'node:fs/promises'
import { useFiles } from '../trace/load.js'

useFiles((module) => readFile(new URL(`../generated/${module}_bg.wasm`, import.meta.url)))

export * from './trace.js'
