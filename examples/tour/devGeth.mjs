/** A live Ethereum chain for the tour: geth alone, with an account that pays and a token. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { keccak256, toBeHex, Wallet } from 'ethers'
import { run, start } from '../../scripts/lib/run.mjs'

/** Not geth's own 1337: a client of another chain must not take this one for it. */
export const CHAIN_ID = 19_538

/** Has the money. Its key is public, and worth nothing elsewhere. */
export const payer = new Wallet(`0x${'2a'.repeat(32)}`)

const OFFLINE = ['--maxpeers', '0', '--nodiscover', '--nat', 'none', '--port', '0', '--ipcdisable']
const HTTP = ['--http', '--http.addr', '127.0.0.1', '--http.port', '0', '--http.api', 'eth,debug']
const READY = /HTTP server started\s+endpoint=(127\.0\.0\.1:\d+)/

/** All of the token, at first the payer's. */
const SUPPLY = 10n ** 24n

/**
 * The token. One argument asks for a balance, which is in the mapping at position 0; two arguments
 * move what the sender has, with a log.
 *
 *     if calldatasize > 36 goto move
 *     return storage[keccak(argument 0, 0)]
 *     move: a = keccak(caller, 0); if storage[a] < argument 1 goto fail; storage[a] -= argument 1
 *           b = keccak(argument 0, 0); storage[b] += argument 1; log Transfer; return 1
 *     fail: revert Panic(0x11)
 */
const TOKEN =
  '60243611602057600435600052600060205260406000205460005260206000f3' +
  '5b33600052600060205260406000208054602435808210608b57900390556004356000526040' +
  '600020805460243501905560243560005260043533' +
  '7fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef60206000a3600160005260206000f3' +
  '5b7f4e487b7100000000000000000000000000000000000000000000000000000000600052601160045260246000fd'

/** @param {bigint | string} value a number or an address */
const word = (value) => toBeHex(BigInt(value), 32).slice(2)

/**
 * Where the token keeps what somebody has.
 *
 * @param {string} holder
 */
export function slotOf(holder) {
  return keccak256(`0x${word(holder)}${word(0n)}`)
}

/**
 * What moves some of the token.
 *
 * @param {string} token
 * @param {string} to
 * @param {bigint} amount
 */
export function moving(token, to, amount) {
  return { to: token, data: `0xa9059cbb${word(to)}${word(amount)}` }
}

/**
 * What deploys the token: it writes the supply, copies what stands behind its 56 bytes, and returns
 * that.
 */
function deployment() {
  const supply = `69${SUPPLY.toString(16)}7f${slotOf(payer.address).slice(2)}55`
  const length = (TOKEN.length / 2).toString(16)
  return `0x${supply}60${length}8060386000396000f3${TOKEN}`
}

/**
 * The chain's beginning: that of `geth --dev` without the key of a fork that has no rules yet, and
 * the payer's money.
 *
 * @param {string} geth
 */
async function genesisOf(geth) {
  const output = await run(geth, ['--dev', '--verbosity', '0', 'dumpgenesis'])
  const genesis = JSON.parse(output.slice(output.indexOf('{')))
  delete genesis.config.bogotaTime
  genesis.config.chainId = CHAIN_ID
  genesis.alloc[payer.address.slice(2).toLowerCase()] = { balance: toBeHex(10n ** 24n) }
  return JSON.stringify(genesis)
}

/**
 * @typedef {object} DevGeth
 * @property {string} url
 * @property {string} genesis its file
 * @property {string} dir goes away with this process; for whoever follows too
 */

/**
 * Starts geth, which makes a block whenever a transaction waits.
 *
 * @param {string} geth the program
 * @returns {Promise<DevGeth>}
 * @throws {Error} with what it printed, if it ends before it is ready
 */
export async function startDevGeth(geth) {
  const dir = mkdtempSync(path.join(tmpdir(), 'lightproof-follow-'))
  process.once('exit', () => rmSync(dir, { recursive: true, force: true }))
  const genesis = path.join(dir, 'genesis.json')
  writeFileSync(genesis, await genesisOf(geth))
  const data = ['--datadir', path.join(dir, 'geth')]
  await run(geth, [...data, 'init', '--cache.preimages', genesis])
  const child = start(geth, [...data, '--dev', ...OFFLINE, ...HTTP, '--authrpc.port', '0'])
  /** @type {string[]} */
  const said = ['geth ended early']
  const url = await new Promise((resolve, reject) => {
    for (const input of [child.stdout, child.stderr]) {
      createInterface({ input }).on('line', (line) => {
        const [, host] = READY.exec(line) ?? []
        if (host !== undefined) resolve(`http://${host}`)
        if (said.length < 50) said.push(line)
      })
    }
    child.once('error', reject)
    child.once('close', () => reject(new Error(said.join('\n'))))
  })
  return { url, genesis, dir }
}

/**
 * What a node answers.
 *
 * @param {string} url
 * @param {string} method
 * @param {unknown[]} params
 * @throws {Error} what it complains of
 */
export async function rpc(url, method, params) {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const { result, error } = await (await fetch(url, { method: 'POST', headers, body })).json()
  if (error) throw new Error(`${method}: ${error.message}`)
  return result
}

/**
 * Sends transactions of the payer, one after another, and returns their receipts.
 *
 * @param {string} url
 * @param {import('ethers').TransactionRequest[]} requests
 */
export async function send(url, requests) {
  const first = Number(await rpc(url, 'eth_getTransactionCount', [payer.address, 'latest']))
  const receipts = []
  for (const [i, request] of requests.entries()) {
    const signed = (/** @type {bigint} */ fee) =>
      payer.signTransaction({
        type: 2,
        chainId: CHAIN_ID,
        nonce: first + i,
        gasLimit: 1_000_000n,
        maxFeePerGas: fee * 10n ** 10n,
        maxPriorityFeePerGas: fee,
        ...request,
      })
    const sent = async (/** @type {bigint} */ fee) =>
      rpc(url, 'eth_sendRawTransactionSync', [await signed(fee)])
    const receipt = await sent(1n).catch((error) => {
      // A geth that has just started can miss one; another in its place, which pays more, is
      // announced anew.
      if (!String(error).includes("wasn't processed in")) throw error
      return sent(2n)
    })
    if (receipt.status !== '0x1')
      throw new Error(`a transaction failed: ${receipt.transactionHash}`)
    receipts.push(receipt)
  }
  return receipts
}

/** Whom the payer pays, in ether and in the token. */
export const FRIENDS = [3n, 5n, 8n].map((seed) => new Wallet(toBeHex(seed, 32)).address)

/**
 * @param {string} url
 * @returns {Promise<string>} the token's address
 */
export async function deployToken(url) {
  const [made] = await send(url, [{ data: deployment() }])
  return String(made.contractAddress)
}

/**
 * Deploys the token, moves some of it three times to the first friend, and pays every friend one
 * ether.
 *
 * @param {string} url
 * @returns {Promise<{ token: string, block: number, hash: string, timestamp: number }>} with the
 *   last block
 */
export async function makeHistory(url) {
  const token = await deployToken(url)
  const [friend = ''] = FRIENDS
  const moved = [100n, 20n, 3n].map((amount) => moving(token, friend, amount))
  const paid = FRIENDS.map((to) => ({ to, value: 10n ** 18n }))
  const receipts = await send(url, [...moved, ...paid])
  const { blockNumber, blockHash } = receipts.at(-1)
  const { timestamp } = await rpc(url, 'eth_getBlockByNumber', [blockNumber, false])
  return { token, block: Number(blockNumber), hash: blockHash, timestamp: Number(timestamp) }
}
