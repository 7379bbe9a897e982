/** A warm client proves the balance in each column, and takes no other. */

import { concat, encodeRlp, keccak256 } from 'ethers'
import { expect, test } from 'vitest'
import { measureClient } from '../cases/client.mjs'
import { mainnetRecord } from '../lib/record.mjs'
import { fromHex, toHex } from '../lib/rlp.mjs'
import { prepareBalance } from '../lib/warmClient.mjs'

const address = `0x${'a1'.repeat(20)}`
const [storageHash, codeHash] = [`0x${'22'.repeat(32)}`, `0x${'33'.repeat(32)}`]
const account = { nonce: 1n, balance: 258n, storageHash, codeHash }

/** A state of one account, by ethers. */
function oneAccount() {
  const fields = encodeRlp(['0x01', '0x0102', storageHash, codeHash])
  const leaf = encodeRlp([concat(['0x20', keccak256(address)]), fields])
  const reply = {
    ...{ address, nonce: '0x1', balance: '0x102', storageHash, codeHash },
    ...{ accountProof: [leaf], storageProof: [] },
  }
  const record = mainnetRecord(reply, keccak256(leaf))
  return { id: 'one', title: 'one account', record, expected: { account, slots: [] } }
}

test('every column proves the balance', async () => {
  const { rows, titles } = await measureClient([oneAccount()], 2)
  expect(rows.map(({ engine }) => engine)).toEqual(Object.keys(titles.engines))
  expect(rows).toHaveLength(4)
  for (const { medianUs, runs } of rows) expect(Math.min(medianUs, runs)).toBeGreaterThan(0)
})

test.each([0, 4_194_304])('another balance is none, with %i bytes of cache', async (cacheBytes) => {
  const bench = oneAccount()
  const other = { ...bench, expected: { account: { ...account, balance: 259n }, slots: [] } }
  await expect(prepareBalance(other, { cacheBytes })).rejects.toMatchObject({
    code: 'verify.claim',
  })
  const root = fromHex(bench.record.source.root.bytes).map((byte, i) => (i === 0 ? byte ^ 1 : byte))
  const source = { root: { ...bench.record.source.root, bytes: toHex(root) } }
  const elsewhere = { ...bench, record: { ...bench.record, source } }
  // A proof of another state is that of another block, perhaps: nobody is blamed.
  await expect(prepareBalance(elsewhere, { cacheBytes })).rejects.toMatchObject({ code: 'block' })
})
