/**
 * An application's blocks, pushed to a live node, and every part of them proven by every system.
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { balanceproofs } from '../../src/entry/balanceproofs.js'
import { getHistory } from '../../src/entry/cole.js'
import { lmpt } from '../../src/entry/lmpt.js'
import { lvmt } from '../../src/entry/lvmt.js'
import {
  type Client,
  createClient,
  devnet,
  getAccount,
  getBalance,
  getBlock,
  getCode,
  getNonce,
  getStorage,
  getValue,
  getValues,
  InputError,
  proven,
} from '../../src/entry/node.js'
import {
  createPushClient,
  type PushBlock,
  type PushClient,
  type PushClientOptions,
  PushError,
  type PushedBlock,
  pushBlock,
} from '../../src/entry/push.js'
import { verkle } from '../../src/entry/verkle.js'
import { type LiveNode, startNode } from '../support/liveNode.js'

const SECRET = '07'.repeat(32)
const ALICE = '0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'
const BOB = '0xbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb'
const TOKEN = '0xcccccccccccccccccccccccccccccccccccccccc'
/** Of BOB, who is the first of the list. */
const RICH = 2n ** 254n

/**
 * What each system says of a slot that was cleared: lvmt keeps a version of it, which has no value.
 */
const ENDS: Readonly<Record<string, object>> = {
  lmpt: { status: 'deleted' },
  lvmt: { status: 'present', value: '0x' },
  verkle: { status: 'absent' },
}

const BLOCKS: readonly PushBlock[] = [
  {
    number: 1,
    timestamp: 100n,
    accounts: [
      { address: ALICE, nonce: 1, balance: 5n },
      { address: BOB, nonce: 0, balance: RICH },
      { address: TOKEN, nonce: 1, balance: 0, code: '0x6080' },
    ],
    slots: [
      { address: TOKEN, slot: 1, value: 10n },
      { address: TOKEN, slot: '0x2', value: 2n ** 256n - 1n },
    ],
  },
  { number: 2, timestamp: 100, slots: [{ address: TOKEN, slot: 1, value: 20n }] },
  {
    number: 3,
    timestamp: 160,
    accounts: [{ address: ALICE, deleted: true }],
    slots: [{ address: TOKEN, slot: 2n, value: 0 }],
  },
]

let directory: string
let node: LiveNode
let pusher: PushClient
let pushed: PushedBlock[]
let client: Client

function pusherOf(options: Partial<PushClientOptions> = {}): PushClient {
  return createPushClient({ url: node.push ?? '', secret: SECRET, ...options })
}

beforeAll(async () => {
  directory = mkdtempSync(path.join(tmpdir(), 'lightproof-push-'))
  const [jwt, balances] = ['jwt.hex', 'balances.txt'].map((name) => path.join(directory, name))
  writeFileSync(jwt ?? '', SECRET)
  writeFileSync(balances ?? '', `${BOB}\n${ALICE}\n`)
  const files = ['--jwt', jwt ?? '', '--balances', balances ?? '']
  node = await startNode(0, ['--push', '127.0.0.1:0', '--genesis-time', '1', ...files])
  pusher = pusherOf()
  pushed = []
  for (const block of BLOCKS) pushed.push(await pushBlock(pusher, block))
  const chain = devnet(node.genesisHash, node.consensus)
  const anchor = { block: pushed.at(-1)?.hash ?? '0x' }
  client = createClient({ chain, anchor, nodes: [node.url] })
})
afterAll(async () => {
  await node.stop()
  rmSync(directory, { recursive: true, force: true })
})

describe('proven', () => {
  test('default: the header names the content by its digest', async () => {
    const block = proven(await getBlock(client, { block: 2 }))
    expect(block).toMatchObject({ number: 2n, timestamp: 100n, hash: pushed[1]?.hash })
    expect(block.origin).toMatch(/^0x[0-9a-f]{64}$/)
    expect(block.stateRoot).toBe(pushed[1]?.commitments['mpt'])
    expect(proven(await getBlock(client, { block: 0 })).origin).toBeUndefined()
  })

  test('default: accounts, code and slots by mpt', async () => {
    expect(proven(await getBalance(client, { address: BOB }))).toBe(RICH)
    expect(proven(await getNonce(client, { address: ALICE, at: 2 }))).toBe(1n)
    expect(await getAccount(client, { address: ALICE })).toMatchObject({ status: 'absent' })
    expect(proven(await getCode(client, { address: TOKEN }))).toBe('0x6080')
    expect(proven(await getStorage(client, { address: TOKEN, slot: 1 }))).toBe(20n)
    const cleared = await getStorage(client, { address: TOKEN, slot: 2 })
    expect(cleared).toMatchObject({ status: 'absent', value: 0n })
  })

  test('default: slots by lmpt, lvmt and verkle', async () => {
    const word = (value: bigint): string => `0x${value.toString(16).padStart(64, '0')}`
    for (const system of [lmpt, lvmt, verkle] as const) {
      const one = await getValue(client, { system, key: { address: TOKEN, slot: 1 } })
      expect(one, system.name).toMatchObject({ status: 'present', value: word(20n) })
      const before = await getValue(client, { system, key: { address: TOKEN, slot: 2 }, at: 2 })
      expect(before, system.name).toMatchObject({ status: 'present', value: word(2n ** 256n - 1n) })
      const gone = await getValue(client, { system, key: { address: TOKEN, slot: 2 } })
      expect(gone, system.name).toMatchObject(ENDS[system.name] ?? {})
    }
  })

  test('default: the complete history of a slot by cole', async () => {
    const history = await getHistory(client, { address: TOKEN, slot: 1, fromBlock: 0 })
    const { versions, complete } = proven(history)
    expect(complete).toBe(true)
    expect(versions.map(({ block, value }) => [block, BigInt(value ?? 0)])).toEqual([
      [1n, 10n],
      [2n, 20n],
    ])
  })

  test('default: balances of the listed accounts by one aggregate', async () => {
    const at = async (block: number): Promise<bigint[]> => {
      const result = await getValues(client, { system: balanceproofs, keys: [0, 1, 2], at: block })
      return proven(result).map(({ value }) => value)
    }
    expect(await at(1)).toEqual([RICH, 5n, 0n])
    expect(await at(3)).toEqual([RICH, 0n, 0n])
  })
})

describe('pushBlock', () => {
  test('default: the same content gets the same answer, in another order too', async () => {
    const [first] = BLOCKS
    if (first === undefined) throw new Error('no block')
    const turned = { ...first, accounts: [...(first.accounts ?? [])].reverse() }
    expect(await pushBlock(pusher, first)).toEqual(pushed[0])
    expect(await pushBlock(pusher, turned)).toEqual(pushed[0])
  })

  test('error: other content, a gap, an older time, what no system can hold', async () => {
    const code = async (block: PushBlock): Promise<unknown> =>
      pushBlock(pusher, block).catch((error: unknown) => error)
    expect(await code({ number: 2, timestamp: 101 })).toMatchObject({
      code: 'push.taken',
      hash: pushed[1]?.hash,
    })
    expect(await code({ number: 5, timestamp: 200 })).toMatchObject({
      code: 'push.gap',
      expected: 4n,
    })
    expect(await code({ number: 4, timestamp: 159 })).toMatchObject({ code: 'push.refused' })
    const tooRich = { address: BOB, nonce: 0, balance: 2n ** 255n }
    const refused = await code({ number: 4, timestamp: 160, accounts: [tooRich] })
    expect(refused).toMatchObject({ code: 'push.refused', message: expect.stringContaining(BOB) })
    const emptied = { address: TOKEN, deleted: true } as const
    const withSlots = await code({ number: 4, timestamp: 160, accounts: [emptied] })
    expect(withSlots).toMatchObject({ message: expect.stringContaining('still has slots') })
  })

  test('error: another secret is told as such, and is not tried again', async () => {
    const other = pusherOf({ secret: new Uint8Array(32) })
    const error = pushBlock(other, { number: 4, timestamp: 200 })
    await expect(error).rejects.toMatchObject({ name: 'PushError', code: 'push.token' })
  })

  test('behavior: a lost reply is asked for again, and the block is taken once', async () => {
    let lost = 0
    const losing: typeof fetch = async (url, init) => {
      const response = await fetch(url, init)
      if (lost++ > 1) return response
      await response.text()
      throw new TypeError('the connection was reset')
    }
    const block = { number: 4, timestamp: 200, slots: [{ address: TOKEN, slot: 9, value: 9 }] }
    const answer = await pushBlock(pusherOf({ fetch: losing }), block)
    expect(lost).toBe(3)
    expect(answer).toEqual(await pushBlock(pusher, block))
  })

  test('error: a node that never answers, and one that answers with anything else', async () => {
    const server = createServer((request, response) => {
      if (request.url === '/silent') return
      if (request.url === '/endless') {
        const more = (): boolean => response.write('x'.repeat(65_536))
        response.on('drain', more)
        more()
        return
      }
      response.end(request.url === '/busy' ? '' : '{"result":{"number":"0x9"}}')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    const ask = (place: string, timeoutMs = 30_000): Promise<unknown> => {
      const url = `http://127.0.0.1:${port}/${place}`
      const other = createPushClient({ url, secret: SECRET, retries: 1, timeoutMs })
      return pushBlock(other, { number: 1, timestamp: 1 }).catch((error: unknown) => error)
    }
    expect(await ask('silent', 200)).toMatchObject({ code: 'push.unreachable' })
    expect(await ask('busy')).toMatchObject({ code: 'push.response' })
    expect(await ask('other')).toMatchObject({ code: 'push.response' })
    expect(await ask('endless', 1_000)).toBeInstanceOf(PushError)
    const aborted = AbortSignal.abort(new Error('enough'))
    const gone = pushBlock(pusher, { number: 1, timestamp: 1 }, { signal: aborted })
    await expect(gone).rejects.toThrow('enough')
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })

  test('error: what is malformed is named before anything is sent', async () => {
    const bad: readonly [object, string][] = [
      [{ number: -1 }, 'number'],
      [{ number: 1.5 }, 'number'],
      [{ timestamp: 2n ** 64n }, 'timestamp'],
      [{ accounts: [{ address: '0x1', nonce: 0, balance: 0 }] }, 'address'],
      [{ accounts: [{ address: BOB, nonce: 0 }] }, 'balance'],
      [{ accounts: [{ address: BOB, nonce: 0, balance: 2n ** 256n }] }, 'balance'],
      [{ accounts: [{ address: BOB, nonce: 0, balance: 0, code: '6080' }] }, 'code'],
      [{ accounts: [{ address: BOB, deleted: true, nonce: 0 }] }, 'accounts'],
      [{ slots: [{ address: BOB, slot: '0xzz', value: 0 }] }, 'slot'],
      [{ slots: [{ address: BOB, slot: 0, value: -1n }] }, 'value'],
      [{ slot: [] }, 'slot'],
    ]
    for (const [part, argument] of bad) {
      // A caller without types.
      const block = { number: 4, timestamp: 200, ...part } as PushBlock
      await expect(pushBlock(pusher, block)).rejects.toMatchObject({ argument })
    }
    const url = node.push ?? ''
    expect(() => createPushClient({ url, secret: '07' })).toThrow(InputError)
    expect(() => createPushClient({ url: 'localhost', secret: SECRET })).toThrow('http or https')
    expect(JSON.stringify(pusher)).not.toContain(SECRET)
  })
})
