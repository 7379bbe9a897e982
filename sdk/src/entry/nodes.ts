/**
 * Entry for what a client knows of its nodes: how well each served, what each serves, and who sent
 * a bad proof.
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
