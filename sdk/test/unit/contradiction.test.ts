/**
 * Files of contradictions: who trusts a block of the chain can check them, and no file makes one
 * up.
 */

import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { runCli } from '../../src/cli/main.js'
import { followedChain, verifyContradiction } from '../../src/entry/follows.js'
import {
  type ContradictionFile,
  defineChain,
  getBlock,
  getStorage,
  getValue,
  verifyProofFile,
} from '../../src/entry/node.js'
import type { StateItem } from '../../src/systems/system.js'
import { NOBODY, OWNER, SLOT } from '../support/chain.js'
import {
  clientOf,
  codeOf,
  ethereum,
  evidenceOf,
  following,
  fork,
  ours,
  question,
  says,
} from '../support/following.js'

const follows = followedChain(clientOf(ethereum))
const anchor = { block: ours.head.hash }
const { chain } = ours
const origin = ethereum.head.hash
const slot = { address: OWNER, slot: SLOT }
const hex = (bytes: Uint8Array) => `0x${Buffer.from(bytes).toString('hex')}`
const check = (file: unknown, parameters: object) =>
  codeOf(verifyContradiction(file, parameters as Parameters<typeof verifyContradiction>[1]))

test('another origin: whoever knows the block that was followed can check it', async () => {
  const lies = following(ethereum, (truth, n) =>
    n < 5 ? truth : { origin: fork.at(n).hash, state: fork.at(n) },
  )
  const client = clientOf(lies, { follows })
  const file = await evidenceOf(getStorage(client, slot))
  expect(await evidenceOf(getBlock(client))).toMatchObject({ source: file.source })
  const reader = { anchor: { block: lies.head.hash }, chain: lies.chain }
  expect(await check(file, { ...reader, origin })).toBe('verify.contradiction')
  await expect(check(file, reader)).rejects.toMatchObject({ argument: 'origin' })
  expect(await check(file, { ...reader, origin: fork.head.hash })).toBe('verify.header')
  expect(await check(file, { ...reader, anchor, origin })).toBe('verify.header')
  // Below the lie all is well.
  expect(await codeOf(getBlock(client, { block: 4 }))).toBe('present')
})

test('another origin: the reader’s hash of another number convicts nobody', async () => {
  const file = await made()
  const sixth = { ...file, follows: { ...file.follows, header: hex(ethereum.at(6).rlp) } }
  const wrong = { anchor, chain, origin: ethereum.at(6).hash }
  await expect(check(honestly(sixth), wrong)).rejects.toMatchObject({ argument: 'origin' })
})

test('another state: the two headers show it', async () => {
  const lies = following(ethereum, (truth, n) => (n < 6 ? truth : { ...truth, state: fork.at(n) }))
  const client = clientOf(lies, { follows })
  const file = await evidenceOf(getStorage(client, { ...slot, at: 6 }))
  const reader = { anchor: { block: lies.head.hash }, chain: lies.chain }
  expect(await check(file, reader)).toBe('verify.contradiction')
  expect(await check(file, { ...reader, chain: following(fork).chain })).toBe('verify.chain')
})

test('another number: a block that names another one’s hash', async () => {
  const lies = following(ethereum, () => ({ origin: ethereum.at(2).hash, state: ethereum.at(2) }))
  const file = await evidenceOf(getBlock(clientOf(lies, { follows })))
  const named = { ...file, follows: { ...file.follows, header: hex(ethereum.at(2).rlp) } }
  const reader = { anchor: { block: lies.head.hash }, chain: lies.chain }
  expect(await check(named, reader)).toBe('verify.contradiction')
})

test.each([
  { address: OWNER, slot: SLOT, value: 9n },
  { address: OWNER, value: 1n },
  { address: NOBODY, value: 1n },
] as readonly StateItem[])('another value: two proofs of one block show it: %o', async (wrong) => {
  const system = says([wrong])
  const client = clientOf(ours, { follows: followedChain(clientOf(ethereum), { crossCheck: 1 }) })
  const file = await evidenceOf(getValue(client, { system, ...question }))
  const reader = { anchor, chain }
  expect(await check(file, { ...reader, systems: [system] })).toBe('verify.contradiction')
  // A reader whose system reads the first proof as the second one says is shown none.
  const truth = wrong.address === NOBODY ? 0n : wrong.slot === undefined ? 1007n : 8n
  for (const items of [[{ ...wrong, value: truth }], []]) {
    expect(await check(file, { ...reader, systems: [says(items)] })).toBe('decode.response')
  }
  // One who brings no system cannot read the first proof at all.
  expect(await check(file, reader)).toBe('decode.response')
  const [first, second] = file.proofs ?? []
  const changes: readonly (readonly [readonly unknown[], string])[] = [
    [[], 'decode.response'],
    [[first, { ...second, proof: first?.proof.replace(/00/g, '01') }], 'verify.query'],
    [[{ ...first, steps: [] }, second], 'decode.response'],
    [[first, { ...second, steps: [] }], 'decode.response'],
    [[{ ...first, variant: 'else' }, second], 'decode.variant'],
    [[first, { ...second, variant: 'else' }], 'decode.variant'],
  ]
  for (const [proofs, code] of changes) {
    const again = await check({ ...file, proofs }, { ...reader, systems: [system] })
    expect([proofs, again]).toEqual([proofs, code])
  }
})

/** A contradiction of a chain that lies. */
async function made(): Promise<ContradictionFile> {
  const lies = following(ethereum, (truth) => ({ ...truth, state: fork.at(7) }))
  return evidenceOf(getBlock(clientOf(lies, { follows })))
}

/** The same said of an honest block. */
function honestly(file: object): object {
  const source = { header: { hash: ours.head.hash, rlps: [hex(ours.head.rlp)] } }
  const { kind, chainId, genesisHash } = chain
  return { ...file, chain: { kind, chainId, genesisHash }, source }
}

test('no file makes one up', async () => {
  const file = await made()
  const honest = honestly(file)
  expect(await check(honest, { anchor, chain })).toBe('decode.response')
  const cases: readonly (readonly [object, string])[] = [
    [{ schema: 2 }, 'decode.response'],
    [{ kind: 'proof' }, 'decode.response'],
    [{ source: {} }, 'decode.response'],
    [{ source: { header: { hash: ours.head.hash, rlps: [] } } }, 'decode.response'],
    [{ source: { header: { hash: ours.head.hash, rlps: [hex(fork.head.rlp)] } } }, 'verify.header'],
    [{ follows: { ...file.follows, chain: file.chain } }, 'decode.response'],
    [{ follows: { ...file.follows, header: '0x' } }, 'verify.header'],
    [{ follows: { ...file.follows, header: hex(fork.head.rlp) } }, 'verify.header'],
    [{ chain: { ...file.chain, genesisHash: origin } }, 'verify.chain'],
    [{ chain: { kind: 'ethereum', chainId: 1, genesisHash: origin } }, 'verify.chain'],
    [{ proofs: [] }, 'decode.response'],
    [{ proofs: [{}, {}] }, 'decode.response'],
  ]
  for (const [change, expected] of cases) {
    const code = await check({ ...honest, ...change }, { anchor, chain, origin })
    expect([change, code]).toEqual([change, expected])
  }
  for (const nothing of [null, 1, 'file', []]) {
    expect(await check(nothing, { anchor, chain })).toBe('decode.response')
  }
})

test('a chain that follows nothing cannot contradict', async () => {
  const plain = following(ethereum, (truth) => ({ ...truth, origin: undefined }))
  const file = {
    ...(await made()),
    chain: { kind: 'devnet', chainId: chain.chainId, genesisHash: plain.chain.genesisHash },
    source: { header: { hash: plain.head.hash, rlps: [hex(plain.head.rlp)] } },
  }
  const reader = { anchor: { block: plain.head.hash }, chain: plain.chain, origin }
  expect(await check(file, reader)).toBe('decode.response')
  // Nor can Ethereum's own blocks, which have no origin.
  const blamed = { ...reader, chain: ethereum.chain }
  await expect(check(file, blamed)).rejects.toMatchObject({ code: 'input.chain' })
})

test('the file chooses no parameters: the reader’s chain must have the system', async () => {
  const system = says([{ address: OWNER, value: 1n }])
  const client = clientOf(ours, { follows: followedChain(clientOf(ethereum), { crossCheck: 1 }) })
  const file = await evidenceOf(getValue(client, { system, ...question }))
  const { chainId, genesisHash } = chain
  const bare = defineChain({ name: 'bare', kind: 'devnet', chainId, genesisHash, systems: {} })
  const generous = { ...file, chain: { ...file.chain, systems: { mpt: { format: 'mpt/1' } } } }
  expect(await check(generous, { anchor, chain: bare, systems: [system] })).toBe(
    'verify.commitment',
  )
})

test('error: what the reader must say', async () => {
  const file = honestly(await made())
  for (const wrong of [
    { chain },
    { anchor },
    { anchor: {}, chain },
    { anchor: { root: ours.head.stateRoot }, chain },
    { anchor: { ...anchor, checkpoint: origin }, chain },
    { anchor: { block: '0x12' }, chain },
    { anchor, chain, origin: '0x12' },
    { anchor, chain, systems: 'mpt' },
    { anchor, chain, accounts: ['0x12'] },
    { anchor, chain, more: 1 },
    // Nobody signs the headers of this chain.
    { anchor: { checkpoint: ours.head.hash }, chain },
  ]) {
    await expect(check({ ...file, checkpoint: ours.head.hash, steps: [] }, wrong)).rejects.toThrow(
      expect.objectContaining({ name: 'InputError' }),
    )
  }
  // It is no proof, so it is not read as one.
  expect(await codeOf(verifyProofFile(file, { anchor, chain }))).toBe('decode.response')
})

test('lightproof verify', async () => {
  const lies = following(ethereum, (truth) => ({ ...truth, state: fork.at(7) }))
  const file = await evidenceOf(getBlock(clientOf(lies, { follows })))
  const place = (name: string) => path.join(tmpdir(), `lightproof-${process.pid}-${name}.json`)
  writeFileSync(place('file'), JSON.stringify(file))
  writeFileSync(place('chain'), JSON.stringify(lies.chain))
  const verify = async (...more: string[]): Promise<readonly [number, string, string]> => {
    let [out, err] = ['', '']
    const io = {
      signal: new AbortController().signal,
      out: (text: string) => {
        out += text
      },
      err: (text: string) => {
        err += text
      },
    }
    const block = ['--block', lies.head.hash]
    const exit = await runCli(['verify', place('file'), ...block, ...more], io as never)
    return [exit, out, err]
  }
  const [exit, , told] = await verify('--chain', place('chain'))
  expect([exit, told]).toEqual([3, expect.stringContaining('verify.contradiction')])
  expect(told).toContain('vouched for something false')
  const [, json] = await verify('--chain', place('chain'), '--json')
  expect(JSON.parse(json)).toMatchObject({ error: { code: 'verify.contradiction' } })
  const [missing, , why] = await verify()
  expect([missing, why]).toEqual([2, expect.stringContaining('--chain is missing')])
})
