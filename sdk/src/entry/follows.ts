/**
 * Entry for chains that follow an Ethereum chain: clients of both compare what operators attest
 * with what Ethereum has. Beside `lightproof`, which makes the clients.
 *
 * @packageDocumentation
 */

export { type FollowedChainOptions, followedChain } from '../follows/followedChain.js'
export {
  type ContradictionParameters,
  verifyContradiction,
} from '../follows/verifyContradiction.js'
