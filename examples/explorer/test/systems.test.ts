/** Every proof system through the page, proof files without a node, and the keyboard alone. */

import {
  createClient,
  devnet,
  fetchProof,
  type HeaderEvidence,
  type ProofFile,
  sync,
} from 'lightproof'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { builtExample } from '../../test/support/build.js'
import {
  consoleErrors,
  inEveryEngine,
  type Lab,
  openLink,
  waitForState,
} from '../../test/support/engines.js'
import { deadUrl, fragment, type RunningNode, startNode } from '../../test/support/node.js'

let folder: string
let node: RunningNode
let dead: string
let file: ProofFile
let evidence: HeaderEvidence

/** What a client keeps of a node whose signatures are forged. */
async function forgedBy(url: string): Promise<HeaderEvidence> {
  const { genesisHash, consensus, checkpoint } = node
  const chain = devnet(genesisHash, consensus)
  const anchor = { checkpoint: checkpoint.hash }
  const synced = await sync(createClient({ chain, anchor, nodes: [url] }))
  const [kept] = synced.status === 'invalid' ? synced.evidence : []
  if (kept?.kind !== 'evidence' || !('steps' in kept)) throw new Error(synced.status)
  return kept
}

beforeAll(async () => {
  folder = builtExample('explorer')
  node = await startNode()
  dead = await deadUrl()
  const { genesisHash, consensus, head, url } = node
  const chain = devnet(genesisHash, consensus)
  const client = createClient({ chain, anchor: { block: head.hash }, nodes: [url] })
  file = await fetchProof(client, { address: node.sample('eoa').address })
  evidence = await forgedBy(`${url}/lie/signature-own-keys`)
})

afterAll(async () => {
  await node.stop()
})

/** Opens the page afresh, and confirms what the link proposes. */
async function open(lab: Lab, settings: Readonly<Record<string, string>>) {
  const { url, requests } = await lab.serve(folder)
  await openLink(lab.engine(), `${url}/${fragment(node, settings)}`)
  return requests
}

/** A file as a browser hands it to a page. */
const dropped = (content: unknown) => `(() => {
  const transfer = new DataTransfer()
  transfer.items.add(new File([${JSON.stringify(JSON.stringify(content))}], 'proof.json', { type: 'application/json' }))
  return transfer
})()`

inEveryEngine((lab) => {
  const key = () => {
    const { address, slots } = node.sample('contract')
    return { address, slot: slots[0] ?? '' }
  }
  const questions = [
    ['mpt', 'Proven', ['mpt'], key],
    ['lmpt', 'Proven', ['mpt', 'hash'], key],
    ['lvmt', 'Proven', ['mpt', 'bn254'], key],
    ['verkle', 'Proven', ['mpt', 'bls12_381'], key],
    ['cole', 'Proven', ['mpt', 'hash'], key],
    ['cole', 'Proven, and complete', ['mpt', 'hash'], () => ({ ...key(), from: '0' })],
    ['balanceproofs', 'Proven', ['mpt', 'bls12_381'], () => ({ positions: '0, 3, 7-9' })],
  ] as const

  test.each(questions)('%s: %s, with %j alone', async (system, title, modules, question) => {
    const requests = await open(lab, { system, ...question() })
    await waitForState(lab.engine(), 'present')
    const engine = lab.engine()
    expect(await engine.text('#result h2')).toBe(title)
    const loaded = requests.map((path) => /\/(\w+)_bg-\w+\.wasm$/.exec(path)?.[1])
    // A worker may read one again, and the drawing has modules of its own.
    const verifiers = loaded.filter((name) => name !== undefined && !name.startsWith('trace_'))
    expect([...new Set(verifiers)].sort()).toEqual([...modules].sort())
    expect(await engine.text('.report')).toContain('8 of devnet')
    expect(await consoleErrors(engine)).toEqual([])
  })

  test('the same value by every system that has the key', async () => {
    const values = []
    for (const system of ['mpt', 'lmpt', 'lvmt', 'verkle', 'cole']) {
      await open(lab, { system, ...key() })
      await waitForState(lab.engine(), 'present')
      values.push(await lab.engine().text('#result .value'))
    }
    expect(new Set(values).size).toBe(1)
    expect(values[0]).toMatch(/^[1-9][\d,]*$|^0x/)
  })

  test('a key that was never written is proven absent', async () => {
    for (const system of ['lmpt', 'lvmt', 'verkle', 'cole']) {
      await open(lab, { system, address: node.sample('absent').address })
      await waitForState(lab.engine(), 'absent')
      expect(await lab.engine().text('#result h2')).toBe('Proven absent')
    }
  })

  test('a dropped file is checked without a node, against the block that the form trusts', async () => {
    await open(lab, { node: dead })
    const engine = lab.engine()
    await engine.evaluate(
      `window.dispatchEvent(new DragEvent('drop', { dataTransfer: ${dropped(file)}, bubbles: true, cancelable: true }))`,
    )
    await waitForState(engine, 'present')
    expect(await engine.text('.report')).toContain('a file')
    expect(await consoleErrors(engine)).toEqual([])
  })

  test('a chosen file names its block, and the reader says whether they trust it', async () => {
    await open(lab, { node: '', anchor: '' })
    const engine = lab.engine()
    await engine.evaluate(`(() => {
      const input = document.getElementById('file')
      input.files = ${dropped(file)}.files
      input.dispatchEvent(new Event('change'))
    })()`)
    await waitForState(engine, 'asking')
    expect(await engine.text('#result')).toContain(node.head.hash)
    await engine.click('#trust-stated')
    await waitForState(engine, 'present')
    expect(await consoleErrors(engine)).toEqual([])
  })

  test('a file with a changed byte is refused, and one that is none is said to be none', async () => {
    await open(lab, { node: dead })
    const engine = lab.engine()
    const last = file.proof.endsWith('0') ? '1' : '0'
    const forged = { ...file, proof: `${file.proof.slice(0, -1)}${last}` }
    const drop = (content: unknown) =>
      engine.evaluate(
        `window.dispatchEvent(new DragEvent('drop', { dataTransfer: ${dropped(content)} }))`,
      )
    await drop(forged)
    await waitForState(engine, 'invalid')
    expect(await engine.text('#code')).toMatch(/^(verify|decode)\./)
    await drop(['no proof'])
    await engine.waitFor("document.getElementById('code')?.textContent === 'decode.response'")
    expect(await consoleErrors(engine)).toEqual([])
  })

  test('dropped evidence of a forged signature convicts from the checkpoint that the form trusts', async () => {
    const trust = { trust: 'checkpoint', node: dead }
    await open(lab, { ...trust, anchor: evidence.checkpoint })
    const engine = lab.engine()
    const drop = (content: unknown) =>
      engine.evaluate(
        `window.dispatchEvent(new DragEvent('drop', { dataTransfer: ${dropped(content)} }))`,
      )
    const says = (text: string) =>
      engine.waitFor(`document.getElementById('result').textContent.includes('${text}')`)
    await drop(evidence)
    await waitForState(engine, 'invalid')
    expect(await engine.text('#code')).toBe('verify.signature')
    // What the client held before it was lied to is no lie.
    await drop({ ...evidence, steps: evidence.steps.slice(0, -1) })
    await says('no evidence of a lie')
    await drop({ ...evidence, steps: [] })
    await says('decode.response')
    await open(lab, { ...trust, anchor: node.head.hash })
    await drop(evidence)
    await waitForState(engine, 'asking')
    expect(await engine.text('#result')).toContain(evidence.checkpoint)
    expect(await consoleErrors(engine)).toEqual([])
  })

  test('the keyboard alone reaches every part of the question', async () => {
    await open(lab, {})
    const order = (await lab.engine().evaluate(`(() => {
      const reachable = [...document.querySelectorAll('input, select, button, summary, a[href]')]
      return reachable
        .filter((each) => each.checkVisibility() && each.tabIndex >= 0 && !each.disabled)
        .map((each) => each.type === 'radio' ? each.value : each.id || each.textContent.trim())
    })()`)) as string[]
    expect(order).toEqual([
      'mpt',
      'lmpt',
      'lvmt',
      'verkle',
      'cole',
      'balanceproofs',
      'transfers',
      'address',
      'slot',
      'Check',
      'file',
      'Node, and what you trust',
    ])
    const unnamed = await lab.engine().evaluate(`[...document.querySelectorAll('input, select')]
      .filter((each) => each.labels.length === 0).map(({ id }) => id)`)
    expect(unnamed).toEqual([])
  })
})
