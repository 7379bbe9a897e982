/** Balances of tokens, and the preview of a transfer: contracts' code, run on proven state. */

import { type Client, printable } from 'lightproof'
import { type CallResult, getErc20Balances, type Simulation, simulate } from 'lightproof/evm'
import { type Token, tokens } from './config.js'
import { byId, type Line, list, parse, parts, say } from './page.js'

const transfer = byId('transfer', HTMLFormElement)
const asset = byId('asset', HTMLSelectElement)
const [recipient, sum] = [byId('recipient', HTMLInputElement), byId('sum', HTMLInputElement)]

const ETHER = { symbol: 'ETH', address: undefined, decimals: 18 }
const assets: readonly (Token | typeof ETHER)[] = [ETHER, ...tokens]
asset.append(...assets.map(({ symbol }) => new Option(symbol)))

/** Hides what belongs to the account before. */
export function hideContracts(): void {
  byId('contracts', HTMLElement).hidden = true
  for (const id of ['tokens', 'preview']) list(id, [])
  say('tokensAt', '')
}

/** Shows what tokens' own code says of the account, and offers previews; not on the devnet. */
export async function showContracts(client: Client, account: string, signal: AbortSignal) {
  if (client.chain.kind !== 'ethereum') return
  byId('contracts', HTMLElement).hidden = false
  transfer.onsubmit = (event) => {
    event.preventDefault()
    preview(client, account, signal).catch((error: unknown) => {
      if (!signal.aborted) list('preview', [[String(error), 'resting']])
    })
  }
  if (tokens.length === 0) return
  list('tokens', [['Running their code on proven state…']])
  const addresses = tokens.map(({ address }) => address)
  const result = await getErc20Balances(client, { tokens: addresses, owner: account, signal })
  if (signal.aborted) return
  const lines = tokens.map(({ symbol, decimals }, i): Line => {
    const one = result.status === 'proven' ? result.value[i] : result
    if (one?.status === 'success') return [`${parts(one.value, decimals).join('')} ${symbol}`]
    return [`${symbol}: no number, ${one?.status}: ${one?.error.code}`, kindOf(one?.status)]
  })
  list('tokens', lines)
  say('tokensAt', 'trust' in result ? `Proven in block ${result.trust.block.number}` : '')
}

/** Shows what a transfer from the account would do, before anybody signs it. */
async function preview(client: Client, from: string, signal: AbortSignal): Promise<void> {
  const { address, decimals } = assets[asset.selectedIndex] ?? ETHER
  const [to, value] = [recipient.value.trim(), parse(sum.value, decimals)]
  if (value === undefined) return list('preview', [['This is no amount of it', 'resting']])
  list('preview', [['Running it on proven state…']])
  const call = address === undefined ? { to, value } : { to: address, data: moving(to, value) }
  const result = await simulate(client, { from, ...call, signal })
  if (!signal.aborted) list('preview', linesOf(result))
}

/** Red where a node lied, else a warning. */
const kindOf = (status = ''): string => (status === 'invalid' ? 'setAside' : 'resting')

/** Calldata of `transfer(address,uint256)`. */
function moving(to: string, amount: bigint): string {
  const word = (value: bigint): string => value.toString(16).padStart(64, '0')
  return `0xa9059cbb${word(BigInt(to))}${word(amount)}`
}

function linesOf(result: CallResult<Simulation>): Line[] {
  if (result.status !== 'success') {
    const verdict = result.status === 'reverted' ? 'It would fail' : 'Nothing is known'
    return [[`${verdict}: ${printable(result.error.message)}`, kindOf(result.status)]]
  }
  const { changes, transfers, gasUsed } = result.value
  const ether = changes.map(({ address, balance }): Line => {
    const gained = balance.after - balance.before
    const size = parts(gained < 0n ? -gained : gained).join('')
    return [gained === 0n ? '' : `${gained < 0n ? '−' : '+'}${size} ETH: ${address}`]
  })
  const moved = transfers.map(({ token, amount, from, to, tokenId }): Line => {
    const known = tokens.find(({ address }) => address.toLowerCase() === token)
    const size = known ? `${parts(amount, known.decimals).join('')} ${known.symbol}` : `${amount}`
    return [`${size}${tokenId === undefined ? '' : ` of #${tokenId}`}: ${from} → ${to}`]
  })
  const gas = `It would go through, for ${gasUsed.toLocaleString('en')} gas`
  return [[gas, 'proven'], ...[...ether, ...moved].filter(([text]) => text !== '')]
}
