/**
 * Real and tampered answers of other nodes: JSON to RLP to the shipped wasm. Those of a geth of our
 * own are in test-vectors/geth/. More are kept outside the repository: the folder is
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
import { configOf, setUp } from '../../src/proving/setup.js'
import { linkHeaders, verifyClaim } from '../../src/proving/verifier.js'
import { InputError, ProofError } from '../../src/result/errors.js'
import { encodeProof } from '../../src/systems/mpt/encode.js'
import { encodeQuery, type FactJson, mpt } from '../../src/systems/mpt.js'
import { loadHash } from '../../src/wasm/module.js'

const ZERO: Hex = `0x${'0'.repeat(64)}`
const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const WANTED = process.env['LIGHTPROOF_REFERENCE_VECTORS']
const CAPTURES = path.join(ROOT, 'test-vectors', 'geth')
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
  readonly code?: unknown
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
  return JSON.parse(readFileSync(path.join(...parts), 'utf8')) as Json
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
    const json = read(FOLDER, 'real', file)
    const response = json['proof'] as Response
    const slots = response.storageProof.map(({ key }) => `0x${key.replace(/^0x/, '')}`)
    const stateRoot = json['stateRoot'] as Hex
    const { address } = response
    return { id: file, stateRoot, address, slots, response, ...outcome(json), ...blockOf(json) }
  })
}

function gethDev(folder: string): Case[] {
  return readdirSync(folder).flatMap((file) => {
    const json = read(folder, file)
    return (json['cases'] as Json[]).map((entry) => {
      const [address, slots] = entry['request'] as [string, string[]]
      const id = `${file} ${String(entry['id'])}`
      const stateRoot = json['stateRoot'] as Hex
      const response = entry['proof']
      const code = 'code' in entry ? { code: entry['code'] } : {}
      const rest = { ...code, ...outcome(entry), ...blockOf(json) }
      return { id, stateRoot, address, slots, response, ...rest }
    })
  })
}

function tampered(): Case[] {
  return (read(FOLDER, 'tampered', 'response.json')['cases'] as Json[]).map((entry) => {
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

async function verify(vector: Case): Promise<FactJson> {
  const { stateRoot, address, slots, response, code } = vector
  const parsed = parseAddress(address, 'address', await loadHash())
  const keys = slots.map((slot) => parseSlot(slot, 'slot'))
  const query = encodeQuery(parsed, keys, code !== undefined)
  const root = fromHex(stateRoot) ?? new Uint8Array(0)
  const source = { kind: 'root', number: 0n, root } as const
  const setup = await setUp(mainnet, mpt, configOf(mainnet, mpt))
  const proof = encodeProof(response, code === undefined ? undefined : { result: code })
  const claim = { source, query, variant: 'plain', proof }
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
  expect(fact.code).toBe(vector.code)
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

/** The same text with its last digit changed. */
function flipped(hex: string): string {
  return hex.slice(0, -1) + (Number.parseInt(hex.slice(-1), 16) ^ 1).toString(16)
}

function replaced<T>(list: readonly T[], at: number, other: T): T[] {
  return list.map((one, i) => (i === at ? other : one))
}

interface Reply {
  readonly balance: Hex
  readonly accountProof: readonly string[]
  readonly storageProof: readonly { readonly value: Hex; readonly proof: readonly string[] }[]
}

/** Replies that differ from an honest one in one thing each. */
function lies(reply: Reply): [string, unknown][] {
  const { balance, accountProof, storageProof } = reply
  const more = (value: Hex): Hex => toQuantity(BigInt(value) + 1n)
  const without = (nodes: readonly string[]) =>
    nodes.map((_, i) => nodes.filter((_, at) => at !== i))
  const changed = (nodes: readonly string[]) =>
    nodes.map((node, i) => replaced(nodes, i, flipped(node)))
  const slots = storageProof.flatMap((slot, i): [string, unknown][] => {
    const others = [
      { ...slot, value: more(slot.value) },
      ...[...without(slot.proof), ...changed(slot.proof)].map((proof) => ({ ...slot, proof })),
    ]
    return others.map((other) => [
      `slot ${i}`,
      { ...reply, storageProof: replaced(storageProof, i, other) },
    ])
  })
  const nodes = [...without(accountProof), ...changed(accountProof)]
  return [
    ['balance', { ...reply, balance: more(balance) }],
    ...nodes.map((proof): [string, unknown] => ['account', { ...reply, accountProof: proof }]),
    ...slots,
  ]
}

describe('what a geth of our own answered', () => {
  const cases = gethDev(CAPTURES)

  test('of two forks, nine questions each', () => expect(cases).toHaveLength(18))

  test.each(cases)('$id', async (vector) => {
    await judge(vector)
    await judgeHeader(vector)
  })

  test.each(cases)('error: $id, with one thing changed', async (vector) => {
    const changed = lies(vector.response as Reply).map(([name, response]) => ({
      name,
      vector: { ...vector, response },
    }))
    const root = {
      name: 'root',
      vector: { ...vector, stateRoot: flipped(vector.stateRoot) as Hex },
    }
    const code = { name: 'code', vector: { ...vector, code: `${String(vector.code)}00` } }
    for (const lie of [...changed, root, ...(vector.code === undefined ? [] : [code])]) {
      await expect(verify(lie.vector), lie.name).rejects.toBeInstanceOf(ProofError)
    }
  })
})

describe('reference vectors', () => {
  if (!existsSync(FOLDER)) {
    test.skipIf(WANTED === undefined)(`reference vectors: none at ${FOLDER}`, () => {
      throw new Error(`LIGHTPROOF_REFERENCE_VECTORS names ${FOLDER}, which is not there`)
    })
    return
  }
  const cases = [...real(), ...gethDev(path.join(FOLDER, 'geth-dev')), ...tampered()]

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
