/** The file of a contradiction between a chain and the one that it follows. */

import type { Chain } from '../client/chains.js'
import type { Client } from '../client/types.js'
import { toHex } from '../encoding/hex.js'
import type { Header } from '../proving/header.js'
import { type Located, lineage } from '../proving/line.js'
import type { ContradictionFile } from '../result/file.js'

/**
 * @param other - the followed chain, and `origin` its header.
 * @param proofs - of the block, and of the followed one, where only a value differs.
 */
export async function contradictionFile(
  client: Client,
  other: Chain,
  located: Located,
  origin: Header,
  proofs?: ContradictionFile['proofs'],
): Promise<ContradictionFile> {
  const { kind, chainId, genesisHash, consensus } = client.chain
  const { kind: of, chainId: id, genesisHash: first } = other
  const headers = lineage(located)
  return {
    schema: 1,
    kind: 'contradiction',
    chain: { kind, chainId, genesisHash, ...(consensus === undefined ? {} : { consensus }) },
    source: { header: { hash: located.line.hash, rlps: headers.map(({ rlp }) => toHex(rlp)) } },
    ...(await signaturesOf(client, located)),
    follows: {
      chain: { kind: of, chainId: id, genesisHash: first },
      header: toHex(origin.rlp),
    },
    ...(proofs === undefined ? {} : { proofs }),
    expected: { result: 'invalid', code: 'verify.contradiction' },
    meta: { createdAt: new Date().toISOString() },
  }
}

/**
 * What shows that the first header is signed; nothing where it was pinned, or is not the newest
 * that is held.
 */
async function signaturesOf(
  { light }: Client,
  { line }: Located,
): Promise<Pick<ContradictionFile, 'checkpoint' | 'steps'>> {
  const { client, state } = light ?? {}
  if (client === undefined || state?.finalized.block?.hash !== line.hash) return {}
  const store = await client.export()
  if (store.length === 0) return {}
  return { checkpoint: state.anchorRoot, steps: [{ form: 'import', bytes: toHex(store) }] }
}
