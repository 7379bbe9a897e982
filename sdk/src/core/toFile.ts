/** Proof files and evidence, made of what a node sent. */

import { toHex } from '../encoding/hex.js'
import type { Address, Hash } from '../encoding/input.js'
import type { ProofFile } from '../file.js'
import { encodeQuery } from '../systems/mpt.js'
import type { Session } from './nodes.js'
import type { Header } from './verifier.js'

/** What a file holds beside the chain and the anchor. */
interface FileContents {
  readonly kind: ProofFile['kind']
  /** mpt if left out. */
  readonly system?: Pick<ProofFile, 'system' | 'config'>
  /** The trusted block that the headers start from. */
  readonly trusted: Hash
  /** Headers from there to the proof's block: who trusts that block alone can check the file. */
  readonly headers: readonly Pick<Header, 'rlp'>[]
  readonly query: Uint8Array
  readonly proof: Uint8Array
  readonly expected: ProofFile['expected']
}

/** A file of a node's bytes. */
export function toFile({ client, node }: Session, contents: FileContents): ProofFile {
  const { chain } = client
  const { kind, chainId, genesisHash, systems, consensus } = chain
  const signed = kind === 'devnet' && consensus !== undefined ? { consensus } : {}
  const { trusted, headers, query, proof, expected } = contents
  return {
    schema: 1,
    kind: contents.kind,
    chain: { kind, chainId, genesisHash, ...signed },
    ...(contents.system ?? { system: 'mpt', config: systems.mpt }),
    source: { header: { hash: trusted, rlps: headers.map(({ rlp }) => toHex(rlp)) } },
    query: toHex(query),
    variant: 'plain',
    proof: toHex(proof),
    expected,
    meta: { servedBy: node.name, createdAt: new Date().toISOString() },
  }
}

const NOBODY = toHex(new Uint8Array(20)) as Address

/**
 * Evidence of a false header: the trusted ones, then the node's. The headers are checked before the question, so the
 * question is about nobody, and there is no proof.
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
    trusted,
    headers: [...headers, { rlp }],
    query: encodeQuery(NOBODY, [], false),
    proof: new Uint8Array(0),
    expected: { result: 'invalid', code },
  })
}
