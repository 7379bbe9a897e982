/**
 * The files of the consensus specification's own tests: snappy blocks, and YAML as far as they use
 * it.
 */

import type { BeaconFork, ContainerShape } from '../../src/client/consensus.js'
import type { Hex } from '../../src/encoding/hex.js'

/** A step, its values, and the headers that it must lead to. */
export interface SpecStep {
  readonly name: string
  readonly values: Map<string, string>
  readonly checks: Map<string, Map<string, string>>
}

/** Words of YAML in block or flow style. */
function words(text: string): string[] {
  return text
    .split(/[\s{},]+/)
    .filter((word) => word !== '')
    .map((word) => word.replace(/^'|'$/g, ''))
}

/** Flat keys and values. */
export function yamlValues(text: string): Map<string, string> {
  const values = new Map<string, string>()
  const all = words(text)
  for (let i = 0; i + 1 < all.length; i += 2) {
    values.set((all[i] ?? '').replace(/:$/, ''), all[i + 1] ?? '')
  }
  return values
}

/** The steps of `steps.yaml`. */
export function yamlSteps(text: string): SpecStep[] {
  const steps: SpecStep[] = []
  let target: Map<string, string> | undefined
  const all = words(text)
  for (let i = 0; i < all.length; i++) {
    const key = (all[i] ?? '').replace(/:$/, '')
    const step = steps.at(-1)
    if (key === '-') {
      i++
      const values = new Map<string, string>()
      steps.push({ name: (all[i] ?? '').replace(/:$/, ''), values, checks: new Map() })
      target = values
    } else if (key === 'finalized_header' || key === 'optimistic_header') {
      target = new Map()
      step?.checks.set(key, target)
    } else if (key !== 'checks') {
      i++
      target?.set(key, all[i] ?? '')
    }
  }
  return steps
}

const SHAPES: readonly (readonly [name: string, shape: ContainerShape])[] = [
  ['ALTAIR', 'altair'],
  ['BELLATRIX', 'altair'],
  ['CAPELLA', 'capella'],
  ['DENEB', 'deneb'],
  ['ELECTRA', 'electra'],
  ['FULU', 'electra'],
  ['GLOAS', 'gloas'],
]
const MINIMAL = { committeeSize: 32, slotsPerEpoch: 8, epochsPerPeriod: 8 }
const MAINNET = { committeeSize: 512, slotsPerEpoch: 32, epochsPerPeriod: 256 }
const NEVER = String(2n ** 64n - 1n)

/** The chain that a `config.yaml` describes. Genesis is at second 0. */
export function chainOfYaml(text: string, genesisValidatorsRoot: Hex) {
  const lines = text.split('\n').map((line) => line.split(': '))
  const config = new Map(lines.map(([key = '', value = '']) => [key, value.replace(/'/g, '')]))
  const forks = SHAPES.flatMap(([name, shape]): BeaconFork[] => {
    const epoch = config.get(`${name}_FORK_EPOCH`)
    const version = config.get(`${name}_FORK_VERSION`) as Hex | undefined
    if (epoch === undefined || version === undefined || epoch === NEVER) return []
    return [{ epoch: Number(epoch), version, shape }]
  })
  const secondsPerSlot = Number(config.get('SECONDS_PER_SLOT'))
  const preset = config.get('PRESET_BASE') === 'minimal' ? MINIMAL : MAINNET
  const timing = { secondsPerSlot, genesisTime: 0 }
  return {
    name: 'spec',
    kind: 'ethereum' as const,
    chainId: 1,
    genesisHash: `0x${'0'.repeat(64)}` as Hex,
    systems: { mpt: { format: 'mpt/1' as const } },
    consensus: { ...preset, ...timing, genesisValidatorsRoot, forks },
  }
}

/** A file in snappy's block format: a length, then literals and copies of what came before. */
export function unpackSnappy(packed: Uint8Array): Uint8Array {
  let at = 0
  const byte = (): number => packed[at++] ?? fail()
  const little = (length: number): number => {
    let value = 0
    for (let i = 0; i < length; i++) value += byte() * 256 ** i
    return value
  }
  let size = 0
  for (let shift = 1; ; shift *= 128) {
    const part = byte()
    size += (part & 0x7f) * shift
    if (part < 0x80) break
  }
  const out = new Uint8Array(size)
  let end = 0
  const copy = (length: number, offset: number): void => {
    for (let i = 0; i < length; i++, end++) out[end] = out[end - offset] ?? fail()
  }
  while (at < packed.length) {
    const tag = byte()
    const high = tag >> 2
    if ((tag & 3) === 0) {
      const length = (high < 60 ? high : little(high - 59)) + 1
      out.set(packed.subarray(at, at + length), end)
      at += length
      end += length
    } else if ((tag & 3) === 1) {
      copy((high & 7) + 4, ((tag >> 5) << 8) + byte())
    } else {
      copy(high + 1, little((tag & 3) === 2 ? 2 : 4))
    }
  }
  return end === size ? out : fail()
}

function fail(): never {
  throw new Error('no snappy block')
}
