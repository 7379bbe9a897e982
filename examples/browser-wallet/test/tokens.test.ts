/** The wallet on a chain with contracts: balances of tokens, and previews of transfers. */

import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ALICE, address, BOB, FORKS, slotOf } from '../../../sdk/test/support/callWorld.js'
import { code, MOVING_TOKEN_CODE, TOKEN_CODE } from '../../../sdk/test/support/contracts.js'
import { stateChain } from '../../../sdk/test/support/state.js'
import { builtExample } from '../../test/support/build.js'
import { consoleErrors, inEveryEngine, type Lab } from '../../test/support/engines.js'
import { expectPresentable } from '../../test/support/look.js'
import { type StubNode, scriptedNode } from '../../test/support/rpc.js'

const TOKENS = [
  { symbol: 'USDX', address: address(0x5001), decimals: 6 },
  { symbol: 'WETX', address: address(0x5002), decimals: 18 },
  { symbol: 'BAD', address: address(0x5003), decimals: 18 },
] as const
const [USDX, WETX, BAD] = TOKENS

const { chain, methods } = stateChain(
  [
    {},
    {
      [ALICE]: { balance: 2n * 10n ** 18n, nonce: 3n },
      [BOB]: { balance: 1n },
      [USDX.address]: {
        nonce: 1n,
        code: MOVING_TOKEN_CODE,
        slots: { [slotOf(ALICE)]: 1_234_500_000n },
      },
      [WETX.address]: { nonce: 1n, code: TOKEN_CODE, slots: { [slotOf(ALICE)]: 10n ** 16n } },
      [BAD.address]: { nonce: 1n, code: code('invalid') },
    },
  ],
  FORKS,
)

let honest: StubNode
let liar: StubNode
const folders: string[] = []

beforeAll(async () => {
  honest = await scriptedNode(methods)
  liar = await scriptedNode({ ...methods, eth_getCode: () => '0x602a5f5260205ff3' })
})

afterAll(async () => {
  await Promise.all([honest.stop(), liar.stop()])
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true })))
})

/** The wallet with another configuration in place of `src/config.ts`, open in the engine. */
async function open(lab: Lab, nodes: readonly string[] = [honest.url]): Promise<void> {
  const { name, kind, chainId, genesisHash } = chain.chain
  const shared = { name, kind, chainId, genesisHash, forks: FORKS }
  const contents = `import { defineChain } from 'lightproof'
    export const tokens = ${JSON.stringify(TOKENS)}
    export const options = async () => ({
      chain: defineChain(${JSON.stringify(shared)}),
      anchor: { block: '${chain.head.hash}' },
      nodes: ${JSON.stringify(nodes)},
      retries: 0,
    })`
  const folder = await mkdtemp(join(tmpdir(), 'lightproof-wallet-'))
  folders.push(folder)
  await cp(builtExample('browser-wallet'), folder, { recursive: true })
  const src = fileURLToPath(new URL('../src', import.meta.url))
  await build({
    entryPoints: [join(src, 'main.ts')],
    outfile: join(folder, 'scripts/main.js'),
    bundle: true,
    format: 'esm',
    target: 'es2022',
    logLevel: 'warning',
    plugins: [
      {
        name: 'config',
        setup: ({ onLoad }) =>
          onLoad({ filter: /\/src\/config\.ts$/ }, () => ({ contents, resolveDir: src })),
      },
    ],
  })
  const { url } = await lab.serve(folder)
  await lab.engine().open(`${url}/`)
}

async function askFor(lab: Lab, account: string): Promise<void> {
  await lab.engine().type('#address', account)
  await lab.engine().click('#form button[type=submit]')
  await lab.engine().waitFor("document.body.dataset.status !== 'working'")
  await lab
    .engine()
    .waitFor("/Proven|no number/.test(document.querySelector('#contracts').innerText)")
}

async function preview(lab: Lab, asset: number, to: string, sum: string): Promise<string[]> {
  const engine = lab.engine()
  await engine.type('#recipient', to)
  await engine.type('#sum', sum)
  await engine.evaluate(`void (document.getElementById('asset').selectedIndex = ${asset})`)
  await engine.click('#transfer button')
  await engine.waitFor("/would|known|amount/.test(document.getElementById('preview').innerText)")
  return lines(lab, 'preview')
}

const lines = async (lab: Lab, id: string): Promise<string[]> =>
  (await lab
    .engine()
    .evaluate(`[...document.querySelectorAll('#${id} li')].map((li) => li.innerText)`)) as string[]

inEveryEngine((lab) => {
  test('balances of tokens, each by its code; one that fails has no number', async () => {
    await open(lab)
    await askFor(lab, ALICE)
    expect(await lines(lab, 'tokens')).toEqual([
      '1,234.5 USDX',
      '0.01 WETX',
      'BAD: no number, reverted: call.halted',
    ])
    expect(await lab.engine().text('#tokensAt')).toBe('Proven in block 1')
    expect(await consoleErrors(lab.engine())).toEqual([])
  })

  test('a preview: what is moved and by whom, or why it would fail', async () => {
    await open(lab)
    await askFor(lab, ALICE)
    const [gas, ...changes] = await preview(lab, 0, BOB, '0.5')
    expect(gas).toBe('It would go through, for 21,000 gas')
    expect(changes.sort()).toEqual([`+0.5 ETH: ${BOB}`, `−0.5 ETH: ${ALICE}`].sort())
    const [sent, ...moved] = await preview(lab, 1, BOB, '1000.25')
    expect(sent).toMatch(/^It would go through, for \d\d,\d{3} gas$/)
    expect(moved).toEqual([`1,000.25 USDX: ${ALICE} → ${BOB}`])
    expect(await preview(lab, 1, BOB, '1234.500001')).toEqual([
      expect.stringMatching(/^It would fail: .*overflow/),
    ])
    expect(await preview(lab, 0, BOB, '3')).toEqual([expect.stringMatching(/^It would fail: /)])
    expect(await preview(lab, 1, BOB, '0.0000001')).toEqual(['This is no amount of it'])
    expect(await consoleErrors(lab.engine())).toEqual([])
  })

  test('of a node that lies about code: refused, and no number', async () => {
    await open(lab, [liar.url])
    await askFor(lab, ALICE)
    for (const line of await lines(lab, 'tokens')) {
      expect(line).toMatch(/^[A-Z]+: no number, invalid: verify\.code$/)
    }
    expect(await preview(lab, 1, BOB, '1')).toEqual([expect.stringMatching(/^Nothing is known: /)])
    expect(await lab.engine().text('#contracts')).not.toMatch(/1,234|Proven/)
  })
})

for (const colorScheme of ['light', 'dark'] as const) {
  inEveryEngine(
    (lab) => {
      test('it fits and is legible', async () => {
        await open(lab)
        await askFor(lab, ALICE)
        await preview(lab, 1, BOB, '1000.25')
        const engine = lab.engine()
        const file = `tokens-${lab.name}-${colorScheme}`
        await expectPresentable(engine, [360, 1200], 'browser-wallet', file)
      })
    },
    { colorScheme },
  )
}
