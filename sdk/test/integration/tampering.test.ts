/**
 * A proxy that changes what geth says: the SDK calls it invalid, and never returns a false value.
 */

import {
  type Client,
  createClient,
  fetchProof,
  getAccount,
  getBalance,
  getBlock,
  getCode,
  getStorage,
  ProofError,
} from 'lightproof'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { devClient, outcome } from './support/client.js'
import { faucet } from './support/genesis.js'
import { type Geth, startDevGeth } from './support/geth.js'
import { type DevHistory, MANY, makeHistory, SLOTS, STORE_CODE } from './support/history.js'
import { isRecord, type JsonPath, replaceAt, stringPaths } from './support/json.js'
import { type LyingNode, startProxy, type Tamper } from './support/proxy.js'
import { blockJson, quantity, rpc } from './support/rpc.js'

let geth: Geth
let proxy: LyingNode
let history: DevHistory

beforeAll(async () => {
  geth = await startDevGeth('amsterdam')
  history = await makeHistory(geth.url)
  proxy = await startProxy(geth.url)
})
afterAll(async () => {
  await proxy?.close()
  await geth?.stop()
})

const liar = (): Promise<Client> => devClient(geth.url, history.blocks.sent, proxy.url)

/** The pinned block, for questions out of band. */
const head = (): string => quantity(history.blocks.sent)

/** Changes the results of one method. */
const only =
  (wanted: string, change: (result: unknown) => unknown): Tamper =>
  (method, result) =>
    method === wanted ? change(result) : result

/** Hex with one bit of its last, middle or first digit flipped; a digit stays a digit. */
function flipped(hex: unknown, where: 'first' | 'middle' | 'last'): string {
  const text = String(hex)
  const at = { first: 2, middle: (text.length + 2) >> 1, last: text.length - 1 }[where]
  const digit = Number.parseInt(text.charAt(at), 16)
  if (Number.isNaN(digit)) throw new Error(`nothing to flip in ${text}`)
  return text.slice(0, at) + (digit ^ 1).toString(16) + text.slice(at + 1)
}

/** What the tests flip: every hex string that says something. */
function flips(reply: unknown): { path: JsonPath; where: 'first' | 'middle' | 'last' }[] {
  return stringPaths(reply).flatMap((path) =>
    (['first', 'middle', 'last'] as const).map((where) => ({ path, where })),
  )
}

describe('eth_getProof', () => {
  const slots = [SLOTS.small, SLOTS.large, SLOTS.cleared, SLOTS.never, MANY[0] ?? 0n]

  test('invalid: a flipped digit in any node, claim or key', async () => {
    const address = history.contract
    const words = slots.map((slot) => `0x${slot.toString(16).padStart(64, '0')}`)
    const cases = flips(await rpc(geth.url, 'eth_getProof', [address, words, head()]))
    expect(cases.length).toBeGreaterThan(60)
    for (const { path, where } of cases) {
      proxy.tamper = only('eth_getProof', (reply) =>
        replaceAt(reply, path, (hex) => flipped(hex, where)),
      )
      const caught = await fetchProof(await liar(), { address, slots }).catch(
        (error: unknown) => error,
      )
      expect(caught, `${where} digit of ${path.join('.')}`).toBeInstanceOf(ProofError)
    }
  })

  test('invalid: the last node of the account proof is left out', async () => {
    proxy.tamper = only('eth_getProof', (reply) =>
      replaceAt(reply, ['accountProof'], (nodes) =>
        Array.isArray(nodes) ? nodes.slice(0, -1) : nodes,
      ),
    )
    const result = await getBalance(await liar(), { address: faucet.address })
    expect(outcome(result)).toEqual(['invalid', 'verify.incomplete'])
  })

  test('invalid: the account is denied', async () => {
    proxy.tamper = only('eth_getProof', (reply) => ({
      ...(isRecord(reply) ? reply : {}),
      accountProof: [],
      balance: '0x0',
      nonce: '0x0',
    }))
    const result = await getBalance(await liar(), { address: faucet.address })
    expect(outcome(result)).toEqual(['invalid', 'verify.incomplete'])
  })

  test('invalid: the answer for another account, with the address asked for', async () => {
    const { contract } = history
    const other = await rpc(geth.url, 'eth_getProof', [contract, [], head()])
    proxy.tamper = only('eth_getProof', (reply) => ({
      ...(isRecord(other) ? other : {}),
      address: isRecord(reply) ? reply['address'] : undefined,
    }))
    const result = await getAccount(await liar(), { address: faucet.address })
    expect(result.status).toBe('invalid')
  })

  test('invalid: an honest proof of an older block', async () => {
    const { contract, blocks } = history
    const slot = `0x${SLOTS.cleared.toString(16).padStart(64, '0')}`
    const old = await rpc(geth.url, 'eth_getProof', [contract, [slot], quantity(blocks.written)])
    proxy.tamper = only('eth_getProof', () => old)
    const result = await getStorage(await liar(), { address: contract, slot: SLOTS.cleared })
    expect(outcome(result)).toEqual(['invalid', 'verify.root'])
  })

  test('behavior: the evidence of a lie convicts its node offline', async () => {
    proxy.tamper = only('eth_getProof', (reply) =>
      replaceAt(reply, ['balance'], () => '0xffffffff'),
    )
    const result = await getBalance(await liar(), { address: faucet.address })
    if (result.status !== 'invalid') throw new Error(`the lie passed as ${result.status}`)
    expect(result.error).toMatchObject({ code: 'verify.claim', node: proxy.url })
    expect(result.evidence).toMatchObject([
      { kind: 'evidence', expected: { code: 'verify.claim' } },
    ])
  })

  test('behavior: an honest second node proves what the first one lied about', async () => {
    proxy.tamper = only('eth_getProof', (reply) => replaceAt(reply, ['balance'], () => '0x1'))
    const { chain, anchor } = await devClient(geth.url, history.blocks.sent)
    const both = createClient({
      chain,
      anchor: { block: anchor.hash },
      nodes: [proxy.url, geth.url],
    })
    const expected = BigInt(String(await rpc(geth.url, 'eth_getBalance', [faucet.address, head()])))
    const result = await getBalance(both, { address: faucet.address })
    expect(outcome(result)).toEqual(['present', expected])
    expect(result).toMatchObject({
      trust: { servedBy: geth.url, tried: [{ node: proxy.url, code: 'verify.claim' }] },
    })
  })
})

describe('eth_getCode', () => {
  test.each(['first', 'middle', 'last'] as const)(
    'invalid: the %s digit is flipped',
    async (where) => {
      proxy.tamper = only('eth_getCode', (code) => flipped(code, where))
      const result = await getCode(await liar(), { address: history.contract })
      expect(outcome(result)).toEqual(['invalid', 'verify.code'])
    },
  )

  test('invalid: no code for a contract, and code for an account without', async () => {
    proxy.tamper = only('eth_getCode', (code) => (code === '0x' ? STORE_CODE : '0x'))
    for (const address of [history.contract, faucet.address]) {
      expect(outcome(await getCode(await liar(), { address }))).toEqual(['invalid', 'verify.code'])
    }
  })
})

describe('headers', () => {
  /** Beside the header in a block's JSON; `size` and the lists are not part of what is hashed. */
  const BODY = ['hash', 'size', 'transactions', 'uncles', 'withdrawals']

  test('invalid: any changed field of the pinned header', async () => {
    const block = await blockJson(geth.url, history.blocks.sent)
    const fields = Object.keys(block).filter((key) => !BODY.includes(key) && block[key] !== '0x')
    expect(fields).toEqual(
      expect.arrayContaining(['stateRoot', 'blockAccessListHash', 'slotNumber']),
    )
    for (const field of fields) {
      proxy.tamper = only('eth_getBlockByHash', (json) =>
        replaceAt(json, [field], (hex) => flipped(hex, 'last')),
      )
      const result = await getBlock(await liar())
      expect(result.status, field).toBe('invalid')
    }
  })

  test('invalid: a newest field is left out', async () => {
    proxy.tamper = only('eth_getBlockByHash', (json) => {
      const { slotNumber: _, ...rest } = isRecord(json) ? json : {}
      return rest
    })
    expect(outcome(await getBlock(await liar()))).toEqual(['invalid', 'verify.header'])
  })

  test('invalid: another block instead of the pinned one', async () => {
    const other = await blockJson(geth.url, history.blocks.written)
    proxy.tamper = only('eth_getBlockByHash', () => other)
    expect(outcome(await getBlock(await liar()))).toEqual(['invalid', 'verify.header'])
  })

  test('invalid: a forged ancestor, by number and by hash', async () => {
    const forge = (json: unknown): unknown =>
      isRecord(json) && json['number'] === '0x1'
        ? replaceAt(json, ['stateRoot'], (hex) => flipped(hex, 'first'))
        : json
    proxy.tamper = (method, result) =>
      method.startsWith('eth_getBlockBy') ? forge(result) : result
    const result = await getBalance(await liar(), { address: faucet.address, at: 0 })
    expect(outcome(result)).toEqual(['invalid', 'verify.header'])
  })
})
