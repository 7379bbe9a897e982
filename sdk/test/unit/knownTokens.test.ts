/** Known tokens: a wrong address is a loss of money. */

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { getAddress } from 'ethers'
import { describe, expect, test } from 'vitest'
import { createClient, mainnet } from '../../src/entry/node.js'
import { getErc20Balance, tokens } from '../../src/entry/tokens.js'
import { ALICE, chain, methods, TOKEN } from '../support/callWorld.js'
import { clientOf } from '../support/client.js'
import { scriptedFetch } from '../support/rpc.js'

const list = Object.entries(tokens)

describe('the list', () => {
  test('default: every address carries its checksum (EIP-55)', () => {
    expect(list).toHaveLength(100)
    // ethers takes all-lower and all-upper ones too, and gives the right case back.
    for (const [, { address }] of list) expect(getAddress(address)).toBe(address)
  })

  test('default: no address and no symbol stands there twice, in whatever case', () => {
    const lower = (of: (token: (typeof list)[number]) => string) =>
      new Set(list.map((token) => of(token).toLowerCase())).size
    expect(lower(([symbol]) => symbol)).toBe(list.length)
    expect(lower(([, { address }]) => address)).toBe(list.length)
    for (const [symbol, token] of list) expect(token.symbol).toBe(symbol)
  })

  test('default: it is what was compared with public lists; who changes it compares anew', () => {
    const lines = list.map(([symbol, { address, decimals }]) => `${symbol} ${address} ${decimals}`)
    const digest = createHash('sha256').update(lines.sort().join('\n')).digest('hex')
    expect(digest).toMatchInlineSnapshot(
      `"058b877865c0e7d3705d17ff2a1022bf0883a652065d9172679443998b6aa355"`,
    )
  })

  test('default: nobody changes it at run time', () => {
    expect(Object.isFrozen(tokens)).toBe(true)
    for (const [, token] of list) expect(Object.isFrozen(token)).toBe(true)
  })

  test('default: well-known ones', () => {
    expect([tokens.USDC, tokens.USDT, tokens.WBTC, tokens.GUSD]).toEqual([
      { symbol: 'USDC', address: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', decimals: 6 },
      { symbol: 'USDT', address: '0xdAC17F958D2ee523a2206206994597C13D831ec7', decimals: 6 },
      { symbol: 'WBTC', address: '0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599', decimals: 8 },
      { symbol: 'GUSD', address: '0x056Fd409E1d7A124BD7017459dFEa2F387b6d5Cd', decimals: 2 },
    ])
  })
})

describe('balances', () => {
  test('default: a symbol stands for its address, on mainnet', async () => {
    const asked: string[] = []
    const node = {
      ...methods,
      eth_chainId: () => '0x1',
      eth_getProof: (...params: never[]) => {
        asked.push(String(params[0]))
        return methods['eth_getProof']?.(...params)
      },
    }
    const { fetch } = scriptedFetch({ 'http://n1': node })
    const own = { ...mainnet, forks: chain.chain.forks ?? [] }
    const anchor = { block: chain.head.hash }
    const client = createClient({ chain: own, anchor, nodes: ['http://n1'], fetch, retries: 0 })
    const result = await getErc20Balance(client, { token: 'USDC', address: ALICE })
    // No such contract is in the test's state: a proven absence, never a balance of 0.
    expect(result).toMatchObject({ status: 'reverted' })
    expect(new Set(asked)).toEqual(new Set([tokens.USDC.address.toLowerCase()]))
  })

  test('default: an address does on every chain', async () => {
    const { client } = clientOf(chain, [methods])
    const result = await getErc20Balance(client, { token: TOKEN, address: ALICE })
    expect(result).toMatchObject({ status: 'success', value: 77n })
  })

  test.each([
    ['USDC', /mainnet alone, and this client is of .*: give the token's address/],
    ['usdc', /such as USDC; got "usdc"/],
    ['toString', /symbol of a known token/],
    ['__proto__', /symbol of a known token/],
    [undefined, /symbol of a known token/],
  ])('error: %s', async (token, problem) => {
    const { client } = clientOf(chain, [methods])
    const asked = getErc20Balance(client, { token: token as never, address: ALICE })
    await expect(asked).rejects.toThrow(problem)
  })

  test('error: a malformed argument is called by its name', async () => {
    const { client } = clientOf(chain, [methods])
    const ask = (parameters: object) => getErc20Balance(client, parameters as never)
    await expect(ask({ token: TOKEN, address: '0x1' })).rejects.toMatchObject({
      argument: 'address',
    })
    await expect(ask({ token: '0x1', address: ALICE })).rejects.toMatchObject({ argument: 'token' })
    await expect(ask({ token: TOKEN, owner: ALICE })).rejects.toMatchObject({ argument: 'owner' })
  })
})

test('the example of the README runs, with a token of the test in the place of USDC', async () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  const [, code = ''] = /## Known tokens\n[\s\S]*?```js\n([\s\S]*?)```/.exec(readme) ?? []
  const said: unknown[] = []
  const { client } = clientOf(chain, [methods])
  const reader = {
    client,
    address: ALICE,
    tokens,
    getErc20Balance: (
      of: typeof client,
      { token, address }: { token: string; address: string },
    ) => {
      expect(token).toBe('USDC')
      return getErc20Balance(of, { token: TOKEN, address })
    },
    console: { log: (...words: unknown[]) => said.push(...words) },
  }
  const AsyncFunction = (async () => undefined).constructor as new (
    ...parts: string[]
  ) => (...values: unknown[]) => Promise<void>
  const body = code.replace(/^import .*\n/gm, '')
  await new AsyncFunction(...Object.keys(reader), body)(...Object.values(reader))
  expect(said).toEqual([77 / 10 ** 6])
})
