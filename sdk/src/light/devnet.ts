/** Signed headers from a devnet's full node. */

import type { Client } from '../client/client.js'
import { toQuantity } from '../encoding/hex.js'
import type { Hash } from '../encoding/input.js'
import { asBytes, asList } from '../encoding/untrusted.js'
import { profileOf } from '../proving/nodes.js'
import { RpcError, UnavailableError } from '../result/errors.js'
import type { Node } from '../transport/rpc.js'
import type { HeaderSource } from './source.js'

/** A node that serves the `lp_*` methods. */
export function devnetSource(client: Pick<Client, 'chain' | 'profiles'>, node: Node): HeaderSource {
  const call = async (
    method: string,
    params: readonly unknown[],
    signal: AbortSignal,
  ): Promise<unknown> => {
    await profileOf({ client, node, signal })
    return node.call({ method, params }, signal)
  }
  return {
    name: node.name,
    health: node.health,
    bootstrap: async (checkpoint, signal) => {
      const bytes = await call('lp_getBootstrap', [checkpoint], signal).catch(asUnknown)
      if (bytes !== null) return { bytes: asBytes(bytes, 'lp_getBootstrap') }
      throw unknownCheckpoint(node, checkpoint)
    },
    updates: async (start, count, signal) => {
      const params = [toQuantity(start), toQuantity(BigInt(count))]
      const list = asList(await call('lp_getUpdates', params, signal), 'lp_getUpdates')
      return list.map((bytes, i) => ({ bytes: asBytes(bytes, `lp_getUpdates[${i}]`) }))
    },
    finality: async (signal) => {
      const bytes = await call('lp_getFinality', [], signal)
      return bytes === null ? undefined : { bytes: asBytes(bytes, 'lp_getFinality') }
    },
    optimistic: async () => undefined,
  }
}

function asUnknown(error: unknown): null {
  if (error instanceof RpcError && error.code === 'rpc.block') return null
  throw error
}

function unknownCheckpoint(node: Node, checkpoint: Hash): UnavailableError {
  const problem = `${node.name} has no committee for checkpoint ${checkpoint}: is it a block of this chain, and are its headers signed?`
  return new UnavailableError('checkpoint', problem)
}
