/**
 * A proof system on a chain, made ready: its configuration from the caller, its parameters from
 * wherever they are.
 */

import { type Chain, findConfig } from '../client/chains.js'
import { bytesOf, toHex } from '../encoding/hex.js'
import type { Hash } from '../encoding/input.js'
import { asBytes } from '../encoding/untrusted.js'
import { InputError, ProofError } from '../result/errors.js'
import type { ProofSystem, SystemConfig, SystemTypes } from '../systems/system.js'
import type { Session } from './session.js'
import { hashOf, placeOf, prepareVerifier, type Setup } from './verifier.js'

/** Parameters that nodes served, by digest; the core found them to hash to it. */
const served = new Map<string, Uint8Array>()
const MAX_SERVED = 8

/**
 * The last setup of each configuration, encoded once for all queries about its chain. Weak, since a
 * proof file brings a configuration of its own.
 */
const ready = new WeakMap<SystemConfig, Setup>()

/**
 * What the chain configuration says of a system.
 *
 * @throws InputError `input.chain` if it says nothing, or names a format that the system does not
 *   have.
 */
export function configOf(chain: Chain, system: ProofSystem): SystemConfig {
  const config = findConfig(chain, system)
  if (config !== undefined) return config
  const { name } = system
  const problem = `${chain.name} commits to no ${name}: set systems.${name} of the chain`
  throw new InputError('input.chain', 'client', problem)
}

/**
 * Makes a system ready with the parameters of the configuration, or those that the session's node
 * serves for its digest.
 *
 * @throws InputError for a configuration that the core refuses; ProofError if the node serves other
 *   parameters; RpcError, TransportError, PlatformError.
 */
export async function setUp<T extends SystemTypes>(
  chain: Chain,
  system: ProofSystem<T>,
  config: SystemConfig,
  session?: Session,
): Promise<Setup<T>> {
  const { format, params, paramsDigest } = config
  const made = ready.get(config)
  // Sound: it was made of this very system.
  if (made?.chain === chain && made.system === system) return made as Setup<T>
  const make = (bytes: Uint8Array, digest = paramsDigest): Setup<T> => {
    const given = {
      format,
      ...(digest === undefined ? {} : { paramsDigest: digest as Hash }),
      ...(bytes.length === 0 ? {} : { params: toHex(bytes) }),
    }
    const place = placeOf(chain, system, given, bytes)
    return { chain, system, pinned: config, config: given, params: bytes, place }
  }
  if (params !== undefined) {
    const bytes = bytesOf(params)
    return remember(make(bytes, paramsDigest ?? (await hashOf(bytes))))
  }
  if (paramsDigest === undefined) return remember(make(new Uint8Array(0)))
  const known = served.get(paramsDigest)
  if (known !== undefined) return remember(make(known))
  // Not remembered: the parameters are missing, and a later call may bring a node that serves them.
  if (session === undefined) return make(new Uint8Array(0))
  const setup = make(await requestParams(session, paramsDigest))
  await acceptParams(setup, session)
  keep(paramsDigest, setup.params)
  return remember(setup)
}

async function requestParams({ node, signal }: Session, digest: string): Promise<Uint8Array> {
  const reply = await node.call({ method: 'lp_getParams', params: [digest] }, signal)
  return asBytes(reply, 'lp_getParams')
}

/**
 * The core compares the parameters with the digest; others are the node's lie, not the caller's
 * mistake.
 */
async function acceptParams(setup: Setup, { node }: Session): Promise<void> {
  try {
    await prepareVerifier(setup)
  } catch (cause) {
    if (!(cause instanceof InputError) || cause.code !== 'input.params') throw cause
    const problem = `lp_getParams: not the parameters that the chain pins: ${cause.message}`
    throw new ProofError('decode.response', problem, { node: node.name, cause })
  }
}

function remember<T extends SystemTypes>(setup: Setup<T>): Setup<T> {
  ready.set(setup.pinned, setup)
  return setup
}

function keep(digest: string, params: Uint8Array): void {
  for (const oldest of served.keys()) {
    if (served.size < MAX_SERVED) break
    served.delete(oldest)
  }
  served.set(digest, params)
}
