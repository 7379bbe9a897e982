/** Chains that follow another one: a devnet's headers that name an Ethereum block each. */

import { devnet } from '../../src/client/chains.js'
import { bytesOf, type Hex, integerBytes, toHex } from '../../src/encoding/hex.js'
import { encodeRlp, name } from '../../src/encoding/rlp.js'
import {
  type ClientOptions,
  type ContradictionFile,
  createClient,
  mpt,
} from '../../src/entry/node.js'
import type { StateItem, ValueSystem } from '../../src/systems/system.js'
import { loadHash } from '../../src/wasm/module.js'
import { honest, makeChain, OWNER, SLOT, type TestBlock, type TestChain } from './chain.js'
import { scriptedFetch } from './rpc.js'
import { fits } from './schema.js'

const { keccak256 } = await loadHash()

/** What a block says of the one that it follows. */
interface Says {
  /** None: the block is of the version that follows nothing. */
  readonly origin: Hex | undefined
  /** Whose state it commits to, and serves. */
  readonly state: TestBlock
  /** The system that the commitment is of; `mpt` if left out. */
  readonly system?: string
}

/** A chain with a block for each of the other's, which says what `says` makes of the truth. */
export function following(
  other: TestChain,
  says: (honest: Says, number: number) => Says = (honest) => honest,
): TestChain {
  const blocks: TestBlock[] = []
  let parent: Uint8Array = new Uint8Array(32)
  for (const block of other.blocks) {
    const said = says({ origin: block.hash, state: block }, Number(block.number))
    const { origin, state, system = 'mpt' } = said
    const rlp = encodeRlp([
      Uint8Array.of(origin === undefined ? 1 : 2),
      Uint8Array.of(0x4c, 0x50),
      parent,
      integerBytes(block.number),
      integerBytes(1_700_000_000n + block.number * 12n),
      [[name(system), bytesOf(state.stateRoot)]],
      new Uint8Array(32),
      ...(origin === undefined ? [] : [bytesOf(origin)]),
    ])
    parent = keccak256(rlp)
    blocks.push({ ...state, number: block.number, rlp, hash: toHex(parent), json: {} })
  }
  const at = (number: number): TestBlock => {
    const block = blocks[number]
    if (block === undefined) throw new RangeError(`no block ${number}`)
    return block
  }
  return { chain: devnet(at(0).hash), blocks, at, head: at(blocks.length - 1) }
}

/**
 * An Ethereum chain, another with the same number of blocks, and a chain that follows the first.
 */
export const ethereum = makeChain(8, 'ethereum')
export const fork = makeChain(8, 'ethereum', (n) => n + 50n)
export const ours = following(ethereum)

/** A client of a chain with one honest node, which pins block `newest`. */
export function clientOf(chain: TestChain, options: Partial<ClientOptions> = {}, newest = 7) {
  const { fetch } = scriptedFetch({ 'http://n1': honest(chain) })
  const anchor = { block: chain.at(newest).hash }
  return createClient({ chain: chain.chain, anchor, nodes: ['http://n1'], fetch, ...options })
}

/**
 * A system whose proofs are those of mpt, and say something else of the state: as if it had no
 * prover that could lie.
 */
export function says(items: readonly StateItem[]): ValueSystem {
  const asked = { ...mpt, asksOne: ['address', 'slots'], inState: () => items }
  const value = { status: 'present', value: 1n } as const
  return { ...asked, valueOf: () => value } as unknown as ValueSystem
}

/** What such a system is asked. */
export const question = { address: OWNER, slots: [SLOT] }

/** The file of a result that must be a contradiction. */
export async function evidenceOf(
  found: Promise<{ readonly status: string }> | undefined,
): Promise<ContradictionFile> {
  const result = (await found) as {
    readonly status: string
    readonly error?: { readonly code: string }
    readonly evidence?: readonly ContradictionFile[]
  }
  const [file] = result.evidence ?? []
  if (result.error?.code !== 'verify.contradiction' || file === undefined) {
    throw new Error(`expected a contradiction, got ${result.error?.code ?? result.status}`)
  }
  if (!fits(file)) throw new Error('the file is not of the schema')
  return JSON.parse(JSON.stringify(file))
}

/** The code of a result's error; its status if it has none. */
export async function codeOf(found: Promise<{ readonly status: string }>): Promise<string> {
  const { error, status } = (await found) as { status: string; error?: { code: string } }
  return error?.code ?? status
}
