/** A node of a chain of one block with one account, made by ethers: nothing of ours is in it. */
import { createServer } from 'node:http'
import { concat, encodeRlp, keccak256, toBeHex, ZeroHash } from 'ethers'

const CHAIN_ID = 1337
const OWNER = `0x${'aa'.repeat(20)}`
const BALANCE = 1_234_500_000_000_000_000n
const EMPTY_CODE = keccak256('0x')
const EMPTY_ROOT = keccak256(encodeRlp('0x'))

function makeBlock() {
  const account = encodeRlp(['0x01', toBeHex(BALANCE), EMPTY_ROOT, EMPTY_CODE])
  const leaf = encodeRlp([concat(['0x20', keccak256(OWNER)]), account])
  return { json: blockOver(keccak256(leaf)), leaf }
}

/**
 * The JSON of an empty block of number 1 over a state.
 *
 * @param {string} stateRoot
 */
export function blockOver(stateRoot) {
  const [none, bloom, beneficiary] = ['0x', `0x${'00'.repeat(256)}`, `0x${'00'.repeat(20)}`]
  const [gasLimit, timestamp, baseFee] = ['0x01c9c380', '0x6553f100', '0x07']
  const roots = [stateRoot, EMPTY_ROOT, EMPTY_ROOT]
  const numbers = [none, '0x01', gasLimit, none, timestamp]
  const tail = [none, ZeroHash, '0x0000000000000000', baseFee]
  const fields = [ZeroHash, ZeroHash, beneficiary, ...roots, bloom, ...numbers, ...tail]
  return {
    hash: keccak256(encodeRlp(fields)),
    parentHash: ZeroHash,
    sha3Uncles: ZeroHash,
    miner: beneficiary,
    stateRoot,
    transactionsRoot: EMPTY_ROOT,
    receiptsRoot: EMPTY_ROOT,
    logsBloom: bloom,
    difficulty: '0x0',
    number: '0x1',
    gasLimit: '0x1c9c380',
    gasUsed: '0x0',
    timestamp: '0x6553f100',
    extraData: '0x',
    mixHash: ZeroHash,
    nonce: '0x0000000000000000',
    baseFeePerGas: '0x7',
    transactions: [],
    uncles: [],
  }
}

/**
 * Serves the block over HTTP, to whoever asks on this machine.
 *
 * @param {{ lies?: boolean }} [options] whether it claims another balance than that of the proof
 */
export async function serveOneBlock({ lies = false } = {}) {
  const { json, leaf } = makeBlock()
  /** @type {Record<string, unknown>} */
  const results = {
    eth_chainId: `0x${CHAIN_ID.toString(16)}`,
    eth_getBlockByHash: json,
    eth_getProof: {
      address: OWNER,
      accountProof: [leaf],
      balance: `0x${(BALANCE + (lies ? 1n : 0n)).toString(16)}`,
      codeHash: EMPTY_CODE,
      nonce: '0x1',
      storageHash: EMPTY_ROOT,
      storageProof: [],
    },
  }
  const answer = (/** @type {{ id: number, method: string }} */ { id, method }) =>
    method in results
      ? { jsonrpc: '2.0', id, result: results[method] }
      : { jsonrpc: '2.0', id, error: { code: -32601, message: `no method ${method}` } }
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (part) => {
      text += part
    })
    // Pages of other origins may ask, as those of wallets do.
    response.setHeader('access-control-allow-origin', '*')
    response.setHeader('access-control-allow-headers', 'content-type')
    request.on('end', () => {
      if (request.method === 'OPTIONS') {
        response.writeHead(204).end()
        return
      }
      const body = JSON.parse(text)
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(Array.isArray(body) ? body.map(answer) : answer(body)))
    })
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return {
    url: `http://127.0.0.1:${port}`,
    chainId: CHAIN_ID,
    block: json.hash,
    address: OWNER,
    balance: BALANCE,
    close: () => server.close(),
  }
}
