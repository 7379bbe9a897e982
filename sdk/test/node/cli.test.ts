/** The command line against live nodes. */

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LIES } from '../../src/cli/lies.js'
import { runCli } from '../../src/cli/main.js'
import '../../src/entry/node.js'
import { type LiveNode, lying, type Sample, startNode } from '../support/liveNode.js'
import { serve } from '../support/server.js'

const BLOCKS = 12

let dir: string
let node: LiveNode
let liar: LiveNode
let signed: LiveNode
let contract: Sample

beforeAll(async () => {
  dir = mkdtempSync(path.join(tmpdir(), 'lightproof-cli-'))
  node = await startNode(BLOCKS)
  liar = await startNode(BLOCKS, ['--lie', 'claim-balance'])
  signed = await startNode(BLOCKS, ['--committee-size', '8'])
  for (const [name, { stop: _, ...ready }] of Object.entries({ node, signed })) {
    const line = JSON.stringify({ event: 'ready', ...ready })
    writeFileSync(path.join(dir, `${name}.json`), `${line}\n{"event":"block"}\n`)
  }
  const sample = node.samples.find(({ kind, slots }) => kind === 'contract' && slots.length > 0)
  if (sample === undefined) throw new Error('no contract')
  contract = sample
})
afterAll(async () => {
  await Promise.all([node, liar, signed].map((one) => one?.stop()))
  rmSync(dir, { recursive: true, force: true })
})

interface Run {
  readonly exit: number
  readonly out: string
  readonly err: string
}

const run = (...argv: readonly string[]): Promise<Run> => runAt(argv, false)

/** Runs a command line at a terminal, or where there is none. */
async function runAt(argv: readonly string[], isLive: boolean): Promise<Run> {
  let out = ''
  let err = ''
  const exit = await runCli(argv, {
    out: (text) => {
      out += text
    },
    err: (text) => {
      err += text
    },
    isLive,
    signal: new AbortController().signal,
  })
  return { exit, out, err }
}

const ONE = `0x${'11'.repeat(32)}`
const TWO = `0x${'22'.repeat(32)}`

/** A beacon node that names a root for slot 64, for whoever asks. */
const serveCheckpoint = (root: string): ReturnType<typeof serve> =>
  serve((response) => {
    const data = { root, header: { message: { slot: '64' } } }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ finalized: true, data }))
  })

const chain = (): string[] => ['--chain', path.join(dir, 'node.json')]
const json = async (...argv: readonly string[]): Promise<Record<string, unknown>> =>
  JSON.parse((await run(...argv, '--json')).out) as Record<string, unknown>

describe('get', () => {
  test('balance: a table for people, with its grounds', async () => {
    const { exit, out } = await run('get', 'balance', contract.address, ...chain())
    expect(exit).toBe(0)
    expect(out).toMatch(/^balance {5}\d+ wei \([\d.]+ ether\)\nstatus {6}proven present\n/)
    expect(out).toContain(`served by   ${node.url}`)
    expect(out).toContain('not proved  anchor, recency')
  })

  test.each([
    ['account', 'present'],
    ['nonce', 'present'],
    ['code', 'present'],
    ['storage', 'present'],
    ['block', 'present'],
    ['history', 'present'],
    ['value', 'present'],
  ])('%s as JSON', async (what, status) => {
    const slot = ['storage', 'history', 'value'].includes(what)
      ? ['--slot', String(contract.slots[0])]
      : []
    const system = what === 'value' ? ['--system', 'cole'] : []
    const args = ['get', what, contract.address, ...slot, ...system, ...chain()]
    expect(await json(...args)).toMatchObject({ status, trust: { block: { number: '0xc' } } })
  })

  test.each(['cole', 'lmpt', 'lvmt', 'verkle'])('value of a slot by %s', async (system) => {
    const args = ['--slot', String(contract.slots[0]), '--system', system, ...chain()]
    const present = await json('get', 'value', contract.address, ...args)
    expect(present).toMatchObject({
      status: 'present',
      trust: { system, block: { number: '0xc' } },
    })
    const key = ['--key', '0x00', '--system', system, ...chain()]
    if (system !== 'cole')
      expect(await json('get', 'value', ...key)).toMatchObject({ status: 'absent' })
  })

  test('value at a position by balanceproofs', async () => {
    const args = ['get', 'value', '--system', 'balanceproofs', '--key']
    expect(await json(...args, '5', ...chain())).toMatchObject({
      status: 'present',
      trust: { system: 'balanceproofs' },
    })
    const { exit, err } = await run(...args, '0x05', ...chain())
    expect([exit, err]).toEqual([2, expect.stringContaining('--key')])
  })

  test('behavior: systems of other parameters are those that the node announced', async () => {
    const other = await startNode(3, ['--verkle', 'cf-32'])
    try {
      const { stop: _, ...ready } = other
      const file = path.join(dir, 'other.json')
      writeFileSync(file, JSON.stringify({ event: 'ready', ...ready }))
      for (const [system, insecure] of [
        ['verkle', true],
        ['lvmt', true],
        ['cole', false],
      ] as const) {
        const place = [contract.address, '--slot', String(contract.slots[0])]
        const result = await json('get', 'value', ...place, '--system', system, '--chain', file)
        expect(result).toMatchObject({ trust: { system, setup: { insecure } } })
      }
    } finally {
      await other.stop()
    }
  })

  test('absent is proven too', async () => {
    const address = `0x${'ab'.repeat(20)}`
    const { exit, out } = await run('get', 'balance', address, ...chain(), '--at', '3')
    expect([exit, out.includes('proven absent')]).toEqual([0, true])
  })

  test('exit 3: a lie, with its evidence, which the command line convicts in turn', async () => {
    const where = path.join(dir, 'evidence')
    const lied = ['--node', liar.url, '--evidence', where]
    const { exit, err } = await run('get', 'balance', contract.address, ...chain(), ...lied)
    expect([exit, err]).toEqual([3, expect.stringContaining('verify.claim')])
    const file = path.join(where, String(readdirSync(where)[0]))
    const verdict = await run('verify', file, '--block', node.head.hash, ...chain())
    expect(verdict).toMatchObject({ exit: 3, err: expect.stringContaining('as evidence of a lie') })
  })

  test('behavior: a second node makes good what the first lied about', async () => {
    const where = path.join(dir, 'evidence-2')
    const nodes = ['--node', liar.url, '--node', node.url, '--evidence', where]
    const { exit, out, err } = await run('get', 'balance', contract.address, ...chain(), ...nodes)
    expect([exit, out]).toEqual([
      0,
      expect.stringContaining(`in vain     ${liar.url}: verify.claim`),
    ])
    expect(err).toContain(String(readdirSync(where)[0]))
  })

  test('default: what nodes serve', async () => {
    const urls = [node.url, 'http://127.0.0.1:1']
    const { exit, out } = await run('nodes', ...urls, ...chain())
    expect([exit, out]).toEqual([0, expect.stringMatching(/ms: .*cole .*mpt 0 to \d+/)])
    expect(out).toContain('serves nothing of this chain (transport.network)')
    expect(await json('nodes', ...urls, ...chain())).toMatchObject([
      { name: node.url, systems: { mpt: { window: { from: '0x0' } } }, takesBlockHash: true },
      { lastCode: 'transport.network' },
    ])
    expect(await run('nodes', urls[1] ?? '', ...chain())).toMatchObject({ exit: 4 })
  })

  test('exit 4: nothing proven', async () => {
    const closed = ['--node', 'http://127.0.0.1:1', '--timeout', '500']
    const { exit, err } = await run('get', 'balance', contract.address, ...chain(), ...closed)
    expect([exit, err]).toEqual([4, expect.stringContaining('unreachable')])
    expect(await json('get', 'balance', contract.address, ...chain(), ...closed)).toMatchObject({
      status: 'unavailable',
      error: { code: 'unreachable' },
    })
  })

  test.each([
    [['get', 'wealth', '0x0'], 'account, balance'],
    [['get', 'balance'], 'ADDRESS is missing'],
    [['get', 'balance', '0x12'], 'ADDRESS: expected'],
    [['get', 'storage', `0x${'ab'.repeat(20)}`], '--slot N is missing'],
    [['get', 'erc20', `0x${'ab'.repeat(20)}`], '--token ADDRESS is missing'],
    [['get', 'value', `0x${'ab'.repeat(20)}`, '--system', 'abacus'], '--system: expected one of'],
    [['get', 'balance', '0x0', '--speed', '9'], '--speed'],
    [['get', 'balance', '0x0', '--timeout', 'soon'], '--timeout'],
    [['frobnicate'], 'unknown command frobnicate'],
    [['verify', 'nowhere.json', '--block', `0x${'00'.repeat(32)}`], 'cannot read nowhere.json'],
    [['verify', 'package.json'], 'give one of --block HASH and --root HASH'],
    [['checkpoint', 'http://x'], '--agree N is missing'],
    [['checkpoint', '--agree', '2', 'http://x'], '--agree: expected an integer from 1 to 1'],
    [['checkpoint', '--agree', '1', 'localhost:5052'], 'URL: expected an absolute http'],
    [['attack'], 'the URL of an honest node'],
    [['attack', 'http://x', '--lie', 'love'], 'unknown lie love'],
    [['export'], 'ADDRESS is missing'],
    [['sync'], '--checkpoint HASH is missing'],
  ])('exit 2: %j', async (argv, problem) => {
    const isLocal = ['get', 'export', 'sync'].includes(String(argv[0]))
    const { exit, err } = await run(...argv, ...(isLocal ? chain() : []))
    expect([exit, err]).toEqual([2, expect.stringContaining(problem)])
  })

  test('exit 2: what is wrong is called as on the command line, and once', async () => {
    const { address } = contract
    const hash = `0x${'ab'.repeat(32)}`
    const at = ['--node', node.url, '--block', hash]
    for (const [argv, problem] of [
      [['get'], 'get: WHAT: expected one of account, balance, '],
      [['get', 'storage', address, ...at], 'get storage: --slot N is missing'],
      [['get', 'balance', 'vitalik.eth', ...at], 'get: ADDRESS: expected 0x and 40 hex digits'],
      [['get', 'balance', address, ...at, '--at', 'latest'], 'get: --at: expected a block number'],
      [
        ['get', 'balance', address, '--node', 'localhost:1', '--block', hash],
        'get: --node: expected',
      ],
      [
        ['get', 'balance', address, '--node', node.url, '--block', '0x12'],
        'get: --block: expected',
      ],
      [['get', 'balance', address, '--chian', 'x'], "get: Unknown option '--chian'\n"],
      [['verify'], 'verify: FILE is missing'],
      [['frobnicate'], 'frobnicate: unknown command'],
    ] as const) {
      const { exit, err } = await run(...argv)
      expect([exit, err]).toEqual([
        2,
        expect.stringMatching(/^lightproof .*\n`lightproof .*--help`/s),
      ])
      expect(err.startsWith(`lightproof ${problem}`), err).toBe(true)
    }
  })

  test('exit 2: no node, no anchor, no chain', async () => {
    const address = contract.address
    expect((await run('get', 'balance', address)).err).toContain('--node URL is missing')
    const anchorless = await run('get', 'balance', address, '--node', node.url)
    expect(anchorless.err).toContain('give one of --checkpoint HASH and --block HASH')
    const nowhere = await run('get', 'balance', address, '--chain', 'mars')
    expect(nowhere.err).toContain('--chain takes mainnet, sepolia, hoodi or a file')
  })
})

describe('export and verify', () => {
  test('a file that is checked offline', async () => {
    const out = path.join(dir, 'proof.json')
    const slots = contract.slots.flatMap((slot) => ['--slot', slot])
    const question = [contract.address, ...slots, '--code', '--at', '7']
    const exported = await run('export', ...question, ...chain(), '--out', out)
    expect(exported).toMatchObject({ exit: 0, err: expect.stringContaining('lightproof verify') })
    const verified = await run('verify', out, '--block', node.head.hash, ...chain())
    expect(verified).toMatchObject({ exit: 0, out: expect.stringContaining(contract.address) })
    const other = await run('verify', out, '--block', `0x${'11'.repeat(32)}`, ...chain())
    expect(other).toMatchObject({ exit: 3, err: expect.stringContaining('verify.header') })
  })

  test('a file that was tampered with', async () => {
    const good = (await run('export', contract.address, ...chain())).out
    const file = JSON.parse(good) as { proof: string }
    const bad = path.join(dir, 'bad.json')
    const proof = `${file.proof.slice(0, -2)}${file.proof.endsWith('00') ? '01' : '00'}`
    writeFileSync(bad, JSON.stringify({ ...file, proof }))
    const verdict = await run('verify', bad, '--block', node.head.hash, ...chain())
    expect(verdict.exit).toBe(3)
  })
})

describe('files that expire', () => {
  const TIME = '2026-01-31T12:00:00.000Z'
  const file = (): string => path.join(dir, 'expires.json')
  const read = (...now: readonly string[]): Promise<Run> =>
    run('verify', file(), '--block', node.head.hash, ...chain(), ...now)

  test('default: refused from that time on', async () => {
    const args = ['export', contract.address, ...chain(), '--out', file(), '--expires', TIME]
    expect(await run(...args)).toMatchObject({ exit: 0 })
    expect(await read('--now', '2026-01-31T11:59:59Z')).toMatchObject({ exit: 0 })
    for (const now of [['--now', TIME], ['--now', '2026-02-01T00:00:00Z'], []]) {
      const expired = { exit: 3, err: expect.stringContaining('verify.expired') }
      expect(await read(...now)).toMatchObject(expired)
    }
  })

  test('behavior: refused by the reader, whose block it is too old for', async () => {
    const args = ['export', contract.address, ...chain(), '--out', file()]
    expect(await run(...args)).toMatchObject({ exit: 0 })
    const now = ['--now', new Date((1_767_225_600 + 86_400) * 1000).toISOString()]
    const age = /\b2[34] h old/
    expect(await read(...now)).toMatchObject({ exit: 0, out: expect.stringMatching(age) })
    expect(await read(...now, '--max-age', '2d')).toMatchObject({ exit: 0 })
    const old = { exit: 3, err: expect.stringContaining('verify.expired') }
    expect(await read(...now, '--max-age', '1h')).toMatchObject(old)
    const wrong = { exit: 2, err: expect.stringContaining('--max-age: expected a time') }
    expect(await read('--max-age', 'soon')).toMatchObject(wrong)
  })

  test('behavior: a time from now', async () => {
    const before = Date.now()
    const { out } = await run('export', contract.address, ...chain(), '--expires', '24h')
    const end = Date.parse((JSON.parse(out) as { expires: string }).expires)
    expect(end - before).toBeGreaterThanOrEqual(86_400_000)
    expect(end - Date.now()).toBeLessThanOrEqual(86_400_000)
  })

  test.each([
    [['export', '0x0', '--expires', 'soon'], '--expires: expected a time'],
    [['verify', 'package.json', '--block', '0x0', '--now', '25h'], '--now: expected a time'],
  ])('exit 2: %j', async (argv, problem) => {
    const { exit, err } = await run(...argv, ...chain())
    expect([exit, err]).toEqual([2, expect.stringContaining(problem)])
  })
})

describe('signed headers', () => {
  const anchor = (): string[] => [
    '--chain',
    path.join(dir, 'signed.json'),
    '--checkpoint',
    signed.genesisHash,
    '--max-age',
    'any',
  ]

  test('sync', async () => {
    const { exit, out } = await run('sync', ...anchor())
    expect([exit, out]).toEqual([0, expect.stringMatching(/head +slot 12 0x.*signed by 8 of 8/)])
    expect(await json('sync', ...anchor())).toMatchObject({
      status: 'synced',
      head: { slot: '0xc' },
    })
  })

  test('progress: on a line of a terminal, which is gone in the end; none in a log', async () => {
    const { exit, err } = await runAt(['sync', ...anchor()], true)
    const lines = err.split('\r\u001b[2K')
    expect([exit, lines[0], lines.at(-1)]).toEqual([0, '', ''])
    expect(lines).toContain(`bootstrap: period 0, from ${signed.url}`)
    expect(lines).toContainEqual(expect.stringMatching(/^newest: period \d+, from /))
    expect(await run('sync', ...anchor())).toMatchObject({ exit: 0, err: '' })
  })

  test('get, at the newest final block, kept for the next time', async () => {
    const store = path.join(dir, 'store')
    const args = ['get', 'balance', contract.address, ...anchor(), '--store', store]
    const first = await run(...args)
    expect([first.exit, first.out]).toEqual([0, expect.stringContaining('signed      by 8 of 8')])
    expect(readdirSync(store)).not.toHaveLength(0)
    expect((await run(...args, '--at', 'head')).exit).toBe(0)
  })

  test('exit 3: headers that do not hold, with evidence, which the command line convicts in turn', async () => {
    const where = path.join(dir, 'evidence-3')
    const lied = ['--node', lying(signed, 'signature-other-header').url, '--evidence', where]
    const { exit, err } = await run('sync', ...anchor(), ...lied)
    expect([exit, err]).toEqual([3, expect.stringContaining('verify.signature')])
    const file = path.join(where, String(readdirSync(where)[0]))
    const [, of = ''] = anchor()
    const check = (...trusted: readonly string[]) => run('verify', file, '--chain', of, ...trusted)
    expect(await check('--checkpoint', signed.genesisHash)).toMatchObject({
      exit: 3,
      err: expect.stringContaining('as evidence of a lie'),
    })
    const other = await check('--checkpoint', `0x${'11'.repeat(32)}`)
    expect(other).toMatchObject({ exit: 3, err: expect.stringContaining('verify.checkpoint') })
    expect(other.err).not.toContain('as evidence of a lie')
    expect(await check('--block', signed.head.hash)).toMatchObject({
      exit: 2,
      err: expect.stringContaining('signed headers'),
    })
  })

  test('exit 4: too old a checkpoint', async () => {
    const { exit, err } = await run('sync', ...anchor().slice(0, -2), '--max-age', '1')
    expect([exit, err]).toEqual([4, expect.stringContaining('expired')])
  })

  test('checkpoint: agreement, dissent, and none', async () => {
    const twin = await startNode(BLOCKS, ['--committee-size', '8'])
    try {
      const urls = [signed.url, twin.url.replace('127.0.0.1', 'localhost')]
      const file = ['--chain', path.join(dir, 'signed.json')]
      const same = await run('checkpoint', '--agree', '2', ...urls, ...file)
      expect([same.exit, same.out]).toEqual([0, expect.stringContaining('2 of 2 sources')])
      const lost = [...urls, 'http://127.0.0.1:1']
      const most = await json('checkpoint', '--agree', '2', ...lost, ...file)
      expect(most).toMatchObject({ status: 'agreed', failed: [{ node: 'http://127.0.0.1:1' }] })
      const liars = await Promise.all([ONE, ONE, TWO].map(serveCheckpoint))
      const said = await run('checkpoint', '--agree', '2', ...liars.map(({ url }) => url))
      expect([said.exit, said.out]).toEqual([
        0,
        expect.stringContaining(`DISSENT     ${liars[2]?.url} names ${TWO}`),
      ])
      expect(said.out).toContain(`checkpoint  ${ONE}`)
      const split = await run('checkpoint', '--agree', '3', ...liars.map(({ url }) => url))
      expect([split.exit, split.err]).toEqual([5, expect.stringContaining(`${TWO} by`)])
      await Promise.all(liars.map(({ close }) => close()))
      const none = await run('checkpoint', '--agree', '3', ...lost, ...file)
      expect([none.exit, none.err]).toEqual([5, expect.stringContaining('disagreed')])
    } finally {
      await twin.stop()
    }
  })
})

describe('attack', () => {
  test('this library believes no lie', async () => {
    const found = await json('attack', node.url, '--address', contract.address)
    expect(found).toMatchObject({ lies: LIES.length, hung: 0, believed: 0 })
    expect(found['refused']).toBeGreaterThanOrEqual(27)
  })

  test('exit 6: a program that believes its node', async () => {
    const naive = path.join(dir, 'naive.mjs')
    const call = {
      jsonrpc: '2.0',
      id: 1,
      method: 'eth_getBalance',
      params: [contract.address, 'latest'],
    }
    const send = `{ method: 'POST', body: '${JSON.stringify(call)}', headers: { 'content-type': 'application/json' } }`
    writeFileSync(
      naive,
      `const reply = await (await fetch(process.argv[2], ${send})).json()
       console.log(BigInt(reply.result))`,
    )
    const lies = ['balance', 'code', 'garbage', 'drip'].flatMap((lie) => ['--lie', lie])
    const attack = ['attack', node.url, ...lies, '--time-limit', '3000', '--', process.execPath]
    const { exit, out } = await run(...attack, naive, '{url}')
    expect(exit).toBe(6)
    expect(out.split('\n').map((line) => line.slice(0, 18).trim())).toEqual([
      'balance  BELIEVED',
      'code     not asked',
      'garbage  refused',
      'drip     HUNG',
      '4 lies: 1 refused,',
      '',
    ])
  })

  test('exit 2: a program that refuses the honest node too', async () => {
    const { exit, err } = await run('attack', node.url, '--', process.execPath, '-e', 'throw 1')
    expect([exit, err]).toEqual([2, expect.stringContaining('refuses the honest node')])
  })

  test('exit 2: a program that asks nothing is not under attack', async () => {
    const { exit, err } = await run('attack', node.url, '--', process.execPath, '-e', '1')
    expect([exit, err]).toEqual([2, expect.stringContaining('asked nothing of the node')])
  })

  test('the list', async () => {
    const { exit, out } = await run('attack', '--list')
    expect([exit, out.split('\n').length]).toEqual([0, LIES.length + 1])
  })
})

describe('help', () => {
  test('every command explains itself; the file is a program', async () => {
    for (const name of ['get', 'sync', 'verify', 'export', 'checkpoint', 'attack']) {
      const { exit, out } = await run(name, '--help')
      expect([exit, out]).toEqual([0, expect.stringContaining('Exit codes')])
      expect((await run('--help')).out).toContain(`lightproof ${name}`)
    }
    expect((await run()).exit).toBe(2)
    expect(await run('--version')).toMatchObject({ exit: 0, out: '0.1.0\n' })
    const source = new URL('../../src/cli.ts', import.meta.url)
    expect(readFileSync(source, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/)
  })
})
