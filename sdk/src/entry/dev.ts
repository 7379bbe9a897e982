/**
 * Entry for development: chains of `geth --dev`, anvil and their like, which have no checkpoint.
 * What it makes believes a node. An application that is shipped imports nothing of it.
 *
 * @packageDocumentation
 */

export type { NodeAnchor } from '../client/types.js'
export { type ChainOfOptions, chainOf } from '../dev/chainOf.js'
export { type TrustNodeOptions, trustNode } from '../dev/trustNode.js'
