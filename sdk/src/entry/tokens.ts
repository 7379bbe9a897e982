/**
 * Entry for known tokens: addresses, symbols and decimals of common ones on Ethereum's mainnet, and
 * their balances by symbol.
 *
 * @packageDocumentation
 */

export { getErc20Balance, type TokenBalanceParameters } from '../tokens/getErc20Balance.js'
export { type Token, type TokenSymbol, tokens } from '../tokens/tokens.js'
