/**
 * Every lie of a node and of a proxy before it, told to pages: alone, where each answer is right or
 * refused with a code; beside an honest node, where it is right. Each lie is told to one engine,
 * and to all of them where `LIGHTPROOF_SOAK_SECONDS` is set.
 */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { engineNames } from '../../../scripts/engines/find.mjs'
// biome-ignore lint/style/noRestrictedImports: the lies of the command line are no part of the package.
import { type Liar, startLiar } from '../../../sdk/src/cli/liar.js'
// biome-ignore lint/style/noRestrictedImports: as above.
import { LIES } from '../../../sdk/src/cli/lies.js'
import {
  aboutNodeLie,
  aboutProxyLie,
  BLOCKS,
  groups,
  type LyingNode,
  nothingYet,
  type Outcome,
  SIGNED,
} from '../../../sdk/test/support/lied.js'
import { type LiveNode, listLies, lying, startNode } from '../../../sdk/test/support/liveNode.js'
import { inEveryEngine } from '../support/engines.js'
import type { LieOutcome, LiesReport } from './pages/lies.js'
import { buildPages } from './pages.js'

let honest: LiveNode
let liar: LiveNode
let proxy: Liar
let pages: Awaited<ReturnType<typeof buildPages>>

beforeAll(async () => {
  ;[honest, liar] = await Promise.all([startNode(BLOCKS, SIGNED), startNode(BLOCKS, SIGNED)])
  proxy = await startLiar(honest.url)
  pages = await buildPages(JSON.stringify(honest))
})

afterAll(async () => {
  await pages.remove()
  await proxy.close()
  await Promise.all([honest.stop(), liar.stop()])
})

inEveryEngine((lab) => {
  const part = engineNames.indexOf(lab.name)
  const isToldAll = process.env['LIGHTPROOF_SOAK_SECONDS'] !== undefined
  const mine = <T>(lies: readonly T[]): readonly T[] =>
    isToldAll ? lies : lies.filter((_, i) => i % engineNames.length === part)

  async function attack(lie: LyingNode, { alone, beside }: Outcome): Promise<void> {
    const said = await lab.engine().evaluate(`window.attack(${JSON.stringify(lie)})`)
    const outcome = said as LieOutcome
    alone.add(outcome.alone)
    beside.add(outcome.beside)
  }

  function report(group: string, { alone, beside }: Outcome): void {
    console.log(`${lab.name} ${group}, alone: ${alone}`)
    console.log(`${lab.name} ${group}, beside an honest node: ${beside}`)
    expect(alone.wrong).toEqual([])
    expect(beside.wrong).toEqual([])
    expect(alone.refused).toBeGreaterThan(0)
  }

  beforeAll(async () => {
    const { url } = await lab.serve(pages.folder)
    await lab.engine().open(`${url}/lies.html`)
    await lab.engine().waitFor('window.report !== undefined')
    const { names } = (await lab.engine().evaluate('window.report')) as LiesReport
    expect(names?.length).toBeGreaterThan(12)
  })

  test('error: every lie of the node', { timeout: 1_200_000 }, async () => {
    const outcome = nothingYet()
    const told = groups.flatMap((group) => listLies(group).map(({ name }) => ({ group, name })))
    for (const { group, name } of mine(told)) {
      const { url } = lying(liar, name)
      await attack({ name, url, about: aboutNodeLie(group, name) }, outcome)
    }
    report('node lies', outcome)
    // But for blocks whose headers the liar holds back.
    expect([...outcome.beside.codes.keys()].filter((code) => code !== 'untrusted')).toEqual([])
  })

  test('error: every lie of a proxy', { timeout: 1_200_000 }, async () => {
    const outcome = nothingYet()
    let told = 0
    for (const lie of mine(LIES)) {
      proxy.tell(lie)
      const { name } = lie
      await attack({ name, url: proxy.url, about: aboutProxyLie(name) }, outcome)
      if (proxy.told) told++
    }
    report(`proxy lies (${told} told)`, outcome)
    expect([...outcome.beside.codes.keys()]).toEqual([])
    expect(told).toBeGreaterThan(isToldAll ? 20 : 5)
  })
})
