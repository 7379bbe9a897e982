/** The hook: its five states, and that nothing of another question is ever shown. */

import { act, createElement as h, StrictMode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { getBalance, InputError, ProofError, UnavailableError } from '../../src/entry/node.js'
import { type Proven, useProven } from '../../src/entry/react.js'
import { honest, makeChain, OWNER, proofJson } from '../support/chain.js'
import { ASKING, clientOf } from '../support/client.js'
import type { Methods } from '../support/rpc.js'

// React looks for a document when it is imported. All else stays that of Node.js.
await vi.hoisted(async () => {
  const { Window } = await import('happy-dom')
  const window = new Window()
  const { document, navigator } = window
  for (const [name, value] of Object.entries({ window, document, navigator })) {
    Object.defineProperty(globalThis, name, { value, configurable: true })
  }
})

type Result =
  | { readonly status: 'present'; readonly value: string }
  | { readonly status: 'invalid'; readonly error: ProofError }
  | { readonly status: 'unavailable'; readonly error: UnavailableError }

const present = (value: string): Result => ({ status: 'present', value })
const invalid: Result = { status: 'invalid', error: new ProofError('verify.root', 'false') }
const unavailable: Result = {
  status: 'unavailable',
  error: new UnavailableError('unreachable', 'down'),
}

/** Looks that a test answers, by what they ask. */
function looksOf() {
  const looks: { of: string; signal: AbortSignal; end(result: Result | Error): Promise<void> }[] =
    []
  const ask = (of: string) => (signal: AbortSignal) =>
    new Promise<Result>((resolve, reject) => {
      const end = (result: Result | Error): Promise<void> =>
        act(async () => (result instanceof Error ? reject(result) : resolve(result)))
      looks.push({ of, signal, end })
    })
  return { looks, ask }
}

let root: Root
let shown: Proven<Result>[]
const last = () => shown.at(-1)

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  shown = []
  root = createRoot(document.createElement('div'))
})
afterEach(async () => {
  await act(async () => root.unmount())
  vi.unstubAllGlobals()
})

interface Props {
  readonly of: string
  readonly ask: (of: string) => (signal: AbortSignal) => Promise<Result>
  readonly everyMs?: number
}

function Page({ of, ask, ...options }: Props): null {
  shown.push(useProven(ask(of), [of], options))
  return null
}

const show = (props: Props, isStrict = false): Promise<void> =>
  act(async () => root.render(isStrict ? h(StrictMode, undefined, h(Page, props)) : h(Page, props)))

describe('states', () => {
  test('behavior: loading, then proven', async () => {
    const { looks, ask } = looksOf()
    await show({ of: 'a', ask })
    expect(last()).toMatchObject({ state: 'loading' })
    await looks[0]?.end(present('1'))
    expect(last()).toMatchObject({ state: 'proven', result: { value: '1' } })
    expect(looks).toHaveLength(1)
  })

  test('invalid: refused, also where the question cannot be asked', async () => {
    const { looks, ask } = looksOf()
    await show({ of: 'a', ask })
    await looks[0]?.end(invalid)
    expect(last()).toMatchObject({ state: 'refused', error: { code: 'verify.root' } })
    await show({ of: 'b', ask })
    await looks[1]?.end(new InputError('input.address', 'address', 'wrong'))
    expect(last()).toMatchObject({ state: 'refused', error: { code: 'input.address' } })
  })

  test('behavior: unavailable; and older, once something was proven', async () => {
    const { looks, ask } = looksOf()
    await show({ of: 'a', ask })
    await looks[0]?.end(unavailable)
    expect(last()).toMatchObject({ state: 'unavailable', error: { code: 'unreachable' } })
    const again = () => act(async () => last()?.refresh())
    await again()
    await looks[1]?.end(present('1'))
    expect(last()).toMatchObject({ state: 'proven' })
    const error = { code: 'unreachable' }
    for (const i of [2, 3]) {
      await again()
      await looks[i]?.end(unavailable)
      expect(last()).toMatchObject({ state: 'older', result: { value: '1' }, error })
    }
    await again()
    await looks[4]?.end(invalid)
    expect(last()).toMatchObject({ state: 'refused' })
    expect(last()).not.toHaveProperty('result')
    await again()
    await looks[5]?.end(unavailable)
    // What was proven before the lie is not brought back.
    expect(last()).toMatchObject({ state: 'unavailable' })
  })

  test('behavior: an action of the SDK, and a node that lies', async () => {
    const chain = makeChain(4)
    const lying: Methods = honest(chain, {
      eth_getProof: (address: string, slots: readonly string[]) => ({
        ...proofJson(chain.head, address, slots),
        balance: '0xffff',
      }),
    })
    for (const [nodes, expected] of [
      [[honest(chain)], { state: 'proven', result: { value: chain.head.balance } }],
      [[lying], { state: 'refused', error: { code: 'verify.claim' } }],
    ] as const) {
      const { client } = clientOf(chain, nodes, ASKING)
      const seen: unknown[] = []
      function Balance(): null {
        const ask = (signal: AbortSignal) => getBalance(client, { address: OWNER, signal })
        const proven = useProven(ask, [client])
        seen.push(proven)
        return null
      }
      await act(async () => root.render(h(Balance)))
      const isShown = async (): Promise<void> => {
        await act(async () => new Promise((resolve) => setTimeout(resolve, 10)))
        expect(seen.at(-1)).toMatchObject(expected)
      }
      await vi.waitFor(isShown, 30_000)
    }
  })
})

describe('life', () => {
  test('behavior: another question aborts the look, and shows nothing of the first one', async () => {
    const { looks, ask } = looksOf()
    await show({ of: 'a', ask })
    await looks[0]?.end(present('of a'))
    shown = []
    await show({ of: 'b', ask })
    expect(shown.map(({ state }) => state)).not.toContain('proven')
    await show({ of: 'a', ask })
    expect(looks[1]?.signal.aborted).toBe(true)
    // Too late.
    await looks[1]?.end(present('of b'))
    expect(last()).toMatchObject({ state: 'loading' })
    await looks[2]?.end(unavailable)
    expect(last()).toMatchObject({ state: 'unavailable' })
  })

  test('behavior: a render that changes nothing asks nothing', async () => {
    const { looks, ask } = looksOf()
    await show({ of: 'a', ask })
    await show({ of: 'a', ask })
    expect(looks).toHaveLength(1)
    expect(looks[0]?.signal.aborted).toBe(false)
  })

  test('behavior: leaving aborts, and says nothing', async () => {
    const { looks, ask } = looksOf()
    const complaints = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    await show({ of: 'a', ask })
    await act(async () => root.render(null))
    expect(looks[0]?.signal.aborted).toBe(true)
    await looks[0]?.end(new Error('aborted'))
    expect(complaints).not.toHaveBeenCalled()
    complaints.mockRestore()
  })

  test('behavior: StrictMode asks twice, and shows the second answer alone', async () => {
    const { looks, ask } = looksOf()
    await show({ of: 'a', ask }, true)
    expect(looks.map(({ signal }) => signal.aborted)).toEqual([true, false])
    await looks[0]?.end(present('first'))
    expect(last()).toMatchObject({ state: 'loading' })
    await looks[1]?.end(present('second'))
    expect(last()).toMatchObject({ state: 'proven', result: { value: 'second' } })
  })

  test('behavior: looks again, never two at once, until it is left', async () => {
    const { looks, ask } = looksOf()
    await show({ of: 'a', ask, everyMs: 100 })
    for (const i of [0, 1, 2]) {
      await vi.waitFor(() => expect(looks).toHaveLength(i + 1), 30_000)
      await looks[i]?.end(present(String(i)))
      expect(last()).toMatchObject({ state: 'proven', result: { value: String(i) } })
    }
  })

  test('default: on a server it is loading, and asks nothing', () => {
    const { looks, ask } = looksOf()
    renderToString(h(Page, { of: 'a', ask }))
    expect(shown).toMatchObject([{ state: 'loading' }])
    expect(looks).toHaveLength(0)
  })

  test('error: a time that is none', async () => {
    const { ask } = looksOf()
    const render = () => renderToString(h(Page, { of: 'a', ask, everyMs: 1 }))
    expect(render).toThrow(expect.objectContaining({ argument: 'everyMs' }))
  })
})
