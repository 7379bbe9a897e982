/** The drawing of every proof, and lies that break it in place. */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { builtExample } from '../../test/support/build.js'
import { consoleErrors, inEveryEngine, openLink, waitForState } from '../../test/support/engines.js'
import { fragment, type RunningNode, startNode } from '../../test/support/node.js'

let folder: string
let node: RunningNode

beforeAll(async () => {
  folder = builtExample('explorer')
  node = await startNode()
})

afterAll(async () => {
  await node.stop()
})

/** A system, the groups that its drawing must have at least, and a lie about it with its code. */
const DRAWINGS = [
  ['mpt', 4, 'forged-leaf', 'verify.merkle'],
  ['lmpt', 4, 'lmpt-value', 'verify.merkle'],
  ['lvmt', 4, 'lvmt-value', 'verify.merkle'],
  ['verkle', 4, 'verkle-value', 'verify.opening'],
  ['cole', 4, 'cole-version-forged', 'verify.root'],
  ['balanceproofs', 4, 'balances-value', 'verify.opening'],
] as const

inEveryEngine((lab) => {
  const open = async (system: string) => {
    const { address, slots } = node.sample('contract')
    const question = { address, slot: slots[0] ?? '', positions: '0, 3, 7-9', from: '0' }
    const { url, requests } = await lab.serve(folder)
    await openLink(lab.engine(), `${url}/${fragment(node, { system, ...question })}`)
    await waitForState(lab.engine(), 'present')
    await lab.engine().waitFor("document.getElementById('lies') !== null")
    return requests
  }

  test.each(DRAWINGS)('%s: every drawn step leads to a sentence', async (system, groups) => {
    await open(system)
    const engine = lab.engine()
    expect(await engine.text('#why h3')).toBe('How it follows')
    const drawn = Number(await engine.evaluate("document.querySelectorAll('#why .group').length"))
    expect(drawn).toBeGreaterThanOrEqual(groups)
    const told =
      (await engine.evaluate(`[...document.querySelectorAll('#why .reason')].map((card) => {
      card.click()
      const detail = document.querySelector('#why .detail')
      return {
        isChosen: card.getAttribute('aria-pressed') === 'true',
        sentence: detail.querySelector('p').textContent,
        isMarked: detail.querySelector('.hex .in') !== null,
      }
    })`)) as { isChosen: boolean; sentence: string; isMarked: boolean }[]
    expect(told.length).toBeGreaterThanOrEqual(groups)
    for (const { isChosen, sentence } of told) {
      expect(isChosen).toBe(true)
      expect(sentence).toMatch(/^[A-Z0-9].*\.$/)
    }
    expect(told.some(({ isMarked }) => isMarked)).toBe(true)
    const pressed = await engine.evaluate(
      `document.querySelectorAll('#why [aria-pressed="true"]').length`,
    )
    expect(pressed).toBe(1)
    expect(await consoleErrors(engine)).toEqual([])
  })

  test.each(DRAWINGS)('%s: a lie breaks the drawing in place', async (system, _, lie, code) => {
    await open(system)
    const engine = lab.engine()
    await engine.evaluate(`(() => {
      const list = document.getElementById('lie')
      list.value = '${lie}'
      list.dispatchEvent(new Event('change'))
    })()`)
    await engine.click('#ask-liar')
    await waitForState(engine, 'invalid')
    await engine.waitFor("document.getElementById('lies') !== null")
    expect(await engine.text('#code')).toBe(code)
    expect(await engine.text('#why h3')).toBe('Where it breaks')
    expect(await engine.text('#why .broken code')).toBe(code)
    await engine.click('#honest')
    await waitForState(engine, 'present')
    expect(await consoleErrors(engine)).toEqual([])
  })

  test('signed headers: from the checkpoint to the newest, each signer a dot, and a forged signature in its place', async () => {
    const { address } = node.sample('eoa')
    const { url } = await lab.serve(folder)
    const engine = lab.engine()
    const trusted = { trust: 'checkpoint', anchor: node.checkpoint.hash, address }
    await openLink(engine, `${url}/${fragment(node, trusted)}`)
    await waitForState(engine, 'present')
    await engine.waitFor("document.getElementById('lies') !== null")
    expect(await engine.evaluate("document.querySelectorAll('#why .ring').length")).toBe(
      await engine.evaluate("document.querySelectorAll('#why .steps').length"),
    )
    expect(await engine.text('#why .reason')).toContain(`${node.checkpoint.number}, where trust`)
    // The last link is the block of the answer, and its dots are those who signed that.
    const [, signed] = /^(\d+) of 32/.exec(await engine.text('#signed')) ?? []
    const links = `[...document.querySelectorAll('#why .group:first-child > ol > li')]`
    expect(
      await engine.evaluate(`${links}.at(-1).querySelectorAll('.reason .signed').length`),
    ).toBe(Number(signed))
    const title = await engine.evaluate(`${links}.at(-1).querySelector('.reason').innerText`)
    expect(title).toMatch(new RegExp(`^Block ${node.head.number}, signed by ${signed} of 32`))
    await engine.evaluate(
      "document.querySelectorAll('#why .ring')[1].dispatchEvent(new MouseEvent('click'))",
    )
    expect(await engine.text('#why .reason[aria-pressed=true]')).toMatch(/signed by \d+ of 32/)

    await engine.evaluate("document.getElementById('lie').value = 'signature-own-keys'")
    await engine.click('#ask-liar')
    await waitForState(engine, 'invalid')
    await engine.waitFor("document.querySelector('#why .broken') !== null")
    expect(await engine.text('#why .steps[open] .reason.broken code')).toBe('verify.signature')
    expect(await engine.text('#code')).toBe('verify.signature')
    expect(await engine.text('#why .steps[open]')).toContain('of 32 signed')
    await engine.click('#honest')
    await waitForState(engine, 'present')
    expect(await consoleErrors(engine)).toEqual([])
  })

  test('a byte that is clicked can be flipped, and the step that it is in breaks', async () => {
    await open('mpt')
    const engine = lab.engine()
    await engine.evaluate(`(() => {
      const nodes = [...document.querySelectorAll('#why .reason')]
      nodes.find(({ textContent }) => textContent.startsWith('Leaf')).click()
    })()`)
    await engine.evaluate(`document.querySelector('#why .hex .in:last-of-type').click()`)
    const at = await engine.evaluate("document.getElementById('byte').value")
    await engine.click('#flip')
    await waitForState(engine, 'invalid')
    await engine.waitFor("document.getElementById('lies') !== null")
    expect(await engine.text('#code')).toMatch(/^(verify|decode)\./)
    const [from, to] = (await engine.evaluate(
      "document.querySelector('#why .detail .label').textContent.match(/[\\d,]+ to [\\d,]+/)[0].replaceAll(',', '').split(' to ').map(Number)",
    )) as [number, number]
    expect(Number(at)).toBeGreaterThanOrEqual(from)
    expect(Number(at)).toBeLessThan(to)
    expect(await consoleErrors(engine)).toEqual([])
  })

  test('the same key by every system, and a thousand checks that can be cancelled', async () => {
    await open('lmpt')
    const engine = lab.engine()
    await engine.click('#compare')
    await engine.waitFor("document.querySelectorAll('#compared [data-system]').length === 6")
    expect(await engine.text('#compared')).toContain('the baseline')
    const plot = String(
      await engine.evaluate(
        "document.querySelector('#compared .picture').getAttribute('aria-label')",
      ),
    )
    expect(plot).toMatch(/MPT [\d,]+ bytes and [\d.]+ ms/)
    expect(plot.match(/ bytes and /g)).toHaveLength(6)
    expect(await engine.evaluate("document.querySelectorAll('#compared .dot').length")).toBe(6)
    await engine.click('#compared [data-system=lmpt]')
    await engine.waitFor("document.getElementById('thousand') !== null")
    expect(await engine.text('#thousand')).toMatch(/^LMPT: 1,000 of 1,000 checked by \d/)
    await engine.click('#compared [data-system=verkle]')
    await engine.waitFor("document.querySelector('#compared progress')?.value > 0")
    await engine.click('#cancel')
    await engine.waitFor("document.getElementById('thousand') !== null")
    const [, done] = /^Verkle: ([\d,]+) of 1,000/.exec(await engine.text('#thousand')) ?? []
    expect(Number(done?.replaceAll(',', ''))).toBeLessThan(1000)
    expect(await consoleErrors(engine)).toEqual([])
  })

  test('a file is drawn too, and the drawing is not fetched before there is an answer', async () => {
    const requests = await open('mpt')
    const first = (name: RegExp) => requests.findIndex((path) => name.test(path))
    expect(first(/\/trace_hash_bg/)).toBeGreaterThan(first(/\/mpt_bg/))
    expect(first(/\/mpt_bg/)).toBeGreaterThan(0)
    expect(requests.filter((path) => /trace_\w+_bg/.test(path))).toHaveLength(1)
  })
})
