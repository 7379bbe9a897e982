/** What a page downloads for what it asks. */

import { expect, test } from 'vitest'
import { getBalance, proven } from '../../src/entry/node.js'
import { loadModule, type ModuleName, usePlatform } from '../../src/wasm/module.js'
import { honest, makeChain, OWNER } from '../support/chain.js'
import { clientOf } from '../support/client.js'

const verifiers = async (module: ModuleName): Promise<string[]> =>
  Object.keys(await loadModule(module)).filter((name) => name.endsWith('Verifier'))

test('behavior: a balance loads module mpt alone: accounts and blocks of Ethereum, without lmpt and cole', async () => {
  const loaded: string[] = []
  const refuse = (name: ModuleName) => async (): Promise<never> => {
    loaded.push(name)
    throw new Error(`module ${name} was loaded`)
  }
  const others = ['hash', 'bn254', 'bls12_381', 'light', 'evm'] as const
  usePlatform(Object.fromEntries(others.map((name) => [name, refuse(name)])))
  const chain = makeChain(3)
  const { client } = clientOf(chain, [honest(chain)])
  expect(proven(await getBalance(client, { address: OWNER }))).toBe(chain.head.balance)
  expect(loaded).toEqual([])
  expect(await verifiers('mpt')).toEqual(['BodyVerifier', 'MptVerifier'])
})
