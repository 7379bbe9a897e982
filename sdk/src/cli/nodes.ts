/** `lightproof nodes`: what each node serves. */

import { probeNodes } from '../actions/probeNodes.js'
import type { NodeReport } from '../actions/reportNodes.js'
import type { Client } from '../client/client.js'
import type { NodeOffer } from '../client/profile.js'
import { type Json, toJson } from '../result/json.js'
import { EXIT, type Io, jsonText, table } from './io.js'

/** Runs `nodes`: exit 0 if one of them serves the chain's proofs. */
export async function nodesCommand(io: Io, client: Client, json: boolean): Promise<number> {
  const reports = await probeNodes(client, { signal: io.signal })
  const nodes = reports.filter(({ kind }) => kind === 'node')
  if (json) io.out(jsonText(nodes.map(nodeJson)))
  else io.out(table(nodes.flatMap(rowsOf)))
  const serves = nodes.some(({ profile }) => (profile?.systems?.size ?? 0) > 0)
  return serves ? EXIT.ok : EXIT.unavailable
}

function rowsOf(report: NodeReport): [string, string][] {
  const { name, profile, lastCode, latencyMs } = report
  if (profile === undefined)
    return [[name, `serves nothing of this chain (${lastCode ?? 'not asked'})`]]
  const systems = [...(profile.systems ?? [])].map(
    ([system, offer]) => `${system} ${window(offer)}`,
  )
  const byHash = profile.takesBlockHash === false ? '; by number alone, not by block hash' : ''
  const lacks = profile.lacks.size === 0 ? '' : `; lacks ${[...profile.lacks.keys()].join(', ')}`
  const proofs = systems.length === 0 ? 'no proofs' : systems.join(', ')
  return [[name, `${latencyMs ?? 0} ms: ${proofs}${byHash}${lacks}`]]
}

function window({ window, shard }: NodeOffer): string {
  const blocks = window === undefined ? '' : `${window.from} to ${window.to}`
  return shard === undefined ? blocks : `${blocks} (shard ${shard.index} of ${2 ** shard.bits})`
}

function nodeJson({ name, latencyMs, lastCode, profile }: NodeReport): Json {
  const offers = [...(profile?.systems ?? [])].map(([system, offer]) => [system, { ...offer }])
  return toJson({
    name,
    latencyMs,
    lastCode,
    systems: Object.fromEntries(offers),
    takesBlockHash: profile?.takesBlockHash,
    lacks: [...(profile?.lacks.keys() ?? [])],
  })
}
