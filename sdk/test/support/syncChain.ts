/**
 * Chains of small committees, as a beacon node serves them: the specification's own, where the
 * reference vectors are, and those of the shared vectors.
 */

import { readFileSync } from 'node:fs'
import { bytesOf, type Hex } from '../../src/encoding/hex.js'
import { HAS_VECTORS, readBytes, type Script } from './beacon.js'
import { chainOfYaml, type SpecStep, unpackSnappy, yamlSteps, yamlValues } from './spec.js'

const FOLDER = 'spec-minimal/deneb/light_client_sync'

/** A chain with its steps, and a node that serves some of its updates. */
export interface SyncChain {
  readonly chain: ReturnType<typeof chainOfYaml>
  readonly checkpoint: Hex
  readonly steps: readonly SpecStep[]
  /** The step that is forced. */
  readonly forcedAt: number
  /** The steps before it. */
  readonly before: readonly SpecStep[]
  readonly bootstrap: Uint8Array
  /** Those before it, as SSZ. */
  readonly updates: readonly Uint8Array[]
  readonly script: (served: readonly Uint8Array[], first?: Uint8Array) => Script
}

/** Milliseconds since 1970 of a step's clock. */
export function timeOf({ chain }: SyncChain, step: SpecStep | undefined): number {
  const { genesisTime, secondsPerSlot } = chain.consensus
  return 1000 * (genesisTime + secondsPerSlot * Number(step?.values.get('current_slot')))
}

/** A chain that finalizes nothing for a period, and is then forced on. */
export function forcedChains(): (readonly [name: string, chain: SyncChain])[] {
  return withRecorded(readMade('two thirds signed: the best header is taken as final, and told'))
}

/** A chain with several updates. */
export function updatedChains(): (readonly [name: string, chain: SyncChain])[] {
  return withRecorded(readMade('an update each period, through every fork'))
}

function withRecorded(made: SyncChain): (readonly [name: string, chain: SyncChain])[] {
  return [['of our own', made], ...(HAS_VECTORS ? [['recorded', readRecorded()] as const] : [])]
}

interface Vector {
  readonly comment: string
  readonly checkpoint: Hex
  readonly steps: readonly {
    readonly form: string
    readonly bytes: Hex
    readonly now: Hex
    readonly expected: {
      readonly state: Readonly<Record<'finalized' | 'head', { number: Hex; hash: Hex }>>
    }
  }[]
}

/** A case of `headers.json`; its last step counts as the forced one. */
function readMade(comment: string): SyncChain {
  const url = new URL('../../../test-vectors/headers.json', import.meta.url)
  const { groups } = JSON.parse(readFileSync(url, 'utf8')) as {
    readonly groups: readonly { readonly chain: SyncChain['chain']; readonly tests: Vector[] }[]
  }
  for (const { chain: pinned, tests } of groups) {
    const found = tests.find((test) => test.comment === comment)
    if (found === undefined) continue
    const [first, ...rest] = found.steps
    if (first === undefined) break
    const bootstrap = bytesOf(first.bytes)
    const { genesisTime, secondsPerSlot } = pinned.consensus
    const last = rest.at(-1)
    const end =
      last?.form === 'force'
        ? (Number(last.now) - genesisTime) / secondsPerSlot
        : Number(last?.expected.state.head.number) + 1
    const steps = rest.map(({ form, expected }, i): SpecStep => {
      // Before the forced step a whole period has not passed yet.
      const slot = i === rest.length - 1 ? end : end - 1
      const root = new Map([['beacon_root', expected.state.finalized.hash]])
      return {
        name: form === 'force' ? 'force_update' : 'process_update',
        values: new Map([['current_slot', String(slot)]]),
        checks: new Map([['finalized_header', root]]),
      }
    })
    const updates = rest.flatMap(({ form, bytes }) => (form === 'update' ? [bytesOf(bytes)] : []))
    const forcedAt = steps.length - 1
    return {
      chain: { ...pinned, name: 'spec', systems: { mpt: { format: 'mpt/1' } } },
      checkpoint: found.checkpoint,
      ...{ steps, forcedAt, before: steps.slice(0, forcedAt), bootstrap, updates },
      script: (served, other = bootstrap) => serve(other, served),
    }
  }
  throw new Error(`headers.json has no case "${comment}"`)
}

/** The specification's own. */
function readRecorded(): SyncChain {
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
