import { expect, test } from 'vitest'
import { compare, examined, testsOf } from '../lib/mutants.mjs'

test("a system's file is tried on its own tests", () => {
  const { name, programs, skipped } = testsOf('wasm/core/src/system/lvmt/verify/absence.rs')
  const its = ['--lib', '--test', 'vectors', '--test', 'it', '--test', 'reference']
  expect([name, programs]).toEqual(['lvmt', its])
  expect(skipped).toEqual(expect.arrayContaining(['verkle::', 'headers']))
  expect(skipped).not.toContain('lvmt::')
  expect(testsOf('wasm/core/src/system/mpt.rs').name).toBe('mpt')
})

test('no name that is skipped is part of a name of the own tests', () => {
  for (const system of ['balanceproofs', 'cole', 'lmpt', 'lvmt', 'mpt', 'verkle']) {
    const { skipped } = testsOf(`wasm/core/src/system/${system}.rs`)
    const own = [`${system}::every_vector`, `system::${system}::tests`, `${system}_made_by_another`]
    const lost = skipped.filter(
      (name) => name !== '--skip' && own.some((test) => test.includes(name)),
    )
    expect([system, lost]).toEqual([system, []])
  }
})

test('headers, proven facts and what systems share have tests of their own', () => {
  expect(testsOf('wasm/core/src/header/light/store.rs').name).toBe('headers')
  expect(testsOf('wasm/core/src/header.rs').name).toBe('headers')
  expect(testsOf('wasm/core/src/proven.rs')).toMatchObject({
    programs: ['--test', 'it'],
    skipped: ['proven::'],
  })
  expect(testsOf('wasm/core/src/trie/node.rs')).toMatchObject({ name: 'trie', computes: false })
  const all = testsOf('wasm/core/src/algebra/straus.rs')
  expect(all.name).toBe('all')
  expect(all.skipped).not.toContain('headers')
  expect(all.skipped).not.toContain('properties::')
})

test('tests are not mutated, nor what is outside the list', () => {
  const files = examined()
  expect(files).toContain('wasm/core/src/trie.rs')
  expect(
    files.filter((file) => /tests\.rs$|trace\.rs$|json\.rs$|core\/src\/error/.test(file)),
  ).toEqual(['wasm/core/src/header/light/json.rs'])
})

test('a file is known, to be tried, or never was', () => {
  const [file = ''] = examined()
  const never = compare({ files: { [file]: { digest: 'another', run: null } } })
  expect(never.never).toEqual([file])
  expect(never.changed).not.toContain(file)
  const run = { date: '2026-01-01', tried: 1, killed: 1, equivalent: 0 }
  const changed = compare({ files: { [file]: { digest: 'another', run } } })
  expect(changed.changed).toContain(file)
  expect(changed.never).toEqual([])
})
