import { expectTypeOf, test } from 'vitest'
import {
  type Account,
  type Block,
  type BlockAnchor,
  type CheckpointAnchor,
  type Client,
  type ClientOptions,
  createClient,
  type Evidence,
  type getAccount,
  getBalance,
  type getBlock,
  type getCode,
  type getStorage,
  type Hex,
  type NodeAnchor,
  type ProofError,
  proven,
  type Result,
  type UnavailableError,
} from '../entry/index.js'

declare const client: Client

test('results are unions that status tells apart', () => {
  const result = {} as Result<bigint, 0n>
  if (result.status === 'present') expectTypeOf(result.value).toEqualTypeOf<bigint>()
  if (result.status === 'absent') expectTypeOf(result.value).toEqualTypeOf<0n>()
  if (result.status === 'invalid') {
    expectTypeOf(result.error).toEqualTypeOf<ProofError>()
    expectTypeOf(result.evidence).toEqualTypeOf<readonly Evidence[]>()
    expectTypeOf(result).not.toHaveProperty('value')
  }
  if (result.status === 'unavailable') {
    expectTypeOf(result.error).toEqualTypeOf<UnavailableError>()
  }
  if ('value' in result) expectTypeOf(result.trust.block.number).toEqualTypeOf<bigint | null>()
})

test('proven gives the value or the default', () => {
  expectTypeOf(proven({} as Awaited<ReturnType<typeof getBalance>>)).toEqualTypeOf<bigint>()
  expectTypeOf(proven({} as Awaited<ReturnType<typeof getStorage>>)).toEqualTypeOf<bigint>()
  expectTypeOf(proven({} as Awaited<ReturnType<typeof getCode>>)).toEqualTypeOf<Hex>()
  expectTypeOf(proven({} as Awaited<ReturnType<typeof getBlock>>)).toEqualTypeOf<Block>()
  const account = proven({} as Awaited<ReturnType<typeof getAccount>>)
  expectTypeOf(account).toEqualTypeOf<Account | null>()
})

test('a Block is a place to look at; a tag is not an option, nor is an unknown key', () => {
  expectTypeOf(getBalance).parameter(1).toHaveProperty('at')
  void (() => getBalance(client, { address: '0x', at: {} as Block }))
  // @ts-expect-error: `block` is no parameter here.
  void (() => getBalance(client, { address: '0x', block: 1 }))
  // @ts-expect-error: an address is needed.
  void (() => getBalance(client, {}))
})

test('an anchor is needed', () => {
  expectTypeOf<ClientOptions['anchor']>().toEqualTypeOf<
    BlockAnchor | CheckpointAnchor | NodeAnchor
  >()
  // @ts-expect-error: without an anchor nothing can be trusted.
  void (() => createClient({ chain: client.chain, nodes: [] }))
})
