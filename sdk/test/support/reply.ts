/** `eth_getProof` answers under a pinned state root, through the shipped wasm. */

import '../../src/entry/node.js'
import { mainnet } from '../../src/client/chains.js'
import { bytesOf, type Hex } from '../../src/encoding/hex.js'
import { parseAddress, parseSlot } from '../../src/encoding/input.js'
import { configOf, setUp } from '../../src/proving/setup.js'
import { verifyClaim } from '../../src/proving/verifier.js'
import { encodeProof } from '../../src/systems/mpt/encode.js'
import { encodeQuery, type FactJson, mpt } from '../../src/systems/mpt.js'
import { loadHash } from '../../src/wasm/module.js'

/** What a node answers. */
interface Reply {
  readonly address: string
  readonly storageProof: readonly { readonly key: string }[]
}

/** What the answer proves of the account that it names. */
export async function proveReply(stateRoot: Hex, reply: unknown): Promise<FactJson> {
  const { address, storageProof } = reply as Reply
  const slots = storageProof.map(({ key }) => `0x${key.replace(/^0x/, '')}`)
  const parsed = parseAddress(address.toLowerCase(), 'address', await loadHash())
  const keys = slots.map((slot) => parseSlot(slot, 'slot'))
  const query = encodeQuery(parsed, keys, false)
  const source = { kind: 'root', number: 0n, root: bytesOf(stateRoot) } as const
  const setup = await setUp(mainnet, mpt, configOf(mainnet, mpt))
  const claim = { source, query, variant: 'plain', proof: encodeProof(reply) }
  return (await verifyClaim(setup, claim)).fact
}
