import { expect, test } from 'vitest'
import { systemsNamed } from '../lib/gates/layers.mjs'

/** @param {Record<string, string[]>} imports of files of the SDK */
function named(imports) {
  const full = (/** @type {string} */ name) => `sdk/src/${name}.ts`
  const graph = Object.entries(imports).map(
    ([file, to]) => /** @type {const} */ ([full(file), new Set(to.map(full))]),
  )
  return systemsNamed(new Map(graph))
}

const SYSTEMS = { 'systems/mpt': ['systems/mpt/request'], 'systems/all': ['systems/mpt'] }

test('a generic file that imports a system, or a part of one, is named', () => {
  expect(named({ ...SYSTEMS, 'proving/reach': ['systems/mpt/history'] })).toEqual([
    'generic code reaches a proof system: sdk/src/proving/reach.ts -> sdk/src/systems/mpt/history.ts',
  ])
  expect(named({ ...SYSTEMS, 'client/chains': ['systems/mpt'] })).toHaveLength(1)
})

test('so is one that goes by way of a file that is not generic, once', () => {
  const imports = {
    ...SYSTEMS,
    'ethereum/accounts/getBalance': ['systems/mpt'],
    'actions/watch': ['ethereum/accounts/getBalance'],
    'proving/prove': ['actions/watch'],
  }
  expect(named(imports)).toEqual([
    'generic code reaches a proof system: sdk/src/actions/watch.ts -> sdk/src/ethereum/accounts/getBalance.ts -> sdk/src/systems/mpt.ts',
  ])
})

test('lists of systems are for all, and what is not generic imports what it needs', () => {
  const imports = {
    ...SYSTEMS,
    'actions/fetchProof': ['systems/all', 'systems/system'],
    'ethereum/accounts/getBalance': ['systems/mpt', 'actions/fetchProof'],
    'client/client.test': ['systems/mpt'],
  }
  expect(named(imports)).toEqual([])
})
