/**
 * End to end on what mainnet's nodes said: checkpoint, sync committees' signatures, signed header,
 * account proof. The answers were recorded and are replayed by a server of the test; nothing else
 * is asked.
 */

import { encodeRlp } from 'ethers'
import { mainnet } from 'lightproof'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { consoleErrors, inEveryEngine } from '../support/engines.js'
import { type AccountProof, hasRecorded, recordings, serveRecordings } from '../support/recorded.js'
import type { MainnetReport, Way } from './pages/mainnet.js'
import { buildPages } from './pages.js'

const GENESIS_TIME = 1_606_824_023

/** A quantity as RLP holds it: no leading zeros, zero is empty. */
function integer(quantity: string): string {
  const digits = quantity.slice(2).replace(/^0+/, '')
  return `0x${digits.length % 2 === 0 ? '' : '0'}${digits}`
}

const word = (hex: string) => `0x${hex.slice(2).padStart(64, '0')}`

/** The answer as a proof file whose root is the caller's to pin. */
function fileOf(proof: AccountProof, root: string, number: number): unknown {
  const { address, nonce, balance, storageHash, codeHash, accountProof, storageProof } = proof
  const { kind, chainId, genesisHash } = mainnet
  const slots = storageProof.map(({ key, value, proof: nodes }) => [
    word(key),
    integer(value),
    [...nodes],
  ])
  const account = [address, integer(nonce), integer(balance), storageHash, codeHash]
  return {
    schema: 1,
    kind: 'proof',
    chain: { kind, chainId, genesisHash },
    system: 'mpt',
    config: { format: 'mpt/1' },
    source: { root: { number: `0x${number.toString(16)}`, bytes: root } },
    query: encodeRlp([address, storageProof.map(({ key }) => word(key)), '0x']),
    variant: 'plain',
    proof: encodeRlp([...account, [...accountProof], slots, []]),
    expected: { result: 'valid', fact: {} },
  }
}

const list = hasRecorded ? recordings() : []

if (!hasRecorded) {
  console.log('SKIPPED: no recorded answers of mainnet in ../shared/vectors/eth-beacon')
}

describe.skipIf(!hasRecorded)('recorded mainnet', () => {
  let server: Awaited<ReturnType<typeof serveRecordings>>
  let pages: Awaited<ReturnType<typeof buildPages>>

  beforeAll(async () => {
    server = await serveRecordings(list)
    const ways = list.map(({ checkpoint, optimistic, proofs, block }, index): Way => {
      const { attested_header: header, signature_slot: slot } = optimistic.data
      const { state_root: root, block_number: height } = header.execution
      const files = proofs.map((proof) => {
        const number = Number(height)
        return { file: fileOf(proof, root, number), root, number }
      })
      const [first] = proofs
      const ask = block === undefined || first === undefined ? {} : { address: first.address }
      const now = GENESIS_TIME + 12 * Number(slot) + 12
      const [beacon, node] = [`${server.url}/${index}`, `${server.url}/${index}/rpc`]
      return { checkpoint, beacon, node, now, files, ...ask }
    })
    pages = await buildPages(JSON.stringify(ways))
  })

  afterAll(async () => {
    await server.close()
    await pages.remove()
  })

  test('there are several ways, and one asks a node', () => {
    expect(list.length).toBeGreaterThan(3)
    expect(list.some(({ block }) => block !== undefined)).toBe(true)
    expect(list.some(({ updates }) => updates.length > 40)).toBe(true)
  })

  inEveryEngine((lab) => {
    test('checkpoint, updates, signed header, account proof', async () => {
      const { url } = await lab.serve(pages.folder)
      const engine = lab.engine()
      await engine.open(`${url}/mainnet.html`)
      await engine.waitFor('window.report !== undefined')
      const { ways } = (await engine.evaluate('window.report')) as MainnetReport
      expect(ways).toHaveLength(list.length)
      for (const [i, { name, optimistic, proofs, block }] of list.entries()) {
        const { beacon, execution } = optimistic.data.attested_header
        const way = ways[i]
        // The state root that the files are checked against is that of the payload which this hash
        // names, signed.
        expect(way, name).toMatchObject({
          head: {
            hash: execution.block_hash,
            number: execution.block_number,
            signed: { signed: expect.any(Number), of: 512 },
          },
          lagSeconds: 24,
        })
        expect(way?.head.signed?.signed).toBeGreaterThan(341)
        expect(Math.abs(Number(way?.period) - Number(beacon.slot) / 8192)).toBeLessThan(2)
        const facts = proofs.map(({ address, balance, nonce, storageProof }) => ({
          status: 'present',
          value: {
            address,
            account: { balance, nonce },
            slots: storageProof.map(({ key, value }) => ({ slot: word(key), value })),
          },
        }))
        expect(way?.proven, name).toMatchObject(facts)
        if (block === undefined) continue
        expect(way?.asked, name).toMatchObject({
          status: 'present',
          value: { balance: proofs[0]?.balance },
          trust: {
            anchor: { kind: 'checkpoint' },
            block: { hash: execution.block_hash },
            finality: 'head',
          },
        })
      }
      expect(await consoleErrors(engine, server.url)).toEqual([])
    })
  })
})
