import { expect, test } from 'vitest'
import { PAGES } from '../../docs/pages.mjs'
import { REPOSITORY } from '../lib/gates/links.mjs'
import { pageText, siteLink } from '../lib/site.mjs'

/** @param {string} source */
function pageOf(source) {
  const page = PAGES.find((one) => one.source === source)
  if (page === undefined) throw new Error(`no page is made of ${source}`)
  return page
}

test.each([
  ['README.md', 'sdk/guides/wallet.md', './guides/wallet.md'],
  ['README.md', 'examples/browser-wallet', './examples/browser-wallet.md'],
  ['README.md', 'test-vectors', './test-vectors.md'],
  ['README.md', 'prover', `${REPOSITORY}/tree/main/prover`],
  ['README.md', 'LICENSE-MIT', `${REPOSITORY}/blob/main/LICENSE-MIT`],
  ['spec/headers.md', '../sdk/guides/wallet.md#a', '../guides/wallet.md#a'],
  ['spec/systems/mpt.md', '../README.md', '../index.md'],
  [
    'spec/errors.md',
    '../test-vectors/codes.json',
    `${REPOSITORY}/blob/main/test-vectors/codes.json`,
  ],
  [
    'sdk/guides/wallet.md',
    `${REPOSITORY}/tree/main/examples/extension`,
    '../examples/extension.md',
  ],
  ['bench/README.md', '../docs/public/plots/keys-1.svg', '/plots/keys-1.svg'],
  ['sdk/guides/wallet.md', 'https://rpc.example', 'https://rpc.example'],
  ['sdk/guides/wallet.md', '#calls', '#calls'],
])('default: in %s a link to %s', (source, link, expected) => {
  expect(siteLink(link, pageOf(source))).toBe(expected)
})

test('default: code is left as it is, and markers are left out', () => {
  const code = '```md\n[a](spec/errors.md)\n```\n`[b](spec/errors.md)`\n'
  const text = `${code}[c](spec/errors.md)\n<!-- bench:start -->\n`
  expect(pageText(text, pageOf('README.md'))).toBe(`${code}[c](./spec/errors.md)\n\n`)
})
