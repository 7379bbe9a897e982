import { expect, test } from 'vitest'
import { readJson } from '../lib/repo.mjs'
import { walk } from '../newcomer.mjs'

test('the way from the tarball to the first proven fact', { timeout: 120_000 }, async () => {
  /** @type {Record<string, string>} */
  const results = {}
  await walk(({ title, result }) => {
    results[title] = result
  })
  expect(results).toMatchObject({
    'the first proven fact': 'present 1234500000000000000',
    'a node that lies': 'invalid verify.claim',
    'the command line': expect.stringContaining(readJson('sdk', 'package.json').version),
  })
})
