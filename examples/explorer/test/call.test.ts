/** Calls: what a contract answers, what it read, and what comes of an item that is left out. */

import { id } from 'ethers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ALICE, chain, methods, PROXY, slotOf, TOKEN } from '../../../sdk/test/support/callWorld.js'
import { builtExample } from '../../test/support/build.js'
import { consoleErrors, inEveryEngine, openLink, waitForState } from '../../test/support/engines.js'
import { expectPresentable } from '../../test/support/look.js'
import { type StubNode, scriptedNode } from '../../test/support/rpc.js'
import { dataOf, FUNCTIONS } from '../src/calls/data.js'

let folder: string
let node: StubNode

beforeAll(async () => {
  folder = builtExample('explorer')
  node = await scriptedNode(methods)
})

afterAll(() => node.stop())

const link = (question: Readonly<Record<string, string>> = {}): string => {
  const { chainId, genesisHash } = chain.chain
  const trusted = { trust: 'block', anchor: chain.head.hash }
  const own = { chain: 'private', genesis: `${chainId}@${genesisHash}/paris`, node: node.url }
  const asked = { system: 'call', address: PROXY, data: `balanceOf(${ALICE})` }
  return `#${new URLSearchParams({ ...own, ...trusted, ...asked, ...question })}`
}

test('functions have the first bytes of their signatures’ hashes', () => {
  for (const [signature, selector] of Object.entries(FUNCTIONS)) {
    expect([signature, id(signature).slice(0, 10)]).toEqual([signature, selector])
  }
})

test('calldata of words, of bytes, and of neither', () => {
  const word = ALICE.slice(2).padStart(64, '0')
  expect(dataOf(`balanceOf(${ALICE})`)).toBe(`0x70a08231${word}`)
  expect(dataOf(`0x70a08231( ${ALICE} )`)).toBe(`0x70a08231${word}`)
  expect(dataOf('totalSupply()')).toBe('0x18160ddd')
  expect(dataOf('0x1234')).toBe('0x1234')
  expect(dataOf('')).toBe('0x')
  const wrong = ['balanceOf()', 'unknown(1)', '0x123', 'balanceOf(-1)', `ownerOf(${2n ** 256n})`]
  for (const text of wrong) expect(() => dataOf(text), text).toThrow('expected a function')
})

inEveryEngine((lab) => {
  const open = async (question: Readonly<Record<string, string>> = {}): Promise<void> => {
    const { url } = await lab.serve(folder)
    await openLink(lab.engine(), `${url}/${link(question)}`)
  }

  /** Kind, what was read, and where. */
  const rows = async () => {
    const read = await lab.engine().evaluate(`[...document.querySelectorAll('.reads > li')].map(
      (row) => [row.dataset.kind, row.querySelector('.figure').innerText, row.querySelector('.mono').innerText])`)
    return read as [string, string, string][]
  }

  /** Presses the button of a row. */
  const leaveOut = (at: number) =>
    lab
      .engine()
      .evaluate(`document.querySelectorAll('.reads > li')[${at}].querySelector('button').click()`)

  test('a balance behind a proxy: the answer, and all that it read with its proof', async () => {
    await open()
    const engine = lab.engine()
    await waitForState(engine, 'present')
    expect(await engine.text('#output')).toBe('99')
    const report = await engine.text('.report')
    expect(report).toContain('each account, slot and code that it read')
    expect(report).toContain(chain.head.hash)
    const read = await rows()
    const of = (kind: string) => read.filter(([is]) => is === kind)
    expect(of('code').map(([, , address]) => address)).toEqual(
      expect.arrayContaining([TOKEN, PROXY]),
    )
    expect(of('slot')).toHaveLength(2)
    expect(of('slot').find(([, value]) => value === '99')?.[2]).toContain(slotOf(ALICE).slice(0, 8))
    // The nodes of a proof are shown when they are asked for.
    const nodes = `(() => {
      const row = document.querySelector('.reads > li[data-kind=slot]')
      row.querySelector('summary').click()
      return row
    })()`
    await engine.evaluate(`void ${nodes}`)
    await engine.waitFor("document.querySelector('.reads .nodes') !== null")
    expect(await engine.text('.reads .nodes')).toMatch(/(branch|leaf) 0xf/)
    expect(await consoleErrors(engine)).toEqual([])
  })

  test('each item left out stops the call: never another answer', async () => {
    await open()
    const engine = lab.engine()
    await waitForState(engine, 'present')
    const read = await rows()
    for (const [at, [kind]] of read.entries()) {
      const has = await engine.evaluate(
        `document.querySelectorAll('.reads > li')[${at}].querySelector('button') !== null`,
      )
      // The caller is nobody: the other accounts' nodes show that.
      expect([kind, has]).toEqual([kind, true])
      await leaveOut(at)
      await waitForState(engine, 'invalid')
      expect(await engine.text('#code')).toBe('verify.incomplete')
      expect(await engine.evaluate("document.getElementById('output')")).toBeFalsy()
      await engine.click('#honest')
      await waitForState(engine, 'present')
      expect(await engine.text('#output')).toBe('99')
    }
    expect(await consoleErrors(engine)).toEqual([])
  })

  test('a call that reverts is proven to; a mistake is shown at its field', async () => {
    await open({ address: `0x${'2002'.padStart(40, '0')}`, data: '' })
    const engine = lab.engine()
    await waitForState(engine, 'present')
    expect(await engine.text('#result h2')).toBe('Proven: it fails')
    expect(await engine.text('#result .code')).toBe('call.reverted')
    for (const [field, value] of [
      ['data', 'balanceOf'],
      ['sender', '0x12'],
      ['genesis', '1337'],
      ['genesis', `1337@${chain.chain.genesisHash}`],
      ['genesis', `1337@${chain.chain.genesisHash}/cancun`],
    ] as const) {
      await open({ [field]: value })
      await engine.waitFor(`document.getElementById('${field}').ariaInvalid === 'true'`)
    }
    expect(await consoleErrors(engine)).toEqual([])
  })

  for (const scheme of lab.name === 'chromium' ? (['light'] as const) : []) {
    test('fits and is legible', async () => {
      await open()
      const engine = lab.engine()
      await waitForState(engine, 'present')
      const look = (name: string) =>
        expectPresentable(engine, [320, 1280], 'explorer', `${name}-${lab.name}-${scheme}`)
      await look('call')
      await leaveOut(0)
      await waitForState(engine, 'invalid')
      await look('call-broken')
    })
  }
})
