/**
 * Links that propose what to trust: shown, confirmed by the user, never asked at once, and never
 * said to be the user's choice.
 */

import { createClient, devnet, fetchProof, type ProofFile } from 'lightproof'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { builtExample } from '../../test/support/build.js'
import {
  confirmLink,
  consoleErrors,
  inEveryEngine,
  type Lab,
  waitForState,
} from '../../test/support/engines.js'
import { fragment, type RunningNode, startNode } from '../../test/support/node.js'
import { countingNode } from '../../test/support/rpc.js'

let folder: string
let node: RunningNode
let file: ProofFile
/** The attacker's node: it serves a chain of the attacker's own, and counts what it is asked. */
let attacker: Awaited<ReturnType<typeof countingNode>>

beforeAll(async () => {
  folder = await builtExample('explorer')
  node = await startNode()
  attacker = await countingNode(node.url)
  const { genesisHash, consensus, head, url } = node
  const chain = devnet(genesisHash, consensus)
  const client = createClient({ chain, anchor: { block: head.hash }, nodes: [url] })
  file = await fetchProof(client, { address: node.sample('eoa').address })
})

afterAll(async () => {
  await attacker.stop()
  await node.stop()
})

/** Waits as long as an answer takes; nothing may come. */
const pause = () => new Promise((resolve) => setTimeout(resolve, 1500))

inEveryEngine((lab: Lab) => {
  const link = (more: Readonly<Record<string, string>> = {}) =>
    fragment(node, { node: attacker.url, address: node.sample('eoa').address, ...more })

  const expectNothingProven = async () => {
    const engine = lab.engine()
    expect(await engine.evaluate("document.getElementById('result').dataset.state")).toBe(
      'proposed',
    )
    expect(await engine.text('#result')).not.toMatch(/you chose|Proven|ETH|wei/)
    expect(await engine.evaluate("document.getElementById('balance')")).toBeFalsy()
  }

  test('a link is shown and asks nobody; once confirmed, the report names it', async () => {
    const engine = lab.engine()
    const { url, requests } = await lab.serve(folder)
    const before = attacker.count()
    await engine.open(`${url}/${link()}`)
    await waitForState(engine, 'proposed')
    await pause()
    await expectNothingProven()
    const card = await engine.text('#result')
    expect(card).toContain(node.head.hash)
    expect(card).toContain(attacker.url)
    expect(card).toContain('Only go on if you trust who gave you this link')
    expect(attacker.count()).toBe(before)
    expect(requests.filter((path) => /wasm$|\/check/.test(path))).toEqual([])

    // Enter in the form leads to the proposal, and decides nothing.
    await engine.evaluate("void document.getElementById('address').focus()")
    await engine.press('Enter', 'Enter', 'Space')
    await pause()
    await expectNothingProven()
    expect(await engine.evaluate('document.activeElement.tagName')).toBe('H2')
    expect(attacker.count()).toBe(before)

    await confirmLink(engine)
    await waitForState(engine, 'present')
    expect(attacker.count()).toBeGreaterThan(before)
    const report = await engine.text('.report')
    expect(report).toContain('This very block, which a link proposed, and you confirmed')
    expect(await engine.text('#of-link')).toMatch(
      /: trusted hash, kind of trust, node to ask, .*genesis hash/,
    )
    expect(await engine.evaluate("document.getElementById('result').textContent")).not.toContain(
      'you chose',
    )

    // A block that the user types is theirs; the rest stays the link's.
    await engine.evaluate("document.getElementById('settings').open = true")
    await engine.type('#anchor', node.checkpoint.hash)
    await engine.click('button[type=submit]')
    await engine.waitFor(
      "document.querySelector('.report')?.textContent.includes('which you chose') === true",
    )
    expect(await engine.text('#of-link')).not.toContain('trusted hash')
    expect(await consoleErrors(engine)).toEqual([])
  })

  test('a link that is dropped leaves nothing behind', async () => {
    const engine = lab.engine()
    const { url } = await lab.serve(folder)
    const before = attacker.count()
    await engine.open(`${url}/${link()}`)
    await waitForState(engine, 'proposed')
    await engine.click('#drop-link')
    await waitForState(engine, 'idle')
    expect(await engine.evaluate("document.getElementById('node').value")).toBe('')
    expect(await engine.evaluate("document.getElementById('anchor').value")).toBe('')
    await engine.click('button[type=submit]')
    await engine.waitFor("document.querySelector('[aria-invalid=true]') !== null")
    expect(attacker.count()).toBe(before)
    expect(await consoleErrors(engine)).toEqual([])
  })

  test('a link in place of a confirmed one takes the answer away, and is a proposal again', async () => {
    const engine = lab.engine()
    const { url } = await lab.serve(folder)
    await engine.open(`${url}/${link({ node: node.url })}`)
    await confirmLink(engine)
    await waitForState(engine, 'present')
    const before = attacker.count()
    const change = (to: string) => engine.evaluate(`location.hash = ${JSON.stringify(to)}`)
    await change(link({ anchor: `0x${'66'.repeat(32)}` }))
    await waitForState(engine, 'proposed')
    await pause()
    await expectNothingProven()
    expect(await engine.text('#result')).toContain('66'.repeat(32))
    expect(attacker.count()).toBe(before)
    // Another question about what is confirmed already waits for the user as well.
    await engine.click('#drop-link')
    await change(link({ node: node.url, address: node.sample('contract').address }))
    await waitForState(engine, 'idle')
    await pause()
    expect(await engine.evaluate("document.getElementById('result').dataset.state")).toBe('idle')
    await engine.click('button[type=submit]')
    await waitForState(engine, 'present')
    expect(await consoleErrors(engine)).toEqual([])
  })

  test('a file that is opened waits for the decision on the link', async () => {
    const engine = lab.engine()
    const { url } = await lab.serve(folder)
    await engine.open(`${url}/${link()}`)
    await waitForState(engine, 'proposed')
    await engine.evaluate(`(() => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([${JSON.stringify(JSON.stringify(file))}], 'a\\u202eb.json'))
      window.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer }))
    })()`)
    await pause()
    await expectNothingProven()
    await engine.click('#drop-link')
    await waitForState(engine, 'asking')
    expect(await engine.text('#result h2')).toBe('a\\u{202e}b.json starts from this block')
    await engine.click('#trust-stated')
    await waitForState(engine, 'present')
    const report = await engine.text('.report')
    expect(report).toContain('This very block, which the file names, and you confirmed')
    expect(await consoleErrors(engine)).toEqual([])
  })

  test('of a long text of a link, or of a file and its name, 200 characters are shown', async () => {
    const engine = lab.engine()
    const { url } = await lab.serve(folder)
    const long = 'ж'.repeat(5000)
    const hidden = {
      chain: long,
      node: `http://x/${long}`,
      systems: JSON.stringify({ [long]: long }),
    }
    const expectCut = async (): Promise<void> => {
      const shown = String(await engine.evaluate('document.body.textContent'))
      const runs = (shown.match(/ж+/g) ?? []).map((run) => run.length)
      expect(runs.length).toBeGreaterThan(0)
      expect(Math.max(...runs)).toBeLessThanOrEqual(200)
    }
    await engine.open(`${url}/${link(hidden)}`)
    await waitForState(engine, 'proposed')
    await expectCut()
    await confirmLink(engine)
    await engine.waitFor("document.querySelector('[aria-invalid=true]') !== null")
    await expectCut()
    const files = [JSON.stringify({ source: { header: { hash: long } } }), 'no JSON', '{"kind":7}']
    for (const contents of files) {
      await engine.open(`${url}/`)
      // What is said while the file is checked counts as well.
      await engine.evaluate(`(() => {
        window.longest = 0
        new MutationObserver(() => {
          for (const { length } of document.body.textContent.match(/ж+/g) ?? [])
            window.longest = Math.max(window.longest, length)
        }).observe(document.body, { subtree: true, childList: true, characterData: true })
        const transfer = new DataTransfer()
        transfer.items.add(new File([${JSON.stringify(contents)}], ${JSON.stringify(`${long}.json`)}))
        window.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer }))
      })()`)
      await engine.waitFor(
        "window.longest > 0 && document.getElementById('result').dataset.state !== 'working'",
      )
      expect(await engine.evaluate('window.longest')).toBeLessThanOrEqual(200)
    }
    expect(await consoleErrors(engine)).toEqual([])
  })

  test('text of a link neither hides, nor reorders, nor runs', async () => {
    const engine = lab.engine()
    const { url } = await lab.serve(folder)
    const hostile = '\u202eteN\u2028\u001b<img src=x>'
    await engine.open(`${url}/${link({ chain: hostile, node: `http://x/${hostile}` })}`)
    await waitForState(engine, 'proposed')
    const shown = async () => String(await engine.evaluate('document.body.textContent'))
    expect(await shown()).toContain('\\u{202e}teN\\u{2028}\\u{1b}<img src=x>')
    await confirmLink(engine)
    await engine.waitFor("document.querySelector('[aria-invalid=true]') !== null")
    expect(await engine.text('#where')).toContain('\\u{202e}teN')
    for (const raw of hostile.slice(0, 1) + hostile.slice(4, 6))
      expect(await shown()).not.toContain(raw)
    expect(await engine.evaluate("document.querySelectorAll('main img').length")).toBe(0)
    expect(await consoleErrors(engine)).toEqual([])
  })
})
