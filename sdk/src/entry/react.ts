/**
 * Entry for React: a hook that asks, and says what to show. Beside `lightproof`, which makes the
 * client.
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
