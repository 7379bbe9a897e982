/**
 * Entry for what a client knows of its nodes: how well each served, what each serves, and who sent a bad proof.
 *
 * @packageDocumentation
 */

export { type ProbeParameters, probeNodes } from './actions/probeNodes.js'
export {
  type NodeReport,
  type NodeState,
  reinstateNode,
  reportNodes,
} from './actions/reportNodes.js'
