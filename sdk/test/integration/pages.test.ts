/**
 * Pages over proofs in one browser, beside a live geth: a dapp of wagmi's hooks with an announced
 * wallet; viem; ethers.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findEngine } from '../../../scripts/engines/find.mjs'
import { launch } from '../../../scripts/engines/launch.mjs'
import type { Engine } from '../../../scripts/engines/types.js'
import { withParameters } from './pages/parameters.js'
import { type DappWorld, startDappWorld } from './support/dapp.js'
import { servePages } from './support/pages.js'
import { rpc } from './support/rpc.js'

const isHere = findEngine('chromium').status === 'found'
if (!isHere) console.log('SKIPPED: pages over a live geth, without chromium')

describe.skipIf(!isHere && process.env['CI'] !== 'true')(
  'in chromium',
  { timeout: 600_000 },
  () => {
    let world: DappWorld
    let engine: Engine
    let pages: Awaited<ReturnType<typeof servePages>>
    beforeAll(async () => {
      world = await startDappWorld()
      pages = await servePages(['wagmi', 'libraries'])
      engine = await launch('chromium')
    })
    afterAll(async () => {
      await engine?.close()
      await pages?.close()
      await world?.stop()
    })

    const open = async (
      name: string,
      nodes: readonly string[],
      oracle = world.honest,
    ): Promise<void> => {
      const { token, multicall, owner, friend } = world
      const about = { token, multicall, owner, friend, oracle: oracle.url, nodes }
      await engine.open('about:blank')
      await engine.open(withParameters(`${pages.url}/${name}.html`, about))
    }
    const READ = "JSON.parse(document.getElementById('state')?.textContent ?? '{}')"
    const isSo = async (condition: string): Promise<boolean> =>
      (await engine.evaluate(`Boolean(((s) => ${condition})(${READ}))`)) === true
    // Until the test's own time is up: a loaded machine is no fault.
    const stateWhere = async (condition: string): Promise<Record<string, unknown>> => {
      while (!(await isSo(condition))) await new Promise((resolve) => setTimeout(resolve, 100))
      return (await engine.evaluate(READ)) as Record<string, unknown>
    }

    /** What one test sends moves no balance of the next. */
    const nothingWaits = async (): Promise<void> => {
      await engine.open('about:blank')
      const count = (tag: string) =>
        rpc(world.geth.url, 'eth_getTransactionCount', [world.owner, tag])
      while ((await count('pending')) !== (await count('latest'))) {
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    }

    test.each([
      ['an honest node', false],
      ['a lying node beside an honest one', true],
    ])('behavior: wagmi reads, sends, waits and watches: %s', async (_, isBeside) => {
      const { liar, honest } = world
      await open('wagmi', isBeside ? [liar.url, honest.url] : [honest.url])
      const read = await stateWhere(
        "s.balance?.status === 'success' && s.held?.status === 'success' && s.blocks > 0",
      )
      expect(read).toMatchObject({
        connectors: ['org.example.test'],
        balance: { data: { value: String(await world.balanceOf(world.friend)) } },
        held: { data: String(await world.heldBy(world.owner)) },
      })
      await engine.click('#connect')
      await stateWhere("s.connection === 'connected'")
      await engine.click('#send')
      await stateWhere("s.landed?.data === 'success'")
      await engine.click('#refetch')
      const now = String(await world.balanceOf(world.friend))
      await stateWhere(`s.balance.data.value === '${now}'`)
      // The first log that is heard says that the watch had begun.
      while (!(await isSo('s.logs > 0'))) {
        await engine.click('#write')
        await stateWhere("s.written.status === 'success' || s.written.status === 'error'")
        await new Promise((resolve) => setTimeout(resolve, 500))
      }
      const { errors } = await stateWhere('s.logs > 0')
      expect(errors).not.toContain(-32070)
      await nothingWaits()
    })

    test('behavior: viem and ethers read, send, wait and watch, a lying node beside an honest one', async () => {
      const before = await world.balanceOf(world.friend)
      const held = String(await world.heldBy(world.owner))
      await open('libraries', [world.liar.url, world.honest.url])
      const state = await stateWhere('s.viem && s.ethers')
      const balances = [0n, 1n, 2n].map((ether) => String(before + ether * 10n ** 18n))
      const [first, second, third] = balances
      const done = { status: 'success', heard: expect.arrayContaining(['7']) }
      expect(state).toMatchObject({
        viem: { before: first, after: second, held, ...done },
        ethers: { before: second, after: third, ...done },
      })
    })

    test('invalid: viem and ethers at the liar alone', async () => {
      await open('libraries', [world.liar.url], world.still)
      const refused = { codes: expect.arrayContaining([-32070]) }
      expect(await stateWhere('s.viem && s.ethers')).toMatchObject({
        viem: refused,
        ethers: refused,
      })
    })

    test('invalid: wagmi at the liar alone: errors at once, without retries, and no value', async () => {
      await open('wagmi', [world.liar.url], world.still)
      const state = await stateWhere(
        "s.balance?.status === 'error' && s.held?.status === 'error' && s.errors.length > 0",
      )
      const codes = expect.arrayContaining([-32070])
      const refused = { status: 'error', codes, failureCount: 1 }
      expect(state).toMatchObject({ balance: refused, held: refused, blocks: 0, logs: 0 })
      expect(JSON.stringify(state)).not.toContain('"data"')
      expect(state['errors']).toContain(-32070)
    })
  },
)
