/** `lightproof get --follows`: answers of a chain that follows Ethereum, compared with it. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { honest, OWNER, SLOT, type TestChain } from '../../test/support/chain.js'
import { type CliRun, cli } from '../../test/support/cli.js'
import { ethereum, following, fork, ours } from '../../test/support/following.js'
import { serveMethods, type TestServer } from '../../test/support/server.js'

/** From block 5 on it names blocks of a fork as its origins. */
const lies = following(ethereum, (truth, n) =>
  n < 5 ? truth : { origin: fork.at(n).hash, state: fork.at(n) },
)

let folder: string
const nodes: TestServer[] = []

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'lightproof-follows-'))
  for (const [name, { chain }] of Object.entries({ ethereum, ours, lies })) {
    await writeFile(path.join(folder, `${name}.json`), JSON.stringify(chain))
  }
  for (const chain of [ethereum, ours, lies]) nodes.push(await serveMethods(honest(chain)))
})
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.close()))
  await rm(folder, { recursive: true, force: true })
})

const urlOf = (chain: TestChain): string => nodes[[ethereum, ours, lies].indexOf(chain)]?.url ?? ''

function get(name: 'ours' | 'lies', chain: TestChain, ...more: readonly string[]): Promise<CliRun> {
  const own = ['--chain', path.join(folder, `${name}.json`), '--node', urlOf(chain)]
  const pinned = ['--block', chain.head.hash]
  return cli('get', 'storage', OWNER, '--slot', SLOT, ...own, ...pinned, ...more)
}

const followed = (): string[] => [
  ...['--follows', path.join(folder, 'ethereum.json'), '--follows-node', urlOf(ethereum)],
  ...['--follows-block', ethereum.head.hash],
]

test('default: the origin and its state are compared', async () => {
  const { exit, out } = await get('ours', ours, ...followed(), '--cross-check', '1')
  expect(exit).toBe(0)
  expect(out).toContain(
    // The state is the same, so a second proof of mpt would be the first one again.
    'follows     its origin is proven; its state is that of its origin; 0 of its values proven a second time there\n',
  )
  const { out: json } = await get('ours', ours, ...followed(), '--json')
  expect(JSON.parse(json)).toMatchObject({ trust: { origin: 'proven', originState: 'equal' } })
  expect((await get('ours', ours)).out).not.toContain('follows')
})

test('exit 3: a chain that contradicts the one that it follows', async () => {
  expect((await get('lies', lies)).exit).toBe(0)
  const { exit, out, err } = await get('lies', lies, ...followed())
  expect([exit, out, err]).toEqual([3, '', expect.stringContaining('(verify.contradiction)')])
})

test.each([
  [['--cross-check', '1'], '--cross-check is only valid with --follows'],
  [['--follows-block', `0x${'11'.repeat(32)}`], '--follows-block is only valid with --follows'],
  [['--follows', 'mainnet'], '--follows: --node URL is missing'],
  [['--follows', 'mainnet', '--follows-node', 'http://x'], '--follows: give one of --checkpoint'],
])('exit 2: %j', async (words, problem) => {
  const { exit, err } = await get('ours', ours, ...words)
  expect([exit, err]).toEqual([2, expect.stringContaining(problem)])
})

test('exit 2: more values than can be proven twice', async () => {
  const { exit, err } = await get('ours', ours, ...followed(), '--cross-check', '9999')
  expect([exit, err]).toEqual([2, expect.stringContaining('--cross-check: expected')])
})
