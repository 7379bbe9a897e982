/**
 * A wallet as a test has it: it holds the faucet's key, asks nobody, and reads the chain through
 * the provider alone.
 */

import { type Hex, hexToBigInt, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type Provider, type Signer, withSigner } from '../../../src/entry/eip1193.js'
import { DEV_CHAIN_ID, FAUCET_KEY } from './genesis.js'

const account = privateKeyToAccount(FAUCET_KEY)

/** The provider with the faucet's key in front. */
export function walletOf(provider: Provider): Provider {
  const ask = (method: string, ...params: readonly unknown[]): Promise<unknown> =>
    provider.request({ method, params })
  const send = async ({ to, data, value, gas }: Record<string, Hex | undefined>) => {
    const nonce = Number(await ask('eth_getTransactionCount', account.address, 'pending'))
    const gasPrice = hexToBigInt((await ask('eth_gasPrice')) as Hex)
    const call = { from: account.address, ...(to && { to }), ...(data && { data }), value }
    const limit = gas ?? ((await ask('eth_estimateGas', call)) as Hex)
    const raw = await account.signTransaction({
      type: 'eip1559',
      chainId: DEV_CHAIN_ID,
      nonce,
      gas: hexToBigInt(limit),
      maxFeePerGas: gasPrice * 2n,
      maxPriorityFeePerGas: gasPrice < 10n ** 9n ? gasPrice : 10n ** 9n,
      ...(to && { to }),
      ...(data && { data }),
      ...(value && { value: hexToBigInt(value) }),
    })
    return ask('eth_sendRawTransaction', raw)
  }
  const signer: Signer = {
    async request({ method, params }) {
      const [first, second] = Array.isArray(params) ? params : []
      switch (method) {
        case 'eth_accounts':
        case 'eth_requestAccounts':
          return [account.address]
        case 'eth_sendTransaction':
          return send(first)
        case 'personal_sign':
          return account.signMessage({ message: { raw: first } })
        case 'wallet_requestPermissions':
          return [{ parentCapability: 'eth_accounts', caveats: [{ value: [account.address] }] }]
        case 'wallet_getPermissions':
        case 'wallet_revokePermissions':
          return []
        default:
          throw Object.assign(new Error(`${method} ${toHex(String(second))}: not here`), {
            code: 4200,
          })
      }
    },
  }
  return withSigner(provider, signer)
}
