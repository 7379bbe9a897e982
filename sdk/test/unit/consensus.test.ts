import { describe, expect, test } from 'vitest'
import { hoodi } from '../../src/client/chains.js'
import { encodeChain } from '../../src/encoding/chain.js'
import { defineChain, devnet, InputError, mainnet, sepolia } from '../../src/entry/node.js'
import { loadLight } from '../../src/wasm/module.js'

const HASH = mainnet.genesisHash
const { LightClient } = await loadLight()
const { consensus } = mainnet
const committee = { committeeSize: 32, periodLength: 64 }

describe('consensus', () => {
  test.each([mainnet, sepolia, hoodi, devnet(HASH, committee)])(
    'default: the core takes that of $name',
    (chain) => {
      const client = new LightClient(encodeChain(chain))
      expect(client.state()).toBe('null')
      client.free()
    },
  )

  test('default: a chain keeps what it was given', () => {
    expect(defineChain(mainnet)).toEqual(mainnet)
    expect(devnet(HASH, committee).consensus).toEqual(committee)
    expect(devnet(HASH)).not.toHaveProperty('consensus')
  })

  test('error: without it there is no light client', () => {
    expect(() => new LightClient(encodeChain(devnet(HASH)))).toThrow(
      expect.stringContaining('input.chain'),
    )
  })

  const [altair] = consensus !== undefined && 'forks' in consensus ? consensus.forks : []
  const at = 'chain.consensus'
  test.each([
    ['another size', { committeeSize: 33 }, `${at}.committeeSize`],
    ['no size', { committeeSize: undefined }, `${at}.committeeSize`],
    ['a short root', { genesisValidatorsRoot: '0x12' }, `${at}.genesisValidatorsRoot`],
    ['no forks', { forks: [] }, `${at}.forks`],
    ['an unknown shape', { forks: [{ ...altair, shape: 'phase0' }] }, `${at}.forks[0].shape`],
    [
      'a long version',
      { forks: [{ ...altair, version: '0x0100000000' }] },
      `${at}.forks[0].version`,
    ],
    ['a fork that is none', { forks: [null] }, `${at}.forks[0].shape`],
    ['a negative epoch', { forks: [{ ...altair, epoch: -1 }] }, `${at}.forks[0].epoch`],
    ['forks out of order', { forks: [altair, { ...altair, epoch: 1 }] }, `${at}.forks[1]`],
    ['a slot of no time', { secondsPerSlot: 0 }, `${at}.secondsPerSlot`],
  ])('error: %s', (_, change, argument) => {
    const define = () =>
      defineChain({ ...mainnet, consensus: { ...consensus, ...change } as never })
    expect(define).toThrow(InputError)
    expect(define).toThrow(expect.objectContaining({ code: 'input.chain', argument }))
  })

  test('error: a devnet without a period', () => {
    const define = () => devnet(HASH, { committeeSize: 32 } as never)
    expect(define).toThrow(expect.objectContaining({ argument: `${at}.periodLength` }))
  })
})
