/**
 * The flows of viem and of ethers in a page: what they saw, or the codes of the error that ended
 * them.
 */

import '../../../src/entry/web.js'
import { FLOWS } from '../support/flows.js'
import { followers } from '../support/following.js'
import { codesOf } from './codes.js'
import { parameters } from './parameters.js'

const { oracle, nodes, ...world } = parameters()
const state: Record<string, unknown> = {}
for (const [name, flow] of Object.entries(FLOWS)) {
  const client = await followers(oracle).of(nodes)
  state[name] = await flow(client, world).catch((error: unknown) => ({
    codes: codesOf(error),
    error: error instanceof Error ? error.stack : String(error),
  }))
}
const pre = document.createElement('pre')
pre.id = 'state'
pre.textContent = JSON.stringify(state, (_, v) => (typeof v === 'bigint' ? `${v}` : v))
document.body.append(pre)
