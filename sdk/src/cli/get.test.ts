/** `lightproof get erc20`: the token's own code says what somebody holds. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ALICE, address, BOB, chain, methods, PROXY } from '../../test/support/callWorld.js'
import { type CliRun, cli } from '../../test/support/cli.js'
import { serveMethods, type TestServer } from '../../test/support/server.js'

let folder: string
let honest: TestServer
let liar: TestServer

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'lightproof-get-'))
  await writeFile(path.join(folder, 'chain.json'), JSON.stringify(chain.chain))
  honest = await serveMethods(methods)
  liar = await serveMethods({ ...methods, eth_getCode: () => '0x00' })
})
afterAll(async () => {
  await Promise.all([honest, liar].map((node) => node?.close()))
  await rm(folder, { recursive: true, force: true })
})

function balance(token: string, node: TestServer, ...more: readonly string[]): Promise<CliRun> {
  const own = ['--chain', path.join(folder, 'chain.json'), '--block', chain.head.hash]
  return cli('get', 'erc20', ALICE, '--token', token, '--node', node.url, ...own, ...more)
}

test('default: a token behind a proxy, and the grounds', async () => {
  const { exit, out } = await balance(PROXY, honest)
  expect(exit).toBe(0)
  expect(out).toMatch(/^erc20 {7}99\nstatus {6}proven by running the code\n/)
  expect(out).toContain('proved      header, call\n')
  const { out: json } = await balance(PROXY, honest, '--json')
  expect(JSON.parse(json)).toMatchObject({ status: 'success', value: '0x63' })
})

test.each([BOB, address(0x2002)])(
  'exit 4: %s answers no balance, and no zero is shown',
  async (token) => {
    const { exit, out, err } = await balance(token, honest)
    expect([exit, out]).toEqual([4, ''])
    expect(err).toMatch(/^reverted: the contract reverted: .* \(call\.reverted\)\n$/)
    const { out: json } = await balance(token, honest, '--json')
    expect(JSON.parse(json)).toMatchObject({ status: 'reverted', error: { code: 'call.reverted' } })
  },
)

test('exit 3: a node that serves other code', async () => {
  const { exit, out, err } = await balance(PROXY, liar)
  expect([exit, out, err]).toEqual([3, '', expect.stringContaining('(verify.code)')])
})

test('exit 2: a place where the token keeps balances is no option', async () => {
  const { exit, err } = await balance(PROXY, honest, '--witness', ALICE)
  expect([exit, err]).toEqual([2, expect.stringContaining('--witness')])
})
