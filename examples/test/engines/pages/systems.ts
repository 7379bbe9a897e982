/**
 * Runs every vector of a proof system through the shipped wasm: an exact fact or an exact code
 * each.
 */

// biome-ignore lint/style/noRestrictedImports: the bytes of the vectors are below what the package takes.
import * as bls12_381 from '../../../../sdk/dist/generated/bls12_381.js'
// biome-ignore lint/style/noRestrictedImports: as above.
import * as bn254 from '../../../../sdk/dist/generated/bn254.js'
// biome-ignore lint/style/noRestrictedImports: as above.
import * as hash from '../../../../sdk/dist/generated/hash.js'
// biome-ignore lint/style/noRestrictedImports: as above.
import * as mpt from '../../../../sdk/dist/generated/mpt.js'
import { publish } from './publish.js'
import { start } from './start.js'

const modules = { bls12_381, bn254, hash, mpt } as const

/** The vectors of a system, in the bytes that its verifier takes. */
export interface SystemFile {
  readonly module: keyof typeof modules
  /** The verifier's class in that module. */
  readonly verifier: string
  readonly groups: readonly {
    readonly chain: string
    readonly config: string
    readonly params: string
    readonly tests: readonly {
      readonly id: number
      readonly comment: string
      readonly claims: string
      /** The fact as JSON, or the code. */
      readonly expected: { readonly fact: unknown } | { readonly code: string }
    }[]
  }[]
}

/** How it went. */
export interface SystemReport {
  readonly proven: number
  readonly rejected: number
  readonly failures: readonly unknown[]
}

interface Verdict {
  readonly fact?: unknown
  readonly code?: string
}

type Verifier = new (
  ...bytes: readonly [chain: Uint8Array, config: Uint8Array, params: Uint8Array]
) => { verify(claims: Uint8Array, fresh: Uint8Array): string }

publish(run())

async function run(): Promise<SystemReport> {
  const { module, verifier, groups } = JSON.parse(
    document.getElementById('vectors')?.textContent ?? '',
  ) as SystemFile
  const glue = modules[module]
  await start(glue, module)
  const Class = Reflect.get(glue, verifier) as Verifier
  const report = { proven: 0, rejected: 0, failures: [] as unknown[] }
  for (const { chain, config, params, tests } of groups) {
    const verifier = prepare(Class, [chain, config, params])
    for (const { id, comment, claims, expected } of tests) {
      const { fact, code } = judge(verifier, claims)
      report[code === undefined ? 'proven' : 'rejected'] += 1
      const isRight =
        'code' in expected
          ? code === expected.code
          : code === undefined && canonical(fact) === canonical(expected.fact)
      if (!isRight) report.failures.push({ id, comment, expected, got: code ?? fact })
    }
  }
  return report
}

/**
 * The verifier of a group: some take long to prepare. The constructor throws its rejections as
 * text.
 */
function prepare(
  Class: Verifier,
  [chain, config, params]: readonly [string, string, string],
): InstanceType<Verifier> | Verdict {
  try {
    return new Class(bytesOf(chain), bytesOf(config), bytesOf(params))
  } catch (error) {
    if (typeof error === 'string') return JSON.parse(error) as Verdict
    throw error
  }
}

function judge(verifier: InstanceType<Verifier> | Verdict, claims: string): Verdict {
  if (!('verify' in verifier)) return verifier
  const fresh = crypto.getRandomValues(new Uint8Array(32))
  const [verdict] = JSON.parse(verifier.verify(bytesOf(claims), fresh)) as readonly Verdict[]
  return verdict ?? {}
}

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(hex.slice(2).match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
}

/** JSON with keys in order, so that two values can be compared as text. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}
