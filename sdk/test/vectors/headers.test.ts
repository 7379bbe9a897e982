/** Every case of signed headers through the shipped wasm: one client a case, its steps in order. */

import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { sepolia } from '../../src/client/chains.js'
import { isBeacon } from '../../src/client/consensus.js'
import { type LightWasm, lightOf } from '../support/light.js'

interface Block {
  readonly number: string
  readonly hash: string
  /** Hash of the execution block that it proves, where that is a block of its own. */
  readonly execution?: string
}

interface Held {
  readonly period: string
  readonly nextKnown: boolean
  readonly finalized: Block
  /** Where it differs from the finalized header. */
  readonly head?: Block
  /** The newest that two thirds signed, where it differs from the head. */
  readonly safe?: Block
  readonly forced?: true
}

interface Step {
  readonly form: 'bootstrap' | 'update' | 'finality' | 'optimistic' | 'import' | 'force'
  readonly bytes: string
  readonly now?: string
  readonly expected:
    | { readonly result: 'valid'; readonly state: Held }
    | { readonly result: 'invalid'; readonly code: string }
}

interface Case {
  readonly id: number
  readonly comment: string
  readonly checkpoint: string
  readonly steps: readonly Step[]
}

const FILE = new URL('../../../test-vectors/headers.json', import.meta.url)
const file = JSON.parse(readFileSync(FILE, 'utf8')) as {
  /** How many there are, pinned by core's runner. */
  readonly cases: number
  readonly steps: number
  readonly groups: readonly { readonly chain: object; readonly tests: readonly Case[] }[]
}
const { groups } = file
const cases = groups.flatMap(({ chain, tests }) =>
  tests.map((one) => ({ ...one, chain, title: `${one.id}: ${one.comment}` })),
)

test('default: no case is missing', () => {
  expect(cases).toHaveLength(file.cases)
  expect(new Set(cases.map(({ id }) => id)).size).toBe(file.cases)
  expect(cases.flatMap(({ steps }) => steps)).toHaveLength(file.steps)
})

test("default: the cases of Sepolia's forks have the configuration that the SDK ships", () => {
  const [full, older] = groups.map(({ chain }) => chain).filter(isSepolia)
  expect(sepolia).toMatchObject(full ?? {})
  const [gloas] =
    sepolia.consensus === undefined || !isBeacon(sepolia.consensus)
      ? []
      : sepolia.consensus.forks.slice(-1)
  expect(gloas).toEqual({ epoch: 353_024, version: '0x90000076', shape: 'gloas' })
  expect(older).not.toEqual(full)
})

describe('the shipped wasm', () => {
  test.each(cases)('$title', ({ chain, checkpoint, steps }) => {
    const client = lightOf(chain)
    for (const step of steps) {
      const before = typeof client === 'string' ? '' : client.state()
      const got = typeof client === 'string' ? refusal(client) : take(client, step, checkpoint)
      expect(got).toEqual(step.expected)
      if (got.result === 'invalid' && typeof client !== 'string') {
        expect(client.state()).toBe(before)
      }
    }
    if (typeof client !== 'string') client.free()
  })
})

function isSepolia(chain: object): boolean {
  return 'chainId' in chain && chain.chainId === sepolia.chainId
}

const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex.slice(2), 'hex'))

function take(
  client: LightWasm,
  { form, bytes: hex, now = '0' }: Step,
  checkpoint: string,
): Step['expected'] {
  const answer = (): string => {
    if (form === 'bootstrap') return client.bootstrap(bytes(checkpoint), bytes(hex))
    if (form === 'import') return client.import(bytes(hex), bytes(checkpoint))
    if (form === 'force') return client.force(BigInt(now))
    return client.apply(form, bytes(hex), BigInt(now))
  }
  const text = answer()
  const { status } = JSON.parse(text) as { status: string }
  return status === 'trusted' ? { result: 'valid', state: held(client) } : refusal(text)
}

function refusal(text: string): { readonly result: 'invalid'; readonly code: string } {
  return { result: 'invalid', code: (JSON.parse(text) as { code: string }).code }
}

function held(client: LightWasm): Held {
  interface Header {
    readonly slot: string
    readonly root: string
    readonly execution: { readonly hash: string } | null
  }
  const { period, nextKnown, forced, finalized, head, safe } = JSON.parse(client.state()) as {
    readonly period: string
    readonly nextKnown: boolean
    readonly forced: boolean
    readonly finalized: Header
    readonly head: Header
    readonly safe: Header
  }
  const block = ({ slot, root, execution }: Header): Block => {
    const own = { number: slot, hash: root }
    const isApart = execution !== null && execution.hash !== root
    return isApart ? { ...own, execution: execution.hash } : own
  }
  return {
    period,
    nextKnown,
    finalized: block(finalized),
    ...(head.root === finalized.root ? {} : { head: block(head) }),
    ...(safe.root === head.root ? {} : { safe: block(safe) }),
    ...(forced ? { forced } : {}),
  }
}
