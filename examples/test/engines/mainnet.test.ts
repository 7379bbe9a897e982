/**
 * End to end by mainnet's rules: checkpoint, sync committees' signatures, signed header, account
 * proof. A server of the test replays answers of our own chain, and those of mainnet's nodes where
 * the reference vectors are; nothing else is asked.
 */

import { encodeRlp } from 'ethers'
import { mainnet } from 'lightproof'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { HAS_VECTORS } from '../../../sdk/test/support/beacon.js'
import {
  type AccountProof,
  headerOf,
  ownRecording,
  type Recording,
  recordings,
} from '../../../sdk/test/support/recordings.js'
import { consoleErrors, inEveryEngine } from '../support/engines.js'
import { serveRecordings } from '../support/recorded.js'
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

/** What a proof proves: of an account that is not there the protocol's defaults. */
function factOf({ address, balance, nonce, storageProof }: AccountProof): unknown {
  const slots = storageProof.map(({ key, value }) => ({ slot: word(key), value }))
  const isThere = BigInt(nonce) + BigInt(balance) > 0n
  return isThere
    ? { status: 'present', value: { address, account: { balance, nonce }, slots } }
    : { status: 'absent' }
}

/** A balance with a wei more in the proof of that position, told by the node and in the file. */
function withLie(honest: Recording, at: number): Recording {
  const [head, ...others] = honest.executed
  const proofs = head.proofs.map((proof, i) => {
    const balance: `0x${string}` = `0x${(BigInt(proof.balance) + 1n).toString(16)}`
    return i === at ? { ...proof, balance } : proof
  })
  return { ...honest, executed: [{ ...head, proofs }, ...others] }
}

const honest = recordings()
const own = ownRecording()
const lying = own.executed[0].proofs.map((_, i) => withLie(own, i))
const list = [...honest, ...lying]

if (!HAS_VECTORS) console.log('SKIPPED: no recorded answers of mainnet in ../shared/vectors')

describe('a chain by the rules of mainnet', () => {
  let server: Awaited<ReturnType<typeof serveRecordings>>
  let pages: Awaited<ReturnType<typeof buildPages>>

  beforeAll(async () => {
    server = await serveRecordings(list)
    const ways = list.map(({ checkpoint, optimistic, executed }, index): Way => {
      const { state_root: root, block_number: height } = headerOf(optimistic).execution
      const number = Number(height)
      const [{ proofs, block }] = executed
      const files = proofs.map((proof) => ({ file: fileOf(proof, root, number), root, number }))
      const asks = executed.flatMap(({ proofs: [proof] }, i) =>
        block === undefined || proof === undefined
          ? []
          : [{ address: proof.address, at: i === 0 ? ('head' as const) : ('finalized' as const) }],
      )
      const now = GENESIS_TIME + 12 * Number(optimistic.data['signature_slot']) + 12
      const [beacon, node] = [`${server.url}/${index}`, `${server.url}/${index}/rpc`]
      return { checkpoint, beacon, node, now, files, asks }
    })
    pages = await buildPages(JSON.stringify(ways))
  })

  afterAll(async () => {
    await server.close()
    await pages.remove()
  })

  test('one of our own asks about two blocks', () => {
    expect(own.executed.map(({ block, proofs }) => [block === undefined, proofs.length])).toEqual([
      [false, 3],
      [false, 3],
    ])
  })

  test.skipIf(!HAS_VECTORS)('of mainnet there are several, and one asks a node', () => {
    expect(honest.length).toBeGreaterThan(4)
    expect(honest.slice(1).some(({ executed: [{ block }] }) => block !== undefined)).toBe(true)
    expect(honest.some(({ updates }) => updates.length > 40)).toBe(true)
  })

  inEveryEngine((lab) => {
    test('checkpoint, updates, signed header, account proof; a wei more is refused', async () => {
      const { url } = await lab.serve(pages.folder)
      const engine = lab.engine()
      await engine.open(`${url}/mainnet.html`)
      await engine.waitFor('window.report !== undefined')
      const { ways } = (await engine.evaluate('window.report')) as MainnetReport
      expect(ways).toHaveLength(list.length)
      for (const [i, { name, optimistic, executed }] of honest.entries()) {
        const { beacon, execution } = headerOf(optimistic)
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
        expect(way?.proven, name).toMatchObject(executed[0].proofs.map(factOf))
        const known = executed.filter(({ block }) => block !== undefined)
        expect(way?.asked, name).toMatchObject(
          known.map(({ block, proofs: [proof] }, at) => ({
            status: 'present',
            value: { balance: proof?.balance },
            trust: {
              anchor: { kind: 'checkpoint' },
              block: { hash: block?.hash },
              finality: at === 0 ? 'head' : 'finalized',
            },
          })),
        )
      }
      for (const [at, { executed }] of lying.entries()) {
        const refused = { status: 'invalid', error: { code: 'verify.claim' } }
        const { proven, asked } = ways[honest.length + at] ?? {}
        const facts = executed[0].proofs.map(factOf)
        expect(proven).toMatchObject(facts.map((fact, i) => (i === at ? refused : fact)))
        // The node is asked about the first account.
        expect(asked?.[0]).toMatchObject(at === 0 ? refused : { status: 'present' })
      }
      expect(await consoleErrors(engine, server.url)).toEqual([])
    })
  })
})
