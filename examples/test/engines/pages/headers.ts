/**
 * Runs every case of signed headers through the shipped wasm: one client a case, its steps in
 * order.
 */

// biome-ignore lint/style/noRestrictedImports: the cases are about steps that the package makes by itself.
import * as light from '../../../../sdk/dist/generated/light.js'
import { publish } from './publish.js'
import { start } from './start.js'

const { LightClient } = light
type LightClient = light.LightClient

interface Block {
  readonly number: string
  readonly hash: string
  /** Hash of the execution block that it proves, where that is a block of its own. */
  readonly execution?: string
}

/** What a client holds after a step, in the form of the vectors. */
interface State {
  readonly period: string
  readonly nextKnown: boolean
  readonly finalized: Block
  /** Where it differs from the finalized header. */
  readonly head?: Block
  /** The newest that two thirds signed, where it differs from the head. */
  readonly safe?: Block
  readonly forced?: true
}

interface Header {
  readonly slot: string
  readonly root: string
  readonly execution: { readonly hash: string } | null
}

type Verdict =
  | { readonly result: 'valid'; readonly state: State }
  | { readonly result: 'invalid'; readonly code: string }

interface Step {
  readonly form: 'bootstrap' | 'update' | 'finality' | 'optimistic' | 'import' | 'force'
  readonly bytes: string
  readonly now?: string
  readonly expected: Verdict
}

/** test-vectors/headers.json, with the RLP of each chain. */
export interface HeadersFile {
  readonly groups: readonly {
    readonly rlp: string
    readonly tests: readonly {
      readonly id: number
      readonly comment: string
      readonly checkpoint: string
      readonly steps: readonly Step[]
    }[]
  }[]
}

/** How it went. */
export interface HeadersReport {
  readonly cases: number
  readonly accepted: number
  readonly refused: number
  readonly failures: readonly unknown[]
}

publish(run())

async function run(): Promise<HeadersReport> {
  await start(light, 'light')
  const file = JSON.parse(document.getElementById('vectors')?.textContent ?? '') as HeadersFile
  const report = { cases: 0, accepted: 0, refused: 0, failures: [] as unknown[] }
  for (const { rlp, tests } of file.groups) {
    for (const { id, comment, checkpoint, steps } of tests) {
      report.cases += 1
      const client = make(bytesOf(rlp))
      for (const [number, step] of steps.entries()) {
        const before = client instanceof LightClient ? client.state() : 'null'
        const got = client instanceof LightClient ? take(client, step, checkpoint) : client
        report[got.result === 'valid' ? 'accepted' : 'refused'] += 1
        const isMoved = client instanceof LightClient && client.state() !== before
        const isRight = JSON.stringify(got) === JSON.stringify(step.expected)
        if (!isRight || (got.result === 'invalid' && isMoved)) {
          report.failures.push({ id, comment, number, expected: step.expected, got, isMoved })
        }
      }
      if (client instanceof LightClient) client.free()
    }
  }
  return report
}

/** The client, or why there is none. */
function make(chain: Uint8Array): LightClient | Verdict {
  try {
    return new LightClient(chain)
  } catch (rejection) {
    return { result: 'invalid', code: (JSON.parse(String(rejection)) as { code: string }).code }
  }
}

function take(client: LightClient, { form, bytes, now }: Step, checkpoint: string): Verdict {
  const verdict = JSON.parse(answer(client, form, bytesOf(bytes), bytesOf(checkpoint), now)) as {
    status: string
    code: string
  }
  return verdict.status === 'trusted'
    ? { result: 'valid', state: stateOf(client) }
    : { result: 'invalid', code: verdict.code }
}

function answer(
  client: LightClient,
  form: Step['form'],
  bytes: Uint8Array,
  checkpoint: Uint8Array,
  now: string | undefined,
): string {
  if (form === 'bootstrap') return client.bootstrap(checkpoint, bytes)
  if (form === 'import') return client.import(bytes, checkpoint)
  if (form === 'force') return client.force(BigInt(now ?? 0))
  return client.apply(form, bytes, BigInt(now ?? 0))
}

function stateOf(client: LightClient): State {
  const { period, nextKnown, forced, finalized, head, safe } = JSON.parse(client.state()) as {
    period: string
    nextKnown: boolean
    forced: boolean
    finalized: Header
    head: Header
    safe: Header
  }
  return {
    period,
    nextKnown,
    finalized: blockOf(finalized),
    ...(head.root === finalized.root ? {} : { head: blockOf(head) }),
    ...(safe.root === head.root ? {} : { safe: blockOf(safe) }),
    ...(forced ? { forced } : {}),
  }
}

function blockOf({ slot, root, execution }: Header): Block {
  const own = { number: slot, hash: root }
  const isApart = execution !== null && execution.hash !== root
  return isApart ? { ...own, execution: execution.hash } : own
}

function bytesOf(hex: string): Uint8Array {
  const digits = hex.slice(2)
  return Uint8Array.from({ length: digits.length / 2 }, (_, i) =>
    Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16),
  )
}
