/**
 * Entry for React: a hook that runs an action and returns the state to show. Needs a client of
 * `lightproof`.
 *
 * @packageDocumentation
 */

export {
  type Good,
  type Outcome,
  type Proven,
  type Shown,
  type UseProvenOptions,
  useProven,
} from '../adapters/react.js'
export { isFinal } from '../result/final.js'
