/**
 * Calls by a client that knows one block's hash and nothing else: what it asks of a node, and how
 * often in turn.
 */

import { keccak256 } from 'ethers'
import { createClient, defineChain, proven } from 'lightproof'
import { call, calls as runCalls } from 'lightproof/evm'
import { bytes, decode, list, toHex } from './rlp.mjs'

/** @typedef {import('./callState.mjs').RecordedCall} RecordedCall */
/** @typedef {`0x${string}`} Hex */

/** Fields of a header, in its order. */
const FIELDS = [
  ...['parentHash', 'sha3Uncles', 'miner', 'stateRoot', 'transactionsRoot', 'receiptsRoot'],
  ...['logsBloom', 'difficulty', 'number', 'gasLimit', 'gasUsed', 'timestamp', 'extraData'],
  ...['mixHash', 'nonce', 'baseFeePerGas', 'withdrawalsRoot', 'blobGasUsed', 'excessBlobGas'],
  ...['parentBeaconBlockRoot', 'requestsHash'],
]
const QUANTITIES = [
  ...['difficulty', 'number', 'gasLimit', 'gasUsed', 'timestamp', 'baseFeePerGas'],
  ...['blobGasUsed', 'excessBlobGas'],
]
export const GENESIS = /** @type {const} */ (`0x${'11'.repeat(32)}`)

/**
 * Runs a recorded call, or the many of one request, by a client.
 *
 * @param {RecordedCall} recorded
 * @param {{ offers: boolean }} node whether it gives the whole witness with the call
 * @returns {Promise<{ rounds: number, requests: number, bytes: number }>} rounds of questions about
 *   state, HTTP requests in all and bytes of their answers
 */
export async function runByClient(recorded, { offers }) {
  const { header, calls, output } = recorded
  const hash = /** @type {Hex} */ (keccak256(header))
  const chain = defineChain({
    ...{ name: 'made', kind: 'ethereum', chainId: 1, genesisHash: GENESIS },
    forks: [{ rules: 'prague', block: 0, blobFraction: 5_007_716 }],
  })
  let [rounds, requests, answered] = [0, 0, 0]
  const answer = nodeOf(recorded, hash, offers)
  /** @type {typeof globalThis.fetch} */
  const fetch = async (_, init) => {
    const asked = JSON.parse(String(init?.body))
    const text = JSON.stringify(Array.isArray(asked) ? asked.map(answer) : answer(asked))
    requests++
    answered += text.length
    return new Response(text, { headers: { 'content-type': 'application/json' } })
  }
  const nodes = ['http://node.test']
  const client = createClient({ chain, anchor: { block: hash }, nodes, fetch, retries: 0 })
  const wanted = calls.map(({ to, data }) => ({
    to: /** @type {Hex} */ (to),
    data: /** @type {Hex} */ (data),
  }))
  const onProgress = (/** @type {{ round: number }} */ { round }) => {
    rounds = Math.max(rounds, round)
  }
  const [only, ...others] = wanted
  // Only a call alone comes with an offer.
  const outputs =
    only !== undefined && others.length === 0
      ? [proven(await call(client, { ...only, onProgress })).output]
      : proven(await runCalls(client, { calls: wanted, onProgress })).map((outcome) => {
          if (outcome.status !== 'success') throw new Error(`${recorded.id}: ${outcome.status}`)
          return outcome.value.output
        })
  if (output !== undefined && outputs.some((one) => one !== output))
    throw new Error(`${recorded.id}: another output`)
  return { rounds, requests, bytes: answered }
}

/**
 * What an honest node answers about the state that a call reads.
 *
 * @param {RecordedCall} recorded
 * @param {Hex} hash
 * @param {boolean} offers
 */
export function nodeOf({ header, proofs, codes }, hash, offers) {
  const block = { hash, transactions: [], uncles: [], withdrawals: [], ...fieldsOf(header) }
  const nodes = proofs.flatMap(({ accountProof, storageProof }) => [
    ...accountProof,
    ...storageProof.flatMap(({ proof }) => proof),
  ])
  /** @type {Record<string, (...params: never[]) => unknown>} */
  const methods = {
    eth_chainId: () => '0x1',
    eth_getBlockByHash: () => block,
    eth_getBlockByNumber: () => block,
    eth_getProof: (/** @type {string} */ address, /** @type {string[]} */ slots) => {
      const found = proofs.find((proof) => proof.address.toLowerCase() === address.toLowerCase())
      if (found === undefined) throw new Error(`no proof of ${address}`)
      const storageProof = slots.map((slot) => {
        const one = found.storageProof.find(({ key }) => BigInt(key) === BigInt(slot))
        if (one === undefined) throw new Error(`no proof of slot ${slot} of ${address}`)
        return one
      })
      return { ...found, storageProof }
    },
    eth_getCode: (/** @type {string} */ address) => {
      const found = proofs.find((proof) => proof.address.toLowerCase() === address.toLowerCase())
      return codes[found?.codeHash ?? ''] ?? '0x'
    },
    ...(offers && { lp_callProof: () => ({ state: nodes, codes: Object.values(codes) }) }),
  }
  return (/** @type {{ id: unknown, method: string, params: never[] }} */ asked) => {
    const { id, method, params } = asked
    const run = methods[method]
    if (run === undefined)
      return { jsonrpc: '2.0', id, error: { code: -32601, message: `no method ${method}` } }
    return { jsonrpc: '2.0', id, result: run(...params) }
  }
}

/** @param {string} header RLP */
function fieldsOf(header) {
  const items = list(decode(Uint8Array.from(Buffer.from(header.slice(2), 'hex'))))
  return Object.fromEntries(
    items.map((item, i) => {
      const name = FIELDS[i] ?? ''
      const hex = toHex(bytes(item))
      const quantity = hex === '0x' ? '0x0' : `0x${BigInt(hex).toString(16)}`
      return [name, QUANTITIES.includes(name) ? quantity : hex]
    }),
  )
}
