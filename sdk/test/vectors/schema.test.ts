/**
 * The one schema: every vector file fits it, and so does whatever a client writes; what lacks a
 * field does not.
 */

import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { fetchProof, getBalance } from '../../src/entry/node.js'
import { honest, makeChain, OWNER, SLOT } from '../support/chain.js'
import { clientOf } from '../support/client.js'
import { fits } from '../support/schema.js'

const FOLDER = new URL('../../../test-vectors/', import.meta.url)
const chain = makeChain(6)

const OTHERS = ['schema.json', 'codes.json']
const VECTORS = readdirSync(FOLDER).filter((name) => /json$/.test(name) && !OTHERS.includes(name))

test('default: there are vectors of all systems, of lists of blocks, of signed headers and of calls, and a recording', () => {
  expect(VECTORS).toHaveLength(10)
})

test.each(VECTORS)('default: %s', (name) => {
  const file = JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8')) as object
  expect(fits(file)).toBe(true)
  expect(fits({ ...file, schema: 2 })).toBe(false)
})

test('default: a proof, one that expires, and the evidence of a lie', async () => {
  const { client } = clientOf(chain, [honest(chain)])
  const question = { address: OWNER, slots: [SLOT], code: true, at: 2 }
  const expires = new Date('2026-01-31T12:00:00Z')
  const proof = await fetchProof(client, question)
  const lied = honest(chain, { lp_getHeader: () => '0xc0' })
  const result = await getBalance(clientOf(chain, [lied]).client, { address: OWNER })
  const evidence = 'evidence' in result ? result.evidence : []
  expect(evidence).toHaveLength(1)
  for (const file of [proof, await fetchProof(client, { ...question, expires }), ...evidence]) {
    expect(fits(file)).toBe(true)
    for (const field of Object.keys(file)) {
      const { [field as keyof typeof file]: _, ...rest } = file
      expect([field, fits(rest)]).toEqual([field, field === 'meta' || field === 'expires'])
    }
    expect(fits({ ...file, surplus: 1 })).toBe(false)
  }
})
