/**
 * The recipes of the guide for operators, typed as they stand there: each ends with a value that a
 * client proves.
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { freePorts } from '../support/attesters.js'
import { crowdMember, devGenesis } from './support/genesis.js'
import { type Geth, startDevGeth } from './support/geth.js'
import { Sender } from './support/history.js'
import { blockJson } from './support/rpc.js'

/** With cargo's feature `ethereum`: what the Rust tests compile. */
const program =
  process.env['LIGHTPROOF_FOLLOWER'] ??
  fileURLToPath(new URL('../../../target/debug/lightproof-node', import.meta.url))
const MODULES = fileURLToPath(new URL('../../../node_modules', import.meta.url))
const GUIDE = readFileSync(new URL('../../guides/node-operator.md', import.meta.url), 'utf8')

/** A development geth calls this block final once it has it. */
const FINAL = 32
const PAID = crowdMember(5)
const SENT = 7n

let geth: Geth
/** Its time, in seconds since 1970. */
let finalAt: number
/** Where the reader types. */
let dir: string
/** Leaders of the process groups that recipes left running. */
const running: number[] = []

beforeAll(async () => {
  geth = await startDevGeth('osaka')
  const sender = new Sender(geth.url)
  let { block } = await sender.send({ to: PAID.address, value: SENT })
  while (block < FINAL) block = (await sender.send({ to: crowdMember(9).address })).block
  finalAt = Number((await blockJson(geth.url, FINAL))['timestamp'])
})
afterAll(() => geth?.stop())

beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'lightproof-recipe-'))
  symlinkSync(MODULES, path.join(dir, 'node_modules'))
  writeFileSync(path.join(dir, 'genesis.json'), devGenesis('osaka'))
  // The program by its name, whatever it is called where it was built.
  mkdirSync(path.join(dir, 'bin'))
  symlinkSync(program, path.join(dir, 'bin', 'lightproof-node'))
})
afterEach(() => {
  for (const pid of running.splice(0)) {
    try {
      process.kill(-pid, 'SIGKILL')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
  // What was killed may still be writing.
  rmSync(dir, { recursive: true, force: true, maxRetries: 10 })
})

/** The commands of a recipe, with the reader's own addresses in place of the guide's. */
async function recipe(number: number): Promise<string> {
  const section = GUIDE.split(/^## /m).find((text) => text.startsWith(`Recipe ${number}:`)) ?? ''
  const [, commands] = /```bash\n(.*?)```/s.exec(section) ?? []
  if (commands === undefined) throw new Error(`the guide has no recipe ${number}`)
  const own = [...new Set(commands.match(/127\.0\.0\.1:86\d\d/g))]
  const ports = await freePorts(own.length)
  const table: readonly (readonly [string, string])[] = [
    ['127.0.0.1:8545', new URL(geth.url).host],
    ...own.map((host, i) => [host, `127.0.0.1:${ports[i]}`] as const),
    ['0x…', PAID.address],
  ]
  return table.reduce((text, [guide, reader]) => text.replaceAll(guide, reader), commands)
}

interface Typed {
  readonly exit: unknown
  readonly out: string
  readonly err: string
}

/**
 * Types the commands into bash, which stops at the first that fails; what they start goes on until
 * the test ends.
 */
async function type(commands: string): Promise<Typed> {
  const files = ['out', 'err'].map((name) => path.join(dir, name))
  const [out, err] = files.map((file) => openSync(file, 'w'))
  const env = {
    ...process.env,
    PATH: [path.join(dir, 'bin'), process.env['PATH']].join(path.delimiter),
    NODE_NO_WARNINGS: '1',
    npm_config_offline: 'true',
  }
  const args = ['-e', '-o', 'pipefail', '-c', commands]
  const child = spawn('bash', args, { cwd: dir, env, detached: true, stdio: ['ignore', out, err] })
  if (child.pid !== undefined) running.push(child.pid)
  const [exit]: unknown[] = await once(child, 'exit')
  for (const file of [out, err]) if (file !== undefined) closeSync(file)
  const [said = '', complained = ''] = files.map((file) => readFileSync(file, 'utf8'))
  return { exit, out: said, err: complained }
}

/** Waits until a node has announced block {@link FINAL}. The test's own time limit bounds this. */
async function attested(log: string): Promise<void> {
  const file = path.join(dir, log)
  const isThere = () =>
    existsSync(file) && readFileSync(file, 'utf8').includes(`"event":"block","number":${FINAL},`)
  while (!isThere()) await setTimeout(50)
  // Blocks that are made at once are a second apart, so that the newest are of the future.
  while (Date.now() < finalAt * 1000) await setTimeout(200)
}

/** The commands from the one that asks on: what the reader types again for a newer answer. */
const asking = (commands: string): string => commands.slice(commands.indexOf('GENESIS='))

test('behavior: beside an application, in every system', async () => {
  const commands = await recipe(2)
  const { exit, out, err } = await type(commands)
  expect([exit, exit === 0 ? '' : err]).toEqual([0, ''])
  expect(out).toContain(
    `balance     ${5n * 10n ** 18n} wei (5 ether)\nstatus      proven present\n`,
  )
  expect(out).toContain('by 1 of 1 operators')
  const get = asking(commands)
  for (const what of [
    ...['lmpt', 'lvmt', 'verkle', 'cole'].map(
      (system) => `value ${PAID.address} --slot 1 --system ${system}`,
    ),
    'value --key 0 --system balanceproofs',
    `history ${PAID.address} --slot 1`,
  ]) {
    const told = await type(get.replace(`balance ${PAID.address}`, what))
    expect([what, told.exit, told.out]).toEqual([
      what,
      0,
      expect.stringMatching(/^status +proven/m),
    ])
  }
})

test.each([
  ['beside geth', 1, 'node.log', 'by 1 of 1 operators'],
  ['several operators', 3, 'north/node.log', /by [23] of 3 operators/],
] as const)('behavior: %s', async (_, number, log, vouched) => {
  const commands = await recipe(number)
  const first = await type(commands)
  expect([first.exit, first.exit === 0 ? '' : first.err]).toEqual([0, ''])
  // The account is in block 0 already.
  expect(first.out).toMatch(/^balance {5}\d+ wei .*\nstatus {6}proven present\n/m)
  await attested(log)
  const { exit, out } = await type(asking(commands))
  expect(exit).toBe(0)
  expect(out).toContain(`balance     ${PAID.balance + SENT} wei`)
  expect(out).toContain('status      proven present\n')
  expect(out).toMatch(vouched)
})

/** Programs that recipe 4 starts besides the node; without them the recipe is skipped. */
const OTHERS = [
  process.env['LIGHTPROOF_S3_SERVER'] ??
    fileURLToPath(new URL('../../../.tools/versitygw', import.meta.url)),
  '/usr/sbin/nginx',
]

test.skipIf(!OTHERS.every((file) => existsSync(file)))(
  'behavior: on object storage, by readers behind a proxy, also without the writer',
  async () => {
    for (const file of OTHERS) symlinkSync(file, path.join(dir, 'bin', path.basename(file)))
    const commands = await recipe(4)
    const noted = commands.replace(/> (\S+)\.log &$/gm, '> $1.log & echo $! > $1.pid')
    const { exit, out, err } = await type(noted)
    expect([exit, exit === 0 ? '' : err]).toEqual([0, ''])
    expect(out).toContain('status      proven present\n')
    // The answers of readers wait neither for the writer nor for each other.
    for (const name of ['node', 'first']) {
      process.kill(Number(readFileSync(path.join(dir, `${name}.pid`), 'utf8')), 'SIGKILL')
    }
    const again = await type(commands.slice(commands.indexOf('field()')))
    expect([again.exit, again.exit === 0 ? '' : again.err]).toEqual([0, ''])
    expect(again.out).toContain('status      proven present\n')
  },
)
