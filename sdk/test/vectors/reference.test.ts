/**
 * Real and tampered answers of other nodes, kept outside the repository: JSON to RLP to the shipped wasm. The folder is
 * LIGHTPROOF_REFERENCE_VECTORS, by default ../shared/vectors beside the repository.
 */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import '../../src/entry/node.js'
import { mainnet } from '../../src/client/chains.js'
import { fromHex, type Hex, toHex, toQuantity } from '../../src/encoding/hex.js'
import { parseAddress, parseHash, parseSlot } from '../../src/encoding/input.js'
import { encodeHeader } from '../../src/ethereum/header.js'
import { encodeProof } from '../../src/ethereum/proof.js'
import { configOf, setUp } from '../../src/proving/setup.js'
import { linkHeaders, verifyClaim } from '../../src/proving/verifier.js'
import { InputError, ProofError } from '../../src/result/errors.js'
import { encodeQuery, type FactJson, mpt } from '../../src/systems/mpt.js'
import { loadHash } from '../../src/wasm/module.js'

const ZERO: Hex = `0x${'0'.repeat(64)}`
const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const WANTED = process.env['LIGHTPROOF_REFERENCE_VECTORS']
const FOLDER = path.resolve(ROOT, WANTED ?? '../shared/vectors', 'eth-getproof')

interface Response {
  readonly address: string
  readonly storageProof: readonly { readonly key: string }[]
}

interface Case {
  readonly id: string
  readonly stateRoot: Hex
  readonly address: string
  readonly slots: readonly string[]
  readonly response: unknown
  readonly accept: boolean
  readonly account?: boolean
  readonly values?: Readonly<Record<string, Hex>>
  readonly block?: {
    readonly header: { readonly number?: string }
    readonly hash: Hex
    readonly rlp: Hex
  }
}

type Json = Readonly<Record<string, unknown>>

function read(...parts: string[]): Json {
  return JSON.parse(readFileSync(path.join(FOLDER, ...parts), 'utf8')) as Json
}

function blockOf(file: Json): Pick<Case, 'block'> {
  const { header, headerRlp, blockHash } = file
  if (typeof header !== 'object' || header === null || typeof blockHash !== 'string') return {}
  return { block: { header, hash: blockHash as Hex, rlp: headerRlp as Hex } }
}

function outcome(entry: Json): Pick<Case, 'accept' | 'account' | 'values'> {
  return {
    accept: entry['strict'] === 'accept',
    account: entry['accountExists'] as boolean,
    values: entry['slots'] as Record<string, Hex>,
  }
}

function real(): Case[] {
  return readdirSync(path.join(FOLDER, 'real')).map((file) => {
    const json = read('real', file)
    const response = json['proof'] as Response
    const slots = response.storageProof.map(({ key }) => `0x${key.replace(/^0x/, '')}`)
    const stateRoot = json['stateRoot'] as Hex
    const { address } = response
    return { id: file, stateRoot, address, slots, response, ...outcome(json), ...blockOf(json) }
  })
}

function gethDev(): Case[] {
  return readdirSync(path.join(FOLDER, 'geth-dev')).flatMap((file) => {
    const json = read('geth-dev', file)
    return (json['cases'] as Json[]).map((entry) => {
      const [address, slots] = entry['request'] as [string, string[]]
      const id = `${file} ${String(entry['id'])}`
      const stateRoot = json['stateRoot'] as Hex
      const response = entry['proof']
      return { id, stateRoot, address, slots, response, ...outcome(entry), ...blockOf(json) }
    })
  })
}

function tampered(): Case[] {
  return (read('tampered', 'response.json')['cases'] as Json[]).map((entry) => {
    const { address, slots } = entry['request'] as { address: string; slots: string[] }
    const stateRoot = entry['stateRoot'] as Hex
    const accept = entry['expect'] === true
    expect(entry['strict'] === 'accept').toBe(accept)
    return {
      id: String(entry['id']),
      stateRoot,
      address,
      slots,
      response: entry['response'],
      accept,
    }
  })
}

async function verify({ stateRoot, address, slots, response }: Case): Promise<FactJson> {
  const parsed = parseAddress(address, 'address', await loadHash())
  const keys = slots.map((slot) => parseSlot(slot, 'slot'))
  const query = encodeQuery(parsed, keys, false)
  const root = fromHex(stateRoot) ?? new Uint8Array(0)
  const source = { kind: 'root', number: 0n, root } as const
  const setup = await setUp(mainnet, mpt, configOf(mainnet, mpt))
  const claim = { source, query, variant: 'plain', proof: encodeProof(response) }
  return (await verifyClaim(setup, claim)).fact
}

async function judge(vector: Case): Promise<void> {
  const verdict = await verify(vector).catch((error: unknown) => error)
  if (!vector.accept) {
    const typed = verdict instanceof ProofError || verdict instanceof InputError
    expect(typed, String(verdict)).toBe(true)
    return
  }
  if (verdict instanceof Error) throw verdict
  const fact = verdict as FactJson
  if (vector.account !== undefined) expect(fact.account.status === 'present').toBe(vector.account)
  for (const [slot, value] of Object.entries(vector.values ?? {})) {
    const proven = fact.slots.find(({ key }) => BigInt(key) === BigInt(slot))
    const read = proven?.status === 'present' ? proven.value : '0x0'
    expect(proven === undefined ? undefined : toQuantity(BigInt(read))).toBe(value)
  }
}

async function judgeHeader({ block, stateRoot }: Case): Promise<void> {
  if (block === undefined) return
  const { rlp } = encodeHeader({ ...block.header, hash: block.hash })
  expect(toHex(rlp)).toBe(block.rlp)
  // A block 0 is the genesis of its own network.
  const chain = { ...mainnet, genesisHash: block.header.number === '0x0' ? block.hash : ZERO }
  const [header] = await linkHeaders(chain, parseHash(block.hash, 'hash', 'input.block'), [rlp])
  expect(header).toMatchObject({ hash: block.hash, commitments: { mpt: stateRoot } })
}

describe('reference vectors', () => {
  if (!existsSync(FOLDER)) {
    test.skipIf(WANTED === undefined)(`reference vectors: none at ${FOLDER}`, () => {
      throw new Error(`LIGHTPROOF_REFERENCE_VECTORS names ${FOLDER}, which is not there`)
    })
    return
  }
  const cases = [...real(), ...gethDev(), ...tampered()]

  test.each(cases)('$id', async (vector) => {
    await judge(vector)
    await judgeHeader(vector)
  })

  test('behavior: there are honest and tampered ones, and headers', () => {
    const accepted = cases.filter(({ accept }) => accept).length
    const headers = cases.filter(({ block }) => block !== undefined).length
    console.log(`${cases.length} reference vectors: ${accepted} accepted, ${headers} with header`)
    expect(accepted).toBeGreaterThan(0)
    expect(cases.length).toBeGreaterThan(accepted)
    expect(headers).toBeGreaterThan(0)
  })
})
