/**
 * Entry for chains that follow an Ethereum chain: compares what the operators attest with
 * Ethereum's own state. Needs clients of both chains, made by `lightproof`.
 *
 * @packageDocumentation
 */

export { type FollowedChainOptions, followedChain } from '../follows/followedChain.js'
export {
  type ContradictionParameters,
  verifyContradiction,
} from '../follows/verifyContradiction.js'
