/**
 * What nodes answered on the way from a checkpoint to a signed block: of a chain of our own, by
 * mainnet's rules (`test-vectors/beacon.json`), and of mainnet, where the reference vectors are.
 */

import { readFileSync } from 'node:fs'
import { bytesOf, type Hex } from '../../src/encoding/hex.js'
import {
  type Answer,
  chunksOf,
  HAS_VECTORS,
  list,
  type Recorded,
  readBytes,
  readJson,
  rootOf,
} from './beacon.js'
import type { Methods } from './rpc.js'

/** An answer to eth_getProof. */
export interface AccountProof {
  readonly address: Hex
  readonly balance: Hex
  readonly nonce: Hex
  readonly storageHash: Hex
  readonly codeHash: Hex
  readonly accountProof: readonly Hex[]
  readonly storageProof: readonly {
    readonly key: Hex
    readonly value: Hex
    readonly proof: readonly Hex[]
  }[]
}

/** An execution block, and the proofs of its state. */
interface Executed {
  /** As a node serves it, if that was recorded. */
  readonly block: { readonly hash: Hex; readonly number: Hex; readonly timestamp: Hex } | undefined
  readonly proofs: readonly AccountProof[]
  /** What the proofs of our own prove, by a plain model of the state. */
  readonly facts?: readonly Fact[]
}

/** As the vectors of mpt have it. */
interface Fact {
  readonly account: { readonly status: 'present' | 'absent' } & Partial<
    Readonly<Record<'nonce' | 'balance' | 'storageHash' | 'codeHash', Hex>>
  >
  readonly slots: readonly {
    readonly key: Hex
    readonly status: 'present' | 'absent'
    readonly value?: Hex
  }[]
}

/** A way from a checkpoint to a signed block. */
export interface Recording extends Recorded {
  /** For people. */
  readonly name: string
  /** Root of the bootstrap's header. */
  readonly checkpoint: Hex
  /** The updates as an octet stream, if that was recorded. */
  readonly stream: Uint8Array | undefined
  readonly optimistic: Answer
  /** The signed block first. */
  readonly executed: readonly [Executed, ...Executed[]]
}

interface SignedHeader {
  readonly beacon: { readonly slot: string }
  readonly execution: {
    readonly block_hash: Hex
    readonly block_number: string
    readonly state_root: Hex
  }
}

const SLOTS_PER_PERIOD = 8192

/** The header that an answer is about. */
export function headerOf({ data }: Answer): SignedHeader {
  return (data['header'] ?? data['attested_header']) as unknown as SignedHeader
}

/** Its slot. */
export function slotOf(answer: Answer): number {
  return Number(headerOf(answer).beacon.slot)
}

interface OwnFile {
  readonly chain: object
  readonly checkpoint: Hex
  readonly firstPeriod: number
  readonly beacon: {
    readonly bootstrap: Answer
    readonly updates: readonly Answer[]
    readonly stream: Hex
    readonly finality: Answer
    readonly optimistic: Answer
  }
  readonly execution: readonly {
    readonly block: NonNullable<Executed['block']>
    readonly proofs: readonly { readonly fact: Fact; readonly proof: AccountProof }[]
  }[]
}

function readOwn(): OwnFile {
  const url = new URL('../../../test-vectors/beacon.json', import.meta.url)
  return JSON.parse(readFileSync(url, 'utf8')) as OwnFile
}

/** The chain of the one that the generator made. */
export function ownChain(): object {
  return readOwn().chain
}

/** The one that the generator made. */
export function ownRecording(): Recording {
  const { checkpoint, firstPeriod: first, beacon, execution } = readOwn()
  const [head, ...others] = execution.map(({ block, proofs }): Executed => {
    const facts = proofs.map(({ fact }) => fact)
    return { block, proofs: proofs.map(({ proof }) => proof), facts }
  })
  if (head === undefined) throw new Error('beacon.json has no execution block')
  const stream = bytesOf(beacon.stream)
  return { name: 'of our own', checkpoint, first, ...beacon, stream, executed: [head, ...others] }
}

/** Every header of every mainnet set for which proofs were recorded. */
export function mainnetRecordings(): Recording[] {
  if (!HAS_VECTORS) return []
  const sets = list('').filter((name) => name.startsWith('mainnet-'))
  return sets.flatMap((set) => {
    const files = list(set)
    const named = (start: string) => files.filter((name) => name.startsWith(start))
    const json = <T>(name: string): T => readJson(set + name)
    const [bootstrap] = named('bootstrap')
      .map((name) => json<Answer>(name))
      .sort((a, b) => slotOf(a) - slotOf(b))
    if (bootstrap === undefined) return []
    return named('optimistic').flatMap((name): Recording[] => {
      const optimistic = json<Answer>(name)
      const slot = slotOf(optimistic)
      const number = `0x${Number(headerOf(optimistic).execution.block_number).toString(16)}`
      const proofs = [number, slot].flatMap((id) => named(`eth_getProof_${id}`))
      if (proofs.length === 0) return []
      const [block] = named(`eth_getBlockByNumber_${number}`)
      const executed: Executed = {
        block: block === undefined ? undefined : json<{ result: Executed['block'] }>(block).result,
        proofs: proofs.map((file) => json<{ result: AccountProof }>(file).result),
      }
      return [
        {
          name: `${set} slot ${slot}`,
          checkpoint: rootOf(bootstrap),
          bootstrap,
          first: Math.floor(slotOf(bootstrap) / SLOTS_PER_PERIOD),
          ...updatesBefore(set, slot),
          optimistic,
          executed: [executed],
        },
      ]
    })
  })
}

/**
 * Updates that a node had then: the octet stream if there is one, since that is what large nodes
 * serve.
 */
function updatesBefore(set: string, slot: number): Pick<Recording, 'updates' | 'stream'> {
  const [ssz] = list(set).filter((name) => /^updates.*\.ssz$/.test(name))
  if (ssz !== undefined) {
    const stream = readBytes(set + ssz)
    return { updates: chunksOf(stream).filter((chunk) => attestedSlot(chunk) < slot), stream }
  }
  const [json] = list(set).filter((name) => /^updates.*\.json$/.test(name))
  const updates: readonly Answer[] = json === undefined ? [] : readJson(set + json)
  return { updates: updates.filter((update) => slotOf(update) < slot), stream: undefined }
}

/** The attested header is at the SSZ's first offset, its slot first. */
function attestedSlot(chunk: Uint8Array): number {
  const ssz = new DataView(chunk.buffer, chunk.byteOffset + 12, chunk.length - 12)
  return Number(ssz.getBigUint64(ssz.getUint32(0, true), true))
}

/** All of them, ours first. */
export function recordings(): Recording[] {
  return [ownRecording(), ...mainnetRecordings()]
}

/** An execution node that knows a recording's blocks and proofs. */
export function executionOf({ executed }: Recording): Methods {
  const at = (block: string | { readonly blockHash: string }) =>
    executed.find(({ block: known }) =>
      typeof block === 'string' ? known?.number === block : known?.hash === block.blockHash,
    )
  return {
    eth_chainId: () => '0x1',
    eth_getBlockByHash: (blockHash: Hex) => at({ blockHash })?.block ?? null,
    eth_getBlockByNumber: () => executed[0].block ?? null,
    eth_getProof: (
      address: Hex,
      slots: readonly Hex[],
      block: string | { readonly blockHash: string },
    ) => {
      const proof = at(block)?.proofs.find((known) => known.address === address)
      if (proof === undefined) return null
      const asked = proof.storageProof.filter(({ key }) => slots.includes(key))
      return { ...proof, storageProof: asked }
    },
  }
}
