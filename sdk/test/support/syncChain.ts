/** The specification's own chain of small committees, as a beacon node serves it. */

import type { Hex } from '../../src/encoding/hex.js'
import { readBytes, type Script } from './beacon.js'
import { chainOfYaml, type SpecStep, unpackSnappy, yamlSteps, yamlValues } from './spec.js'

const FOLDER = 'spec-minimal/deneb/light_client_sync'

/** The slot of a step's clock. */
export function slotOf(step: SpecStep | undefined): number {
  return Number(step?.values.get('current_slot'))
}

/**
 * The chain; its steps; the updates before the one that is forced, and a node that serves some of
 * them.
 */
export function readSyncChain() {
  const text = (file: string): string => new TextDecoder().decode(readBytes(`${FOLDER}/${file}`))
  const unpacked = (name: string) => unpackSnappy(readBytes(`${FOLDER}/${name}.ssz_snappy`))
  const meta = yamlValues(text('meta.yaml'))
  const steps = yamlSteps(text('steps.yaml'))
  const forcedAt = steps.findIndex(({ name }) => name === 'force_update')
  const before = steps.slice(0, forcedAt)
  const bootstrap = unpacked('bootstrap')
  return {
    chain: chainOfYaml(text('config.yaml'), meta.get('genesis_validators_root') as Hex),
    checkpoint: meta.get('trusted_block_root') as Hex,
    steps,
    forcedAt,
    before,
    bootstrap,
    updates: before.map((step) => unpacked(step.values.get('update') ?? '')),
    script: (served: readonly Uint8Array[], first: Uint8Array = bootstrap) => serve(first, served),
  }
}

/** The updates, then no more. */
function serve(bootstrap: Uint8Array, served: readonly Uint8Array[]): Script {
  const left = [...served]
  return (route, query) => {
    if (route.startsWith('bootstrap/')) return bootstrap
    if (route !== 'updates') return undefined
    const page = left.splice(0, Number(query.get('count')))
    return Buffer.concat(page.map((ssz) => Buffer.concat([prefix(ssz.length + 4), ssz])))
  }
}

/** Length and fork digest before an update in the stream. */
function prefix(length: number): Uint8Array {
  const bytes = new Uint8Array(12)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(length), true)
  return bytes
}
