/**
 * The proof explorer beside a live geth that operators follow: what they attest, compared with
 * geth's chain, and an account's transfers from receipts and by COLE.
 */

import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { keccak256, toBeHex, Wallet } from 'ethers'
import { createClient, defineChain, getBlock, type Hex, proven } from 'lightproof'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findEngine } from '../../../scripts/engines/find.mjs'
import { launch } from '../../../scripts/engines/launch.mjs'
import { serveStatic } from '../../../scripts/engines/serve.mjs'
import type { Engine } from '../../../scripts/engines/types.js'
import { makeOperators } from '../support/attesters.js'
import { APPROVING_TOKEN_CODE, deploying } from '../support/contracts.js'
import { DEV_CHAIN_ID, devGenesis, faucet } from './support/genesis.js'
import { type Geth, startDevGeth } from './support/geth.js'
import { Sender } from './support/history.js'
import { type LyingNode, startProxy } from './support/proxy.js'
import { blockJson, hashOf, rpc } from './support/rpc.js'

/** With cargo's feature `ethereum`: what the Rust tests compile. */
const program =
  process.env['LIGHTPROOF_FOLLOWER'] ??
  fileURLToPath(new URL('../../../target/debug/lightproof-node', import.meta.url))
const example = fileURLToPath(new URL('../../../examples/explorer/', import.meta.url))

const PERIOD = 4
const word = (value: bigint | string): string => toBeHex(BigInt(value), 32).slice(2)
const slotOf = (holder: string): Hex => keccak256(`0x${word(holder)}${word(0n)}`) as Hex
const transferring = (to: string, amount: bigint): string => `0xa9059cbb${word(to)}${word(amount)}`
/** geth may add empty blocks after the last transaction whenever it likes. */
const newest = () => blockJson(geth.url, 'latest')
/** Public, and worth nothing. */
const holder = new Wallet(`0x${'3c'.repeat(32)}`)

let geth: Geth
let proxy: LyingNode
let operators: Awaited<ReturnType<typeof makeOperators>>
let dir: string
let token: string
let settings: Readonly<Record<string, string>>

beforeAll(async () => {
  execFileSync(process.execPath, [path.join(example, 'build.mjs')])
  geth = await startDevGeth('osaka')
  proxy = await startProxy(geth.url)
  const sender = new Sender(geth.url)
  const slots = [[slotOf(faucet.address), 10n ** 24n]] as const
  token = (await sender.send({ data: deploying(APPROVING_TOKEN_CODE, slots) })).contract ?? ''
  await sender.send({ to: holder.address, value: 10n ** 18n })
  for (const amount of [100n, 20n]) {
    await sender.send({ to: token, data: transferring(holder.address, amount) })
  }
  const back = { type: 2, chainId: DEV_CHAIN_ID, nonce: 0, gasLimit: 100_000n }
  const fees = { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 1n }
  const data = transferring(faucet.address, 30n)
  const signed = await holder.signTransaction({ ...back, ...fees, to: token, data })
  await rpc(geth.url, 'eth_sendRawTransactionSync', [signed])
  const { block: last } = await sender.send({ to: token, data: transferring(holder.address, 7n) })

  dir = await mkdtemp(path.join(tmpdir(), 'lightproof-explorer-'))
  const genesis = path.join(dir, 'genesis.json')
  await writeFile(genesis, devGenesis('osaka'))
  const followed = ['--follow', geth.url, '--genesis', genesis, '--follow-depth', '0']
  const options = [...followed, '--trust-upstream', '--block-time-ms', '50']
  operators = await makeOperators(3, PERIOD, options, program)
  const [one] = await Promise.all([0, 1, 2].map(operators.start))
  if (one === undefined) throw new Error('no operator')
  await one.announced(last)
  // Blocks that are made at once are a second apart: clients believe none of the future.
  const isAhead = async () => Number((await newest())['timestamp']) * 1000 > Date.now()
  while (await isAhead()) await setTimeout(200)

  const { kind, chainId, genesisHash, consensus, systems } = one
  // Genesis is of 1970, so trust starts later.
  const chain = defineChain({ name: 'ours', kind, chainId, genesisHash, consensus, systems })
  const anchor = { checkpoint: genesisHash, maxAgeSeconds: Number.POSITIVE_INFINITY }
  const client = createClient({ chain, anchor, nodes: [one.url] })
  const { hash } = proven(await getBlock(client, { block: PERIOD }))
  settings = {
    chain: 'devnet',
    node: one.url,
    trust: 'checkpoint',
    anchor: hash,
    genesis: genesisHash,
    committee: `operators/${PERIOD}@${chainId}`,
    systems: JSON.stringify(one.systems),
    follows: `${DEV_CHAIN_ID}@${await hashOf(geth.url, 0)}`,
    upstream: proxy.url,
  }
})

afterAll(async () => {
  await operators?.stop()
  await proxy?.close()
  await geth?.stop()
  await rm(dir, { recursive: true, force: true })
})

const isHere = findEngine('chromium').status === 'found'
if (!isHere) console.log('SKIPPED: the explorer beside geth, without chromium')

describe.skipIf(!isHere && process.env['CI'] !== 'true')('the explorer in chromium', () => {
  let engine: Engine
  let page: Awaited<ReturnType<typeof serveStatic>>
  beforeAll(async () => {
    engine = await launch('chromium')
    page = await serveStatic(path.join(example, 'dist'))
  })
  afterAll(async () => {
    await engine?.close()
    await page?.close()
  })

  const ask = async (question: Readonly<Record<string, string>>, state: string): Promise<void> => {
    await engine.open('about:blank')
    // Operators attest no block that is newer than this one.
    const origin = String((await newest())['hash'])
    const asked = { ...settings, origin, ...question }
    await engine.open(`${page.url}/#${new URLSearchParams(asked)}`)
    await engine.waitFor("document.getElementById('use-link') !== null")
    await engine.click('#use-link')
    await engine.waitFor(`document.getElementById('result').dataset.state === '${state}'`)
  }

  test.each(['mpt', 'lmpt', 'lvmt', 'verkle', 'cole'])(
    'behavior: what operators attest by %s, compared with geth',
    async (system) => {
      await ask({ system, address: token, slot: slotOf(holder.address) }, 'present')
      expect(await engine.text('#result')).toContain('97')
      expect(await engine.text('#signed')).toMatch(/^[23] of 3 operators$/)
      const report = await engine.text('.report')
      expect(report).toContain('Proven: the block’s origin is one that you trust')
      expect(report).toContain('Its state root is that of its origin.')
      // A value by mpt is under the very state root that was compared.
      const twice = system === 'mpt' ? 'No value was' : '1 of its values'
      expect(report).toContain(`${twice} proven a second time there`)
    },
  )

  test('error: a trusted block of geth’s that is no block of the chain that is followed', async () => {
    const question = { system: 'mpt', address: token, origin: `0x${'77'.repeat(32)}` }
    await ask(question, 'unavailable')
    expect(await engine.text('#code')).toBe('block')
  })

  test.each(['follows', 'upstream', 'origin'])(
    'error: a malformed setting of the followed chain is shown at %s',
    async (field) => {
      await engine.open('about:blank')
      const origin = await hashOf(geth.url, 0)
      const wrong = { ...settings, origin, system: 'mpt', address: token, [field]: 'nonsense' }
      await engine.open(`${page.url}/#${new URLSearchParams(wrong)}`)
      await engine.waitFor("document.getElementById('use-link') !== null")
      await engine.click('#use-link')
      await engine.waitFor(`document.getElementById('${field}').ariaInvalid === 'true'`)
    },
  )

  const transfers = () => ({
    system: 'transfers',
    address: holder.address,
    token,
    slot: slotOf(holder.address),
    from: '0',
  })

  const rows = async () =>
    (await engine.evaluate(
      "[...document.querySelectorAll('#transfers tbody tr')].map((row) => [...row.cells].slice(1).map((cell) => cell.innerText))",
    )) as string[][]

  const moved = ['+100 from 0x', '+20 from 0x', '−30 to 0x', '+7 from 0x']

  test('behavior: transfers from receipts and by COLE, side by side', async () => {
    await ask(transfers(), 'present')
    const found = await rows()
    expect(found.map(([move = '']) => move.slice(0, move.indexOf('0x') + 2))).toEqual(moved)
    expect(found.map(([, balance]) => balance)).toEqual(['100', '120', '90', '97'])
    expect(found.map(([, , agree]) => agree)).toEqual(['yes', 'yes', 'yes', 'yes'])
    // As geth itself says.
    const told = await rpc(geth.url, 'eth_getStorageAt', [token, slotOf(holder.address), 'latest'])
    expect(BigInt(String(told))).toBe(97n)
    for (const side of ['by-logs', 'by-cole']) {
      expect(await engine.text(`#${side}`)).toMatch(/Requests\s+[1-9]/)
      expect(await engine.text(`#${side}`)).toMatch(/Answers\s+[1-9][\d,]* bytes/)
    }
    expect(await engine.text('#by-cole')).toMatch(/[23] of 3 operators signed/)
  })

  test('behavior: the same of geth’s chain alone, from receipts', async () => {
    const { follows = '', upstream = '' } = settings
    const own = { chain: 'private', genesis: follows, node: upstream, trust: 'block' }
    const anchor = String((await newest())['hash'])
    await ask({ ...transfers(), ...own, anchor, follows: '' }, 'present')
    const found = await rows()
    expect(found.map(([move = '']) => move.slice(0, move.indexOf('0x') + 2))).toEqual(moved)
    expect(await engine.evaluate("document.getElementById('by-cole')")).toBeFalsy()
  })

  test('error: a node that leaves a receipt out is caught, and no transfer is shown', async () => {
    proxy.tamper = (method, result) => {
      return method === 'eth_getBlockReceipts' && Array.isArray(result) ? [] : result
    }
    try {
      await ask(transfers(), 'invalid')
      expect(await engine.text('#code')).toMatch(/^(verify|decode)\./)
      expect(await engine.evaluate("document.getElementById('transfers')")).toBeFalsy()
    } finally {
      proxy.tamper = (_, result) => result
    }
  })
})
