/** The light client of the shipped wasm, as it is: for the tests that go step by step. */

import '../../src/entry/node.js'
import type { Chain } from '../../src/client/chains.js'
import { encodeChain } from '../../src/encoding/chain.js'
import { type LightHandle, loadModule } from '../../src/wasm/module.js'

/** What the module exports, beyond what the SDK itself uses. */
export interface LightWasm extends LightHandle {
  /** Keys and aggregate of a period; empty if the client does not hold them. */
  committee(period: bigint): Uint8Array
}

interface LightModule {
  readonly LightClient: new (chain: Uint8Array) => LightWasm
  verifyAttested(
    chain: Uint8Array,
    committee: Uint8Array,
    header: Uint8Array,
    aggregate: Uint8Array,
    slot: bigint,
  ): string
}

const module = (await loadModule('light')) as unknown as LightModule

/** A client of the chain, unparsed; or the rejection, as JSON text. */
export function lightOf(chain: object): LightWasm | string {
  try {
    return new module.LightClient(encodeChain(chain as Chain))
  } catch (rejection) {
    if (typeof rejection !== 'string') throw rejection
    return rejection
  }
}

/** A client of the chain, which the core takes. */
export function openLight(chain: object): LightWasm {
  const client = lightOf(chain)
  if (typeof client === 'string') throw new Error(client)
  return client
}

/** The signed header, by a committee that the caller trusts. */
export function attested(
  chain: Chain,
  committee: Uint8Array,
  header: Uint8Array,
  aggregate: Uint8Array,
  slot: bigint,
): unknown {
  return JSON.parse(
    module.verifyAttested(encodeChain(chain), committee, header, aggregate, slot),
  ) as unknown
}

/** No clock: what is from the future is no reason to refuse. */
export const NO_CLOCK = 2n ** 64n - 1n

/** The code of a rejection; undefined where the step was taken. */
export function codeOf(text: string): string | undefined {
  return (JSON.parse(text) as { code?: string }).code
}
