/**
 * Entry for the system `cole`: every version of a value, and nothing left out. Beside `lightproof`,
 * which makes the client and has `getValue`.
 *
 * @packageDocumentation
 */

export { getHistory, type HistoryParameters } from '../actions/getHistory.js'
export {
  type ColeFactJson,
  type ColeHistory,
  type ColeHistoryQuestion,
  type ColeOutcome,
  type ColeTypes,
  type ColeValueQuestion,
  cole,
  type History,
  type Predecessor,
  type SlotQuestion,
  type Version,
  type VersionJson,
} from '../systems/cole.js'
