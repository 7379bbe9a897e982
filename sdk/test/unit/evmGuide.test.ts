/** The example of calls in the SDK's README runs. */

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import * as calls from '../../src/entry/evm.js'
import { createClient } from '../../src/entry/node.js'
import { ALICE, BOB, chain, methods, TOKEN, word } from '../support/callWorld.js'
import { scriptedFetch } from '../support/rpc.js'

test('the example of calls, as it stands in the README', async () => {
  const text = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  const [, example = ''] = text.match(/## Calls\n[\s\S]*?```js\n([\s\S]*?)```/) ?? []
  const body = example.replace(/^import .*\n/gm, '')
  const { fetch } = scriptedFetch({ 'https://rpc.example': methods })
  const said: unknown[] = []
  const say = (...words: unknown[]): void => void said.push(...words)
  const reader = {
    ...calls,
    mainnet: chain.chain,
    createClient: (options: object) => createClient({ ...options, fetch } as never),
    block: chain.head.hash,
    rpcUrl: 'https://rpc.example',
    token: TOKEN,
    owner: ALICE,
    data: `0x70a08231${word(BigInt(BOB)).slice(2)}`,
    console: { log: say, error: say },
  }
  const AsyncFunction = (async () => undefined).constructor as new (
    ...parts: string[]
  ) => (...values: unknown[]) => Promise<void>
  await new AsyncFunction(...Object.keys(reader), body)(...Object.values(reader))
  expect(said).toEqual([77n, expect.any(Number), [], []])
})
