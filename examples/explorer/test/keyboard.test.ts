/** The page without a mouse: every key is pressed, none is simulated by script. */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { builtExample } from '../../test/support/build.js'
import { consoleErrors, inEveryEngine, waitForState } from '../../test/support/engines.js'
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

inEveryEngine((lab) => {
  /** The focused element: the value of a choice, an id, or its text. */
  const focused = async () =>
    String(
      await lab.engine().evaluate(`(() => {
        const at = document.activeElement
        if (at.type === 'radio') return at.value
        return at.id || (at.matches('.hex') ? 'bytes' : at.innerText.split('\\n')[0])
      })()`),
    )

  /** Goes on by Tab until the focus is at what is sought. */
  const tabTo = async (sought: string | RegExp): Promise<void> => {
    const seen: string[] = []
    while (seen.length < 60) {
      await lab.engine().evaluate('void (window.left = document.activeElement)')
      await lab.engine().press('Tab')
      await lab.engine().waitFor('document.activeElement !== window.left')
      const at = await focused()
      if (typeof sought === 'string' ? at === sought : sought.test(at)) return
      seen.push(at)
    }
    throw new Error(`Tab never came to ${String(sought)}, but to ${seen.join(', ')}`)
  }

  /** What comes of a key: a driver may say that it is pressed before the page has heard of it. */
  const soon = <T>(read: () => Promise<T>) => expect.poll(read, { timeout: 20_000 })

  const chosen = () => lab.engine().text('#why .reason[aria-pressed=true]')

  test('asks, walks the drawing, takes a byte, lies and returns by keys alone', async () => {
    const { address, slots } = node.sample('contract')
    const { url } = await lab.serve(folder)
    const engine = lab.engine()
    await engine.open(`${url}/${fragment(node)}`)

    // What the link proposes is taken by keys too; then the focus is at the question.
    await tabTo('use-link')
    await engine.press('Enter')
    await soon(focused).toBe('mpt')

    // The system by arrows, the question by typing, Enter asks.
    await engine.press('ArrowRight', 'ArrowRight', 'ArrowRight')
    await soon(focused).toBe('verkle')
    await engine.press('ArrowLeft', 'ArrowLeft')
    await soon(focused).toBe('lmpt')
    await engine.press('Tab', ...address)
    await soon(focused).toBe('address')
    await engine.press('Tab', ...(slots[0] ?? ''), 'Enter')
    await waitForState(engine, 'present')
    await engine.waitFor("document.getElementById('lies') !== null")

    // Settings fold out and in.
    await tabTo('Node, and what you trust')
    const isOpen = () => engine.evaluate("document.getElementById('settings').open")
    await soon(isOpen).toBe(false)
    await engine.press('Enter')
    await soon(isOpen).toBe(true)
    await engine.press('Space')
    await soon(isOpen).toBe(false)

    // A drawn step by Tab and Space, the next ones by arrows.
    await tabTo(/^Header of block 8/)
    await engine.press('Space')
    await soon(chosen).toMatch(/^Header of block 8/)
    await engine.press('ArrowDown', 'ArrowDown', 'ArrowDown')
    await soon(chosen).toMatch(/^Branch of \d+, on at /)
    await soon(focused).toBe((await chosen()).split('\n')[0])

    // Its bytes: Enter takes the one that the arrows came to.
    await engine.press('ArrowRight')
    await soon(focused).toBe('bytes')
    await engine.press('Escape')
    await soon(focused).toBe((await chosen()).split('\n')[0])
    await tabTo('bytes')
    await engine.press('ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowDown', 'ArrowUp')
    const at = "document.querySelector('.hex .at')?.dataset.at"
    const named = `document.activeElement.ariaLabel?.includes('Byte ' + ${at} + ':')`
    await soon(() => engine.evaluate(named)).toBe(true)
    await engine.press('Enter')
    await soon(() => engine.evaluate(`document.getElementById('byte').value === ${at}`)).toBe(true)
    await soon(focused).toBe('flip')

    // The lie, and where it breaks: the focus is there already.
    await engine.press('Enter')
    await waitForState(engine, 'invalid')
    await engine.waitFor("document.activeElement.matches('#why .broken')")
    await soon(chosen).toContain(await engine.text('#code'))

    // Back, and a lie of the node from the list.
    await tabTo('honest')
    await engine.press('Enter')
    await waitForState(engine, 'present')
    await engine.waitFor("document.activeElement.matches('#why .reason')")
    await tabTo('lie')
    await engine.press('ArrowDown')
    await soon(() => engine.evaluate("document.getElementById('lie').value")).toMatch(/^lmpt-/)
    await tabTo('ask-liar')
    await engine.press('Space')
    await waitForState(engine, 'invalid')
    await engine.waitFor("document.activeElement.matches('#why .broken')")
    expect(await consoleErrors(engine)).toEqual([])
  })
})
