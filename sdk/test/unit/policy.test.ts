/** How much is asked of each method: presets, `*`, and names that do not exist. */

import { describe, expect, test } from 'vitest'
import {
  createProvider,
  type Provider,
  type ProviderOptions,
  type VerifyOption,
} from '../../src/entry/eip1193.js'
import { evm } from '../../src/entry/evm.js'
import { honest, makeChain, OWNER } from '../support/chain.js'
import { clientOf } from '../support/client.js'
import { ScriptedError } from '../support/rpc.js'

const chain = makeChain(4)
/** A node that answers everything, and proves accounts alone. */
const node = honest(chain, {
  eth_call: () => '0x01',
  eth_estimateGas: () => '0x5208',
  eth_createAccessList: () => ({ accessList: [], gasUsed: '0x0' }),
  eth_blobBaseFee: () => '0x7',
  eth_getBalance: () => '0xbad',
  eth_getLogs: () => [{ address: OWNER }],
  debug_traceCall: () => 'a trace',
  eth_somethingNew: () => 'new',
})

const ask = async (
  verify: VerifyOption | undefined,
  method: string,
  options: ProviderOptions = {},
): Promise<unknown> => {
  const { client } = clientOf(chain, [node])
  const provider = createProvider(client, { ...(verify && { verify }), ...options })
  const params = method === 'eth_getBalance' ? [OWNER, 'latest'] : [{ to: OWNER }, 'latest']
  return provider.request({ method, params }).catch((error: { code: number }) => error.code)
}

const BALANCE = `0x${chain.head.balance.toString(16)}`
const REFUSED = 4200

describe('presets', () => {
  test.each([undefined, 'strict', 'require'] as const)('%s: proven, or refused', async (verify) => {
    expect(await ask(verify, 'eth_getBalance')).toBe(BALANCE)
    for (const method of ['eth_call', 'eth_estimateGas', 'eth_blobBaseFee', 'debug_traceCall']) {
      expect(await ask(verify, method)).toBe(REFUSED)
    }
  })

  test("dapp: a node's word for fees alone, never for a balance or a call", async () => {
    expect(await ask('dapp', 'eth_getBalance')).toBe(BALANCE)
    expect(await ask('dapp', 'eth_estimateGas')).toBe('0x5208')
    expect(await ask('dapp', 'eth_createAccessList')).toEqual({ accessList: [], gasUsed: '0x0' })
    expect(await ask('dapp', 'eth_blobBaseFee')).toBe('0x7')
    for (const method of ['eth_call', 'debug_traceCall', 'eth_somethingNew']) {
      expect(await ask('dapp', method)).toBe(REFUSED)
    }
  })

  test('dapp: with evm(), gas is proven', async () => {
    // The devnet's headers say too little for a call.
    const options = { extensions: [evm()] }
    for (const method of ['eth_call', 'eth_estimateGas', 'eth_createAccessList']) {
      const answer = await ask('dapp', method, options)
      expect(answer).toEqual(expect.any(Number))
    }
  })
})

describe('*', () => {
  test('behavior: all that are not named, provable or not', async () => {
    const verify = { '*': 'off', eth_getLogs: 'require' } as const
    expect(await ask(verify, 'eth_getBalance')).toBe('0xbad')
    expect(await ask(verify, 'eth_call')).toBe('0x01')
    expect(await ask(verify, 'debug_traceCall')).toBe('a trace')
    expect(await ask(verify, 'eth_getLogs')).toEqual(expect.any(Number))
    expect(await ask({ '*': 'require', eth_call: 'off' }, 'eth_call')).toBe('0x01')
  })

  test('behavior: methods about keys go to no node', async () => {
    for (const method of ['personal_sign', 'eth_sendTransaction', 'wallet_addEthereumChain']) {
      expect(await ask({ '*': 'off' }, method)).toBe(REFUSED)
    }
    expect(await ask({ '*': 'off' }, 'eth_accounts')).toEqual([])
  })

  test('behavior: what is sent is sent', () => {
    const { client } = clientOf(chain, [node])
    const { methods } = createProvider(client, { verify: { '*': 'require' } })
    expect(methods.find(({ method }) => method === 'eth_sendRawTransaction')?.verify).toBe('off')
  })

  test('error: prefer needs a listener', () => {
    const { client } = clientOf(chain, [node])
    const make = () => createProvider(client, { verify: { '*': 'prefer' } })
    expect(make).toThrow(expect.objectContaining({ argument: 'onAnswer' }))
  })
})

describe('names', () => {
  const make = (method: string) => () =>
    createProvider(clientOf(chain, [node]).client, { verify: { [method]: 'off' } })

  test.each(['eth_getBalances', 'eth_Call', 'getBalance', 'ethcall', 'net_versions', '', '**'])(
    'error: no method is called %j',
    (method) => {
      const argument = `verify.${method}`
      expect(make(method)).toThrow(expect.objectContaining({ name: 'InputError', argument }))
    },
  )

  test.each([
    'eth_getBalance',
    'eth_call',
    'eth_blobBaseFee',
    'debug_traceTransaction',
    'alchemy_getTokenBalances',
    'personal_sign',
  ])('behavior: %s', (method) => {
    expect(make(method)).not.toThrow()
  })

  test('behavior: an extension makes its names known', () => {
    const extension = { methods: { eth_own: { proves: 'x' } }, handle: async () => null as never }
    const { client } = clientOf(chain, [node])
    const options = { verify: { eth_own: 'off' }, extensions: [extension] } as const
    expect(() => createProvider(client, options)).not.toThrow()
  })

  test('error: what is no policy names the presets', () => {
    const { client } = clientOf(chain, [node])
    expect(() => createProvider(client, { verify: 'lax' as never })).toThrow(/"strict", "dapp"/)
  })
})

test('a refusal says what is lost by the option that it names', async () => {
  const { client } = clientOf(chain, [node])
  const call = { method: 'eth_blobBaseFee' }
  await expect(createProvider(client).request(call)).rejects.toThrow(/may be false.*'off'/)
})

describe('no refusal proposes to take a word for what can be proven', () => {
  const proposal = /'off'|verify:/
  const refusal = async (
    provider: Provider,
    method: string,
    params: unknown[],
  ): Promise<string> => {
    const answer = provider.request({ method, params })
    return answer.then(
      () => '',
      ({ message }: Error) => message,
    )
  }
  /** Refuses everything, in words that mean this and that. */
  const refusing = (code: number, words: string): typeof node =>
    new Proxy(node, {
      get: () => () => {
        throw new ScriptedError(code, words)
      },
    })
  const PROVABLE = [
    ...createProvider(clientOf(chain, [node]).client, { extensions: [evm()] }).methods,
  ].flatMap(({ method, proves }) => (proves === undefined ? [] : [method]))

  test('default: calls, gas, access lists and simulations name evm()', async () => {
    const provider = createProvider(clientOf(chain, [node]).client)
    const calls = Object.keys(evm().methods)
    expect(calls).toHaveLength(4)
    for (const method of calls) {
      const text = await refusal(provider, method, [{ to: OWNER }, 'latest'])
      expect([method, text]).toEqual([method, expect.stringContaining('extensions: [evm()]')])
      expect(text).not.toMatch(proposal)
    }
  })

  test.each([
    ['the node lacks the method', -32601, 'no such method'],
    ['the node is busy', -32005, 'too many requests'],
    ['the node does not know the block', -32000, 'unknown block'],
    ['the node keeps no state', -32000, 'missing trie node'],
    ['the node fails', -32000, 'internal error'],
  ])('unavailable: %s', async (_, code, words) => {
    const { client } = clientOf(chain, [refusing(code, words)])
    expect(PROVABLE.length).toBeGreaterThan(25)
    for (const provider of [
      createProvider(client),
      createProvider(client, { extensions: [evm()] }),
    ]) {
      for (const method of PROVABLE) {
        for (const params of [
          [],
          [OWNER, 'latest'],
          [{ to: OWNER }, 'latest'],
          [`0x${'11'.repeat(32)}`],
        ]) {
          expect([method, await refusal(provider, method, params)]).toEqual([
            method,
            expect.not.stringMatching(proposal),
          ])
        }
      }
    }
  })

  test('default: of what nothing proves, its own name alone is proposed', async () => {
    const provider = createProvider(clientOf(chain, [node]).client)
    for (const method of ['eth_blobBaseFee', 'debug_traceCall', 'alchemy_getTokenBalances']) {
      expect(PROVABLE).not.toContain(method)
      const text = await refusal(provider, method, [])
      expect(text.match(/verify: \{[^}]*\}/g)).toEqual([`verify: { ${method}: 'off' }`])
      expect(text).toContain('which may be false')
    }
  })
})
