/**
 * Entry for the system `cole`: the complete history of a value. Needs a client of `lightproof`,
 * which also exports `getValue`.
 *
 * @packageDocumentation
 */

export { getHistory, type HistoryParameters } from '../systems/cole/getHistory.js'
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
