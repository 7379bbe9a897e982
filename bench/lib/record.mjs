/** Records of mpt proofs: from a node's reply, and into what each engine takes. */

import { ascii, bytes, decode, encode, fromHex, integer, list, toHex } from './rlp.mjs'

/** @typedef {import('./types.js').BenchCase} BenchCase */
/** @typedef {import('./types.js').Fact} Fact */
/** @typedef {import('./types.js').ProofParts} ProofParts */
/** @typedef {import('./types.js').ProofRecord} ProofRecord */

/**
 * A node's reply to `eth_getProof`, as honest nodes form it.
 *
 * @typedef {object} GetProof
 * @property {string} address
 * @property {string} nonce
 * @property {string} balance
 * @property {string} storageHash
 * @property {string} codeHash
 * @property {string[]} accountProof
 * @property {{ key: string, value: string, proof: string[] }[]} storageProof
 */

const MAINNET = {
  kind: 'ethereum',
  chainId: 1,
  genesisHash: '0xd4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3',
}

/**
 * The record of a mainnet proof under a root that the caller pins.
 *
 * @param {GetProof} reply
 * @param {string} stateRoot
 * @returns {ProofRecord}
 */
export function mainnetRecord(reply, stateRoot) {
  const address = fromHex(reply.address)
  const slots = reply.storageProof.map(({ key }) => word(key))
  const proof = [
    address,
    quantity(reply.nonce),
    quantity(reply.balance),
    fromHex(reply.storageHash),
    fromHex(reply.codeHash),
    nodes(reply.accountProof),
    reply.storageProof.map(({ key, value, proof }) => [word(key), quantity(value), nodes(proof)]),
    [],
  ]
  return {
    chain: MAINNET,
    system: 'mpt',
    config: { format: 'mpt/1' },
    source: { root: { number: '0x0', bytes: stateRoot } },
    query: toHex(encode([address, slots, integer(0n)])),
    variant: 'plain',
    proof: toHex(encode(proof)),
  }
}

/**
 * What an honest reply says, once others have proven it.
 *
 * @param {GetProof} reply
 * @param {boolean} exists
 * @returns {Fact}
 */
export function factOf({ nonce, balance, storageHash, codeHash, storageProof }, exists) {
  const account = { nonce: BigInt(nonce), balance: BigInt(balance), storageHash, codeHash }
  return {
    account: exists ? account : null,
    slots: storageProof.map(({ value }) => BigInt(value)),
  }
}

/**
 * The proof, taken apart for engines that check node lists.
 *
 * @param {ProofRecord} record
 * @returns {ProofParts}
 */
export function partsOf(record) {
  const [address, , , storageHash, , accountProof, slots] = list(decode(fromHex(record.proof)))
  return {
    root: fromHex(record.source.root.bytes),
    address: bytes(address),
    storageHash: bytes(storageHash),
    accountProof: list(accountProof).map(bytes),
    slots: list(slots).map((slot) => {
      const [key, , proof] = list(slot)
      return { key: bytes(key), proof: list(proof).map(bytes) }
    }),
  }
}

/**
 * What the verifier of our module takes: chain, configuration and one claim, in RLP.
 *
 * @param {ProofRecord} record
 */
export function claimOf({ chain, config, source, query, variant, proof }) {
  const root = [ascii('root'), integer(BigInt(source.root.number)), fromHex(source.root.bytes)]
  return {
    chain: encode([ascii(chain.kind), integer(BigInt(chain.chainId)), fromHex(chain.genesisHash)]),
    config: encode([ascii(config.format), new Uint8Array(0)]),
    claims: encode([[root, fromHex(query), ascii(variant), fromHex(proof)]]),
  }
}

/** @param {BenchCase} bench */
export function proofBytes({ record }) {
  return (record.proof.length - 2) / 2
}

/** @param {string} hex */
function quantity(hex) {
  return integer(BigInt(hex))
}

/** @param {string} key of at most 32 bytes, padded or not, with `0x` or not */
function word(key) {
  return fromHex(`0x${key.replace(/^0x/, '').padStart(64, '0')}`)
}

/** @param {string[]} proof */
function nodes(proof) {
  return proof.length === 1 && proof[0] === '0x80' ? [] : proof.map(fromHex)
}
