import { expectTypeOf, test } from 'vitest'
import { type ColeOutcome, cole, type History } from '../entry/cole.js'
import {
  type Client,
  type fetchProof,
  getValue,
  getValues,
  type Hex,
  type Invalid,
  type KeyLike,
  type KeySystem,
  type mpt,
  type ProvenAccount,
  proven,
  type Trust,
  type Unavailable,
  verifyProofFile,
} from '../entry/index.js'
import type { KeySystemTypes } from './keys.js'

declare const client: Client

type Found =
  | { readonly status: 'present'; readonly value: Hex; readonly layer: 'delta' | 'snapshot' }
  | { readonly status: 'absent' | 'deleted'; readonly value: undefined }
declare const keyed: KeySystem<KeySystemTypes<'mpt', KeyLike, object, Found>>

test('a value is what its system says, and deleted is a status where the system has it', () => {
  const ask = () => getValue(client, { system: keyed, key: '0x00' })
  type Answer = Awaited<ReturnType<typeof ask>>
  expectTypeOf<Answer['status']>().toEqualTypeOf<
    'present' | 'absent' | 'deleted' | 'invalid' | 'unavailable'
  >()
  const answer = {} as Answer
  if (answer.status === 'present') {
    expectTypeOf(answer.layer).toEqualTypeOf<'delta' | 'snapshot'>()
    expectTypeOf(answer.trust).toEqualTypeOf<Trust>()
  }
  expectTypeOf(proven(answer)).toEqualTypeOf<Hex | undefined>()

  const read = () => getValue(client, { system: cole, address: '0x' })
  type Versioned = Awaited<ReturnType<typeof read>>
  expectTypeOf<Versioned>().toEqualTypeOf<
    (ColeOutcome & { readonly trust: Trust }) | Invalid | Unavailable
  >()
  expectTypeOf<Extract<Versioned, { status: 'deleted' }>>().toBeNever()
})

test('the parameters are those of the system', () => {
  void (() => getValue(client, { system: cole, address: '0x', slot: 1, asOf: 5n, at: 'head' }))
  // @ts-expect-error: cole is asked about an address.
  void (() => getValue(client, { system: cole, key: '0x00' }))
  // @ts-expect-error: a key is needed.
  void (() => getValue(client, { system: keyed }))
  // @ts-expect-error: mpt proves accounts: getBalance and the others.
  void (() => getValue(client, { system: {} as typeof mpt, address: '0x' }))
  // @ts-expect-error: cole proves one value at a time.
  void (() => getValues(client, { system: cole, keys: ['0x00'] }))
  const many = () => getValues(client, { system: keyed, keys: ['0x00', { address: '0x' }] })
  const values = proven({} as Awaited<ReturnType<typeof many>>)
  expectTypeOf(values).toEqualTypeOf<readonly Found[]>()
  expectTypeOf<typeof fetchProof>().toBeFunction()
})

test('a file says what its system finds', () => {
  const anchor = { block: '0x' }
  const account = () => verifyProofFile({}, { anchor })
  const read = {} as Awaited<ReturnType<typeof account>>
  if (read.status !== 'invalid') {
    expectTypeOf(read.value).toEqualTypeOf<ProvenAccount>()
    expectTypeOf(read.system).toEqualTypeOf<'mpt'>()
  }
  const versions = () => verifyProofFile({}, { anchor, systems: [cole] })
  const found = {} as Awaited<ReturnType<typeof versions>>
  if (found.status !== 'invalid') {
    expectTypeOf(found.value).toEqualTypeOf<Hex | History | undefined>()
  }
})
