/** A proof system on a chain, made ready: its configuration from the caller, its parameters from wherever they are. */

import type { Chain, SystemConfig } from '../chains.js'
import { bytesOf, toHex } from '../encoding/hex.js'
import type { Hash } from '../encoding/input.js'
import { asBytes } from '../encoding/untrusted.js'
import { InputError, ProofError } from '../errors.js'
import type { ProofSystem, SystemTypes } from '../systems/system.js'
import type { Session } from './nodes.js'
import { encodeChain, hashOf, prepareVerifier, type Setup } from './verifier.js'

/** Parameters that nodes served, by digest; the core found them to hash to it. */
const served = new Map<string, Uint8Array>()
const MAX_SERVED = 8

/**
 * What the chain configuration says of a system.
 *
 * @throws InputError `input.chain` if it says nothing.
 */
export function configOf({ name, systems }: Chain, system: ProofSystem): SystemConfig {
  const config = systems[system.name]
  if (config !== undefined) return config
  const problem = `${name} commits to no ${system.name}: set systems.${system.name} of the chain`
  throw new InputError('input.chain', 'client', problem)
}

/**
 * Makes a system ready with the parameters of the configuration, or those that the session's node serves for its digest.
 *
 * @throws InputError for a configuration that the core refuses; ProofError if the node serves other parameters;
 * RpcError, TransportError, PlatformError.
 */
export async function setUp<T extends SystemTypes>(
  chain: Chain,
  system: ProofSystem<T>,
  config: SystemConfig,
  session?: Session,
): Promise<Setup<T>> {
  const { format, params, paramsDigest } = config
  const make = (bytes: Uint8Array, digest = paramsDigest): Setup<T> => ({
    system,
    chain: encodeChain(chain),
    config: {
      format,
      ...(digest === undefined ? {} : { paramsDigest: digest as Hash }),
      ...(bytes.length === 0 ? {} : { params: toHex(bytes) }),
    },
    params: bytes,
  })
  if (params !== undefined) {
    const bytes = bytesOf(params)
    return make(bytes, paramsDigest ?? (await hashOf(bytes)))
  }
  if (paramsDigest === undefined) return make(new Uint8Array(0))
  const known = served.get(paramsDigest)
  if (known !== undefined || session === undefined) return make(known ?? new Uint8Array(0))
  const setup = make(await requestParams(session, paramsDigest))
  await acceptParams(setup, session)
  keep(paramsDigest, setup.params)
  return setup
}

async function requestParams({ node, signal }: Session, digest: string): Promise<Uint8Array> {
  const reply = await node.call({ method: 'lp_getParams', params: [digest] }, signal)
  return asBytes(reply, 'lp_getParams')
}

/** The core compares the parameters with the digest; others are the node's lie, not the caller's mistake. */
async function acceptParams(setup: Setup, { node }: Session): Promise<void> {
  try {
    await prepareVerifier(setup)
  } catch (cause) {
    if (!(cause instanceof InputError) || cause.code !== 'input.params') throw cause
    const problem = `lp_getParams: not the parameters that the chain pins: ${cause.message}`
    throw new ProofError('decode.response', problem, { node: node.name, cause })
  }
}

function keep(digest: string, params: Uint8Array): void {
  for (const oldest of served.keys()) {
    if (served.size < MAX_SERVED) break
    served.delete(oldest)
  }
  served.set(digest, params)
}
