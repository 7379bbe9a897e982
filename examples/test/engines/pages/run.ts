/** Runs every test vector through the SDK in a page or a worker, and says how it went. */

import { InputError, PlatformError, type ProvenAccount, type verifyProofFile } from 'lightproof'
import { type Calls, calls } from './probe.js'

type Verify = typeof verifyProofFile

type Source =
  | { readonly header: { readonly hash: string; readonly rlps: readonly string[] } }
  | { readonly root: { readonly number: string; readonly bytes: string } }

interface Vector {
  readonly id: number
  readonly comment: string
  readonly source: Source
  readonly expected:
    | { readonly result: 'valid'; readonly fact: unknown }
    | { readonly result: 'invalid'; readonly code: string }
}

/** test-vectors/mpt.json, as far as this needs to know it. */
export interface VectorFile {
  readonly schema: 1
  readonly system: string
  readonly groups: readonly {
    readonly chain: unknown
    readonly config: unknown
    readonly tests: readonly Vector[]
  }[]
}

/** A vector that did not end as it must. */
interface Failure {
  readonly id: number
  readonly comment: string
  readonly expected: unknown
  readonly got: unknown
}

/** What a page reports to the test that opened it. */
export interface Report {
  readonly proven: number
  readonly rejected: number
  readonly failures: readonly Failure[]
  /** How the verifier was loaded. */
  readonly calls: Calls
  /** Why there was no verifier. */
  readonly fault?: { readonly name: string; readonly code: string; readonly message: string }
}

/** Checks every vector: an exact fact or an exact code each. */
export async function runVectors(file: VectorFile, verify: Verify): Promise<Report> {
  let proven = 0
  let rejected = 0
  const failures: Failure[] = []
  for (const { chain, config, tests } of file.groups) {
    for (const { id, comment, expected, ...rest } of tests) {
      const proof = {
        schema: 1,
        kind: 'proof',
        chain,
        system: file.system,
        config,
        expected,
        ...rest,
      }
      let got: unknown
      try {
        got = await outcome(verify, proof, rest.source)
      } catch (error) {
        if (!(error instanceof PlatformError)) throw error
        const { name, code, message } = error
        return { proven, rejected, failures, calls, fault: { name, code, message } }
      }
      const wanted =
        expected.result === 'valid' ? expected.fact : codeOf(expected.code, rest.source)
      if (typeof got === 'string') rejected += 1
      else proven += 1
      if (canonical(got) !== canonical(wanted))
        failures.push({ id, comment, expected: wanted, got })
    }
  }
  return { proven, rejected, failures, calls }
}

/**
 * The code that the SDK gives a rejected vector: the vector's own, but for two kinds. A pinned root
 * is the caller's, so one that is no hash is a bad anchor; a configuration that the core does not
 * take is a matter of the chain.
 */
function codeOf(code: string, source: Source): string {
  if (code === 'input.config' || code === 'input.params') return 'input.chain'
  const isHash = !('root' in source) || /^0x[0-9a-f]{64}$/.test(source.root.bytes)
  return isHash ? code : 'input.anchor'
}

/** The fact that was proven, or the code of the error: the core's own, where the SDK wraps it. */
async function outcome(verify: Verify, file: unknown, source: Source): Promise<unknown> {
  const anchor =
    'header' in source
      ? { block: source.header.hash }
      : { root: source.root.bytes, number: Number(source.root.number) }
  try {
    const result = await verify(file, { anchor })
    if (result.status !== 'invalid') return factOf(result.value)
    const { cause, code } = result.error
    return cause instanceof InputError ? cause.code : code
  } catch (error) {
    if (error instanceof InputError) return error.code
    throw error
  }
}

function factOf({ account, slots, code }: ProvenAccount): unknown {
  return {
    account:
      account === null
        ? { status: 'absent' }
        : {
            status: 'present',
            nonce: quantity(account.nonce),
            balance: quantity(account.balance),
            storageHash: account.storageHash,
            codeHash: account.codeHash,
          },
    slots: slots.map(({ slot, status, value }) =>
      status === 'present' ? { key: slot, status, value: quantity(value) } : { key: slot, status },
    ),
    ...(code === undefined ? {} : { code }),
  }
}

function quantity(value: bigint): string {
  return `0x${value.toString(16)}`
}

/** JSON with keys in order, so that two values can be compared as text. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}
