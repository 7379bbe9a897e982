/** Whatever a node sends: a typed outcome, and never a fact that is not the chain's. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  createClient,
  fetchProof,
  getAccount,
  getBalance,
  getCode,
  getStorage,
  verifyProofFile,
} from '../../src/entry/node.js'
import { CODE, honest, makeChain, NOBODY, OWNER, proofJson, SLOT } from '../support/chain.js'
import { type Methods, scriptedFetch } from '../support/rpc.js'

const chain = makeChain(6)
const anchor = { block: chain.head.hash }

function clientOf(overrides: Methods) {
  const { fetch } = scriptedFetch({ 'http://n1': honest(chain, overrides) })
  return createClient({ chain: chain.chain, anchor, nodes: ['http://n1'], fetch, retries: 0 })
}

const METHODS = ['lp_status', 'lp_getHeader', 'lp_getHeaders', 'eth_getProof', 'eth_getCode']
const { slotValue, balance } = chain.at(2)

/** Asks everything at block 2, and holds each answer against what the chain has there. */
async function expectOnlyTruth(overrides: Methods): Promise<string[]> {
  const client = clientOf(overrides)
  const owner = { address: OWNER, at: 2 }
  const results = await Promise.all([
    getBalance(client, owner),
    getStorage(client, { ...owner, slot: SLOT }),
    getCode(client, owner),
    getBalance(client, { address: NOBODY, at: 2 }),
    getAccount(client, owner),
  ])
  const truth = [balance, slotValue, CODE, 0n, expect.objectContaining({ nonce: 1n, balance })]
  return results.map((result, i) => {
    if ('value' in result) {
      expect(result.value).toEqual(truth[i])
      expect(result.status).toBe(i === 3 ? 'absent' : 'present')
    }
    return result.status
  })
}

test('default: the truth is proven', async () => {
  const present = ['present', 'present', 'present', 'absent', 'present']
  expect(await expectOnlyTruth({})).toEqual(present)
})

test('behavior: random JSON for any method', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...METHODS), fc.jsonValue(), async (method, value) => {
      await expectOnlyTruth({ [method]: () => value })
    }),
    { numRuns: 200 },
  )
})

/** Every path to a leaf of a JSON value. */
function paths(value: unknown, at: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return [at]
  return Object.entries(value).flatMap(([key, item]) => paths(item, [...at, key]))
}

function replaceAt(value: unknown, path: readonly (string | number)[], by: unknown): unknown {
  const [key, ...rest] = path
  if (key === undefined) return by
  if (Array.isArray(value)) {
    return value.map((item, i) => (String(i) === String(key) ? replaceAt(item, rest, by) : item))
  }
  const record = value as Record<string, unknown>
  return { ...record, [key]: replaceAt(record[key], rest, by) }
}

const honestProof = proofJson(chain.at(2), OWNER, [SLOT])

test('behavior: any leaf of a proof replaced', async () => {
  const path = fc.constantFrom(...paths(honestProof))
  const digits = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), maxLength: 70 })
  const leaf = fc.oneof(
    fc.jsonValue(),
    digits.map((text) => `0x${text}`),
  )
  await fc.assert(
    fc.asyncProperty(path, leaf, async (at, by) => {
      await expectOnlyTruth({ eth_getProof: () => replaceAt(honestProof, at, by) })
    }),
    { numRuns: 300 },
  )
})

test('behavior: any hex digit of a proof changed', async () => {
  const text = JSON.stringify(honestProof)
  const digits = [...text.matchAll(/(?<=0x[0-9a-f]*)[0-9a-f]/g)].map(({ index }) => index)
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...digits), fc.constantFrom(...'0f'), async (at, digit) => {
      const changed = JSON.parse(text.slice(0, at) + digit + text.slice(at + 1)) as unknown
      await expectOnlyTruth({ eth_getProof: () => changed })
    }),
    { numRuns: 300 },
  )
})

test('behavior: random bytes and mutations of a proof file', async () => {
  const client = clientOf({})
  const file = await fetchProof(client, { address: OWNER, slots: [SLOT], code: true, at: 2 })
  const truth = await verifyProofFile(file, { anchor })
  if (truth.status !== 'present') throw new Error(truth.status)
  const path = fc.constantFrom(...paths(file))
  const flip = fc.tuple(fc.nat(), fc.constantFrom(...'0123456789abcdef'))
  await fc.assert(
    fc.asyncProperty(path, fc.oneof(fc.jsonValue(), flip), async (at, change) => {
      const old = at.reduce<unknown>((value, key) => (value as never)[key], file)
      const changed = replaceAt(file, at, mutate(old, change))
      const result = await verifyProofFile(changed, { anchor })
      // Fields that say what the maker found, or who served it, are not what is checked.
      const unchecked = at[0] === 'expected' || at[0] === 'meta' || at[0] === 'kind'
      if (unchecked || changed === file) return
      if ('value' in result) {
        expect(result.value).toEqual(truth.value)
      } else {
        expect(result).toMatchObject({ status: 'invalid' })
      }
    }),
    { numRuns: 500 },
  )
})

function mutate(old: unknown, change: unknown): unknown {
  if (typeof old !== 'string' || !Array.isArray(change) || typeof change[0] !== 'number') {
    return change
  }
  const at = 2 + (change[0] % Math.max(1, old.length - 2))
  return old.slice(0, at) + String(change[1]) + old.slice(at + 1)
}
