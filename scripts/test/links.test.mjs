import { expect, test } from 'vitest'
import { brokenLinks, REPOSITORY } from '../lib/gates/links.mjs'

/** @param {Record<string, string>} files */
const tree = (files) => ({
  read: (/** @type {string} */ file) => files[file] ?? '',
  exists: (/** @type {string} */ file) =>
    Object.keys(files).some((known) => known === file || known.startsWith(`${file}/`)),
})
const FILES = { 'spec/a.md': '# A page: of `x`\n', 'examples/wallet/main.ts': '' }

/** @param {string} text */
const inRepository = (text) => brokenLinks('sdk/b.md', tree({ ...FILES, 'sdk/b.md': text }))
/** @param {string} text */
const inPackage = (text) =>
  brokenLinks('sdk/b.md', { ...tree({ ...FILES, 'sdk/b.md': text }), packed: ['sdk/b.md'] })

test('default: links name files, folders and headings', () => {
  expect(
    inRepository('[a](../spec/a.md#a-page-of-x), [b](../examples/wallet), [c](#c)\n# C'),
  ).toEqual([])
  expect(inRepository('[a](../spec/b.md)')).toEqual(['sdk/b.md: ../spec/b.md: no such file'])
  expect(inRepository('[a](../spec/a.md#b)')).toEqual(['sdk/b.md: ../spec/a.md#b: no such heading'])
  expect(inRepository('```md\n[a](../spec/b.md)\n```')).toEqual([])
})

test('default: what a document of the package cites is in the package, or a URL', () => {
  const [page, folder] = [
    `${REPOSITORY}/blob/main/spec/a.md`,
    `${REPOSITORY}/tree/main/examples/wallet`,
  ]
  expect(
    inPackage(`[a](${page}), [\`examples/wallet\`](${folder}), [c](https://rpc.example)`),
  ).toEqual([])
  expect(inPackage('[a](../spec/a.md)')).toEqual([expect.stringContaining(`link to ${page}`)])
  expect(inPackage('copy `examples/wallet`')).toEqual([
    expect.stringContaining(`link to ${folder}`),
  ])
  expect(inPackage(`[a](${REPOSITORY}/blob/main/spec/b.md)`)).toEqual([
    expect.stringContaining('no such file'),
  ])
})
