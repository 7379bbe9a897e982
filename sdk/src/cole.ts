/**
 * Entry for the system `cole`: every version of a value, and nothing left out. Beside `lightproof`, which makes the
 * client.
 *
 * @packageDocumentation
 */

export { getHistory, type HistoryParameters } from './actions/getHistory.js'
export { getValue, type ValueParameters } from './actions/getValue.js'
export type { History, Predecessor, Version } from './systems/cole.js'
