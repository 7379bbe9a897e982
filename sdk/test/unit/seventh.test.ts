/**
 * A seventh system, by its own record and nothing else of the SDK: no list, table or switch names
 * it. Its verifier, in the module that it says, takes a proof that repeats the query.
 */

import { readFileSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import type { Chain } from '../../src/client/chains.js'
import { type Hex, integerBytes, toHex } from '../../src/encoding/hex.js'
import { encodeRlp, name } from '../../src/encoding/rlp.js'
import {
  defineChain,
  devnet,
  fetchProof,
  getValue,
  getValues,
  type KeySystem,
  proven,
  verifyProofFile,
} from '../../src/entry/node.js'
import { type KeySystemTypes, keySystem, parseKeyLike } from '../../src/systems/keys.js'
import { systems, valueSystems } from '../../src/systems/registry.js'
import { loadHash } from '../../src/wasm/module.js'
import type { TestChain } from '../support/chain.js'
import { clientOf } from '../support/client.js'
import type { Methods } from '../support/rpc.js'

type Found = { readonly status: 'present'; readonly value: Hex }
type Types = KeySystemTypes<'seventh', string, Hex, Found, 'seventh/1'>

/** Everything that the SDK is told of it. */
const seventh: KeySystem<Types> = keySystem({
  name: 'seventh',
  module: 'bn254',
  verifier: 'SeventhVerifier',
  formats: ['seventh/1'],
  devnet: { format: 'seventh/1' },
  variants: ['echo'],
  parseKey: parseKeyLike,
  outcomeOf: (value: Hex): Found => ({ status: 'present', value }),
})

vi.mock('../../src/generated/bn254.js', async (original) => {
  class SeventhVerifier {
    constructor(_chain: Uint8Array, config: Uint8Array) {
      if (!new TextDecoder().decode(config).includes('seventh/1')) throw new Error('config')
    }
    /** The claim ends with the proof: `0x82`, and the list of one key, `0xc1` and its byte. */
    verify(claims: Uint8Array): string {
      const [head, list, key = 0] = claims.subarray(-3)
      const refused = { code: 'verify.opening', message: 'not the query', span: null }
      const fact = { values: [`0x${key.toString(16)}`] }
      return JSON.stringify([
        head === 0x82 && list === 0xc1
          ? { status: 'proven', block: { number: '0x0', hash: null }, fact }
          : { status: 'rejected', ...refused },
      ])
    }
    free(): void {}
  }
  return { ...((await original()) as object), SeventhVerifier }
})

const { keccak256 } = await loadHash()
const ZERO = new Uint8Array(32)

/** A block of a devnet that commits to this system alone. */
const rlp = encodeRlp([
  Uint8Array.of(1),
  Uint8Array.of(0x4c, 0x50),
  ZERO,
  new Uint8Array(0),
  integerBytes(1_700_000_000n),
  [[name(seventh.name), Uint8Array.of(0x77)]],
  ZERO,
])
const hash = toHex(keccak256(rlp))
const chain = devnet(hash)

/** A node that proves what it is asked, unless it is told to lie. */
function node(prove: (query: Hex) => Hex = (query) => query): Methods {
  return {
    lp_status: () => ({ chainId: '0x4c50', genesisHash: hash, limits: { headers: 4 } }),
    lp_getHeader: () => toHex(rlp),
    lp_getProof: (_system: string, query: Hex) => ({ variant: 'echo', proof: prove(query) }),
  }
}

const client = (...nodes: Methods[]) => clientOf({ chain, head: { hash } } as TestChain, nodes)

test('default: values, files and their verification', async () => {
  const { client: one } = client(
    node(() => '0x00'),
    node(),
  )
  const value = await getValue(one, { system: seventh, key: '0x5a' })
  expect(proven(value)).toBe('0x5a')
  expect(value).toMatchObject({
    trust: { system: 'seventh', variant: 'echo', tried: [{ code: 'verify.opening' }] },
  })
  const values = await getValues(one, { system: seventh, keys: ['0x5b'] })
  expect(proven(values)).toEqual([{ status: 'present', value: '0x5b' }])
  const file = await fetchProof(one, { system: seventh, key: '0x5c' })
  expect(file).toMatchObject({ system: 'seventh', config: { format: 'seventh/1' } })
  const options = { anchor: { block: hash }, systems: [seventh] }
  const read = await verifyProofFile(file, { ...options, chain })
  expect(read).toMatchObject({ status: 'proven', value: [{ value: '0x5c' }], system: 'seventh' })
  const forged = await verifyProofFile({ ...file, proof: '0x00' }, options)
  expect(forged).toMatchObject({ status: 'invalid', error: { code: 'verify.opening' } })
})

test('error: a configuration of a format that it does not have', async () => {
  const make = (format: string) => ({ ...chain, systems: { seventh: { format } } }) as Chain
  const ask = (given: Chain) => {
    const { client: one } = clientOf({ chain: given, head: { hash } } as TestChain, [node()])
    return getValue(one, { system: seventh, key: '0x5a' })
  }
  const refused = { name: 'InputError', code: 'input.chain', argument: FORMAT }
  await expect(ask(make('seventh/2'))).rejects.toMatchObject(refused)
  expect(() => defineChain(make('eighth/1'))).toThrow(expect.objectContaining(refused))
  const { client: one } = client(node())
  const file = await fetchProof(one, { system: seventh, key: '0x5c' })
  const other = { ...file, config: { format: 'seventh/2' } }
  const read = await verifyProofFile(other, { anchor: { block: hash }, systems: [seventh] })
  expect(read).toMatchObject({ status: 'invalid', error: { code: 'decode.response' } })
  expect(read).toHaveProperty('error.message', expect.stringContaining('config.format'))
})

const FORMAT = 'chain.systems.seventh.format'

test('error: a chain that says nothing of it, where no preset does', async () => {
  const { preset: _, ...bare } = chain
  const { client: one } = clientOf({ chain: bare, head: { hash } } as TestChain, [node()])
  const asked = getValue(one, { system: seventh, key: '0x5a' })
  await expect(asked).rejects.toMatchObject({ code: 'input.chain', argument: 'client' })
})

const ACCOUNTS_AND_BLOCKS = new Set(['mpt', 'body'])

test('default: the one list has a line for each system, and their names ascend', () => {
  const names = systems.map(({ name }) => name)
  expect(names).toEqual([...names].sort())
  expect(valueSystems.map(({ name }) => name)).toEqual(
    names.filter((name) => !ACCOUNTS_AND_BLOCKS.has(name)),
  )
  const list = readFileSync(new URL('../../src/systems/all.ts', import.meta.url), 'utf8')
  const lines = list.split('\n').filter((line) => line.startsWith('export'))
  expect(lines).toEqual(names.map((name) => `export { ${name} } from './${name}.js'`))
})
