/**
 * Entry for the state of a client's nodes: statistics, the systems and blocks that each serves, and
 * which node sent a bad proof.
 *
 * @packageDocumentation
 */

export { type ProbeParameters, probeNodes } from '../actions/probeNodes.js'
export {
  type NodeReport,
  type NodeState,
  reinstateNode,
  reportNodes,
} from '../actions/reportNodes.js'
export type { NodeOffer, NodeProfile } from '../client/profile.js'
export type { Shard } from '../systems/shard.js'
export type { Health } from '../transport/health.js'
