import { parseParameters } from '../actions/parameters.js'
import { mainnet } from '../client/chains.js'
import type { Client } from '../client/client.js'
import { parseAddress, shown } from '../encoding/input.js'
import { getErc20Balance as balanceOf } from '../evm/tokens.js'
import type { CallResult, RunParameters } from '../evm/types.js'
import { InputError } from '../result/errors.js'
import { loadHash } from '../wasm/module.js'
import { type TokenSymbol, tokens } from './tokens.js'

/** A known token, and who holds it. */
export interface TokenBalanceParameters extends RunParameters {
  /** The symbol of a known token, on mainnet; or the address of any, on every chain. */
  readonly token: TokenSymbol | `0x${string}`
  /** Who holds it. */
  readonly address: string
}

const RUN = ['at', 'signal', 'onProgress', 'stateOverride', 'blockOverride'] as const

/**
 * The balance of a token (ERC-20), as the token's own code computes it from proven state. `tokens`
 * has its decimals.
 *
 * @example
 * const result = await getErc20Balance(client, { token: 'USDC', address })
 * if (result.status === 'success') console.log(formatUnits(result.value, tokens.USDC.decimals))
 *
 * @returns success with the balance in the token's smallest unit; reverted also where the token
 *   answers no number.
 * @throws InputError for a symbol that is not known, or on another chain than mainnet;
 *   PlatformError, or the reason of an aborted signal.
 */
export async function getErc20Balance(
  client: Client,
  parameters: TokenBalanceParameters,
): Promise<CallResult<bigint>> {
  const given = parseParameters(client, parameters, ['token', 'address', ...RUN])
  const { token, address, ...run } = given
  const owner = parseAddress(address, 'address', await loadHash())
  return balanceOf(client, { ...(run as RunParameters), token: addressOf(client, token), owner })
}

function addressOf({ chain }: Client, token: unknown): string {
  if (typeof token === 'string' && token.startsWith('0x')) return token
  if (typeof token !== 'string' || !Object.hasOwn(tokens, token)) throw unknown(token)
  if (chain.chainId !== mainnet.chainId || chain.genesisHash !== mainnet.genesisHash) {
    const problem = `${token} is known on Ethereum's mainnet alone, and this client is of ${chain.name} (${chain.chainId}): give the token's address`
    throw new InputError('input.option', 'token', problem)
  }
  return tokens[token as TokenSymbol].address
}

function unknown(token: unknown): InputError {
  const meant = Object.keys(tokens).find(
    (symbol) => symbol.toLowerCase() === String(token).toLowerCase(),
  )
  const hint = meant === undefined ? 'or its address; `tokens` lists those' : `such as ${meant}`
  const problem = `expected the symbol of a known token, ${hint}; got ${shown(token)}`
  return new InputError('input.option', 'token', problem)
}
