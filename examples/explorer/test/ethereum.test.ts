/**
 * Ethereum through the page's own form, at a clock that is set to the block's day: answers of a
 * chain of our own by mainnet's rules, and, where the reference vectors are, what mainnet's nodes
 * said on a day in February 2025.
 */

import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { HAS_VECTORS } from '../../../sdk/test/support/beacon.js'
import { type Recording, recordings } from '../../../sdk/test/support/recordings.js'
import { builtExample } from '../../test/support/build.js'
import { consoleErrors, inEveryEngine, waitForState } from '../../test/support/engines.js'
import { serveRecordings } from '../../test/support/recorded.js'

/** Those whose signed execution block and an account's proof were recorded too. */
const complete = recordings().flatMap((recording) => {
  const { block, proofs } = recording.executed[0]
  const [proof] = proofs
  return block === undefined || proof === undefined ? [] : [{ recording, block, proof }]
})

/** An execution node that adds a wei, and a beacon node that changes the committee's signature. */
function liars({ recording: honest, proof }: (typeof complete)[number]): readonly Recording[] {
  const balance: `0x${string}` = `0x${(BigInt(proof.balance) + 1n).toString(16)}`
  const [head, ...others] = honest.executed
  const optimistic = structuredClone(honest.optimistic)
  const { data } = optimistic as unknown as {
    data: { sync_aggregate: { sync_committee_bits: string } }
  }
  const aggregate = data.sync_aggregate
  const { sync_committee_bits: bits } = aggregate
  // Another bit of the committee: then the signature is that of others.
  aggregate.sync_committee_bits = `${bits.slice(0, -1)}${bits.endsWith('0') ? '1' : '0'}`
  return [
    { ...honest, executed: [{ ...head, proofs: [{ ...proof, balance }] }, ...others] },
    { ...honest, optimistic },
  ]
}

if (!HAS_VECTORS) console.log('SKIPPED: no recorded answers of mainnet in ../shared/vectors')

test('there is one of our own, and one of mainnet where the reference vectors are', () => {
  expect(complete).toHaveLength(HAS_VECTORS ? 2 : 1)
})

describe.each(complete.map((one) => ({ name: one.recording.name, one })))(
  'Ethereum, $name',
  ({ one }) => {
    const { recording, block, proof } = one
    let folder: string
    let server: Awaited<ReturnType<typeof serveRecordings>>

    beforeAll(async () => {
      server = await serveRecordings([recording, ...liars(one)])
      folder = await mkdtemp(join(tmpdir(), 'lightproof-explorer-'))
      await cp(builtExample('explorer'), folder, { recursive: true })
      const minuteLater = Number(BigInt(block.timestamp)) * 1000 + 60_000
      const clock = `{ const now = Date.now; const ahead = ${minuteLater} - now(); Date.now = () => now() + ahead }`
      await writeFile(join(folder, 'clock.js'), clock)
      const html = await readFile(join(folder, 'index.html'), 'utf8')
      const withClock = html.replace(
        '<script type="module"',
        '<script src="clock.js"></script><script type="module"',
      )
      await writeFile(join(folder, 'index.html'), withClock)
    })

    afterAll(async () => {
      await server.close()
      await rm(folder, { recursive: true, force: true })
    })

    inEveryEngine((lab) => {
      /** Fills in the form as a user does, and asks. */
      const ask = async (node: number, beacon: number): Promise<void> => {
        const engine = lab.engine()
        const { url } = await lab.serve(folder)
        await engine.open(`${url}/`)
        const select = async (id: string, value: string) => {
          await engine.choose(`#${id}`, value)
          expect(await engine.evaluate(`document.getElementById('${id}').value`)).toBe(value)
        }
        await select('chain', 'mainnet')
        await select('at', 'head')
        await engine.type('#node', `${server.url}/${node}/rpc`)
        await engine.type('#beacon', `${server.url}/${beacon}`)
        await engine.type('#anchor', recording.checkpoint)
        await engine.type('#address', proof.address)
        await engine.click('button[type=submit]')
      }

      test('an account of mainnet, from a checkpoint over signed headers', async () => {
        await ask(0, 0)
        const engine = lab.engine()
        await waitForState(engine, 'present')
        const wei = BigInt(proof.balance).toLocaleString('en')
        expect(await engine.text('#result .exact')).toBe(`${wei} wei`)
        const report = await engine.text('.report')
        // The user typed it.
        expect(report).toContain('A checkpoint, which you chose')
        expect(report).toContain(`${BigInt(block.number).toLocaleString('en')} of mainnet`)
        expect(report).toContain(block.hash)
        expect(report).toContain(recording.checkpoint)
        expect(report).toContain('Signed, but not final yet')
        expect(await engine.text('#signed')).toMatch(/^\d{3} of 512 members of its committee/)
        expect(await engine.text('#lag')).toBe('1 minute behind this clock')
        const offered = await engine.evaluate(
          "[...document.querySelectorAll('[name=system]:not(:disabled)')].map(({ value }) => value)",
        )
        expect(offered).toEqual(['mpt', 'call', 'transfers'])
        await engine.waitFor("document.getElementById('lies') !== null")
        expect(await engine.text('#why h3')).toBe('How it follows')
        // Of the finality that was not recorded the engine itself writes a line.
        expect(await consoleErrors(engine, server.url)).toEqual([])
      })

      test.each([
        ['a balance of another account', 1, 0, 'verify.claim'],
        ['a signature of others', 0, 2, 'verify.signature'],
      ])('refuses %s', async (_, node, beacon, code) => {
        await ask(node, beacon)
        const engine = lab.engine()
        await waitForState(engine, 'invalid')
        expect(await engine.text('#code')).toBe(code)
        expect(await engine.evaluate("document.getElementById('balance')")).toBeFalsy()
        // Of the finality that was not recorded the engine itself writes a line.
        expect(await consoleErrors(engine, server.url)).toEqual([])
      })
    })
  },
)
