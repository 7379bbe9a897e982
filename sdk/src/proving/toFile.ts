/** Proof files and evidence, made of what a node sent. */

import { toHex } from '../encoding/hex.js'
import type { Hash } from '../encoding/input.js'
import type { ProofFile } from '../result/file.js'
import { anyQuery, defaultConfig, defaultSystem } from '../systems/default.js'
import type { SystemName } from '../systems/registry.js'
import type { Header } from './header.js'
import type { Session } from './session.js'
import type { Setup } from './verifier.js'

/** What a file holds beside the chain and the anchor. */
interface FileContents extends Pick<ProofFile, 'kind' | 'variant' | 'expected'> {
  readonly setup: {
    readonly system: Pick<Setup['system'], 'name'>
    readonly config: Setup['config']
  }
  /** The trusted block that the headers start from. */
  readonly trusted: Hash
  /** Headers from there to the proof's block: who trusts that block alone can check the file. */
  readonly headers: readonly (Pick<Header, 'rlp'> & { readonly hash?: Hash })[]
  /** What proves the trusted block itself, where it is an ancestor of one that is trusted. */
  readonly by?: ProofFile | undefined
  readonly query: Uint8Array
  readonly proof: Uint8Array
}

/** Who served the bytes. */
export interface Server extends Pick<Session, 'client'> {
  readonly node: Pick<Session['node'], 'name'>
}

/**
 * Most headers in a piece of evidence, 77 kB of JSON. That of a deeper block starts at the block
 * itself or near it, and is checked by who knows that one's hash: it is to show that a proof is
 * bad, not that the block is in the chain.
 */
const MOST_HEADERS = 64

/** A file of a node's bytes. */
export function toFile({ client, node }: Server, contents: FileContents): ProofFile {
  const { chain, note } = client
  const { kind, chainId, genesisHash, consensus } = chain
  const signed = kind !== 'ethereum' && consensus !== undefined ? { consensus } : {}
  const { setup, query, variant, proof, expected } = contents
  const isCut = contents.kind === 'evidence' && contents.headers.length > MOST_HEADERS
  const headers = isCut ? contents.headers.slice(-MOST_HEADERS) : contents.headers
  const trusted = (isCut && headers[0]?.hash) || contents.trusted
  const by = isCut ? undefined : contents.by
  return {
    schema: 1,
    kind: contents.kind,
    chain: { kind, chainId, genesisHash, ...signed },
    // One of this package's, or the caller's own, which stands in for one.
    system: setup.system.name as SystemName,
    config: setup.config,
    source: {
      header: { hash: trusted, rlps: headers.map(({ rlp }) => toHex(rlp)), ...(by && { by }) },
    },
    query: toHex(query),
    variant,
    proof: toHex(proof),
    expected,
    meta: { servedBy: node.name, createdAt: new Date().toISOString(), ...(note && { note }) },
  }
}

/**
 * Evidence of a false header: the trusted ones, then the node's. The headers are checked before the
 * question, so the question is about nobody, and there is no proof.
 */
export function headerEvidence(
  session: Session,
  trusted: Hash,
  headers: readonly Header[],
  rlp: Uint8Array,
  code: string,
): ProofFile {
  return toFile(session, {
    kind: 'evidence',
    setup: { system: defaultSystem, config: defaultConfig },
    trusted,
    headers: [...headers, { rlp }],
    query: anyQuery(),
    variant: 'plain',
    proof: new Uint8Array(0),
    expected: { result: 'invalid', code },
  })
}
