/**
 * Entry for programs that show how a proof is checked, in Node.js: the steps of the verifier, traced
 * by wasm modules that no other entry loads.
 *
 * @packageDocumentation
 */

import { readFile } from 'node:fs/promises'
import { useFiles } from '../trace/load.js'

useFiles((module) => readFile(new URL(`../generated/${module}_bg.wasm`, import.meta.url)))

export * from './trace.js'
