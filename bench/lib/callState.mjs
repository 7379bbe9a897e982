/**
 * A state to run calls on, made with the tries of @ethereumjs/statemanager: a token behind a proxy,
 * a pair that swaps, contracts that only compute, and other accounts around them.
 */

import { getMerkleStateProof, MerkleStateManager } from '@ethereumjs/statemanager'
import { createAccount, createAddressFromString } from '@ethereumjs/util'
import { id as idOf, keccak256 } from 'ethers'
import { encode, fromHex, integer, toHex } from './rlp.mjs'

/** @typedef {import('@ethereumjs/util').PrefixedHexString} Hex */
/** @typedef {import('./record.mjs').GetProof} GetProof */

/**
 * A call with all that it reads, as a node serves it.
 *
 * @typedef {object} RecordedCall
 * @property {string} id
 * @property {string} title
 * @property {string} header RLP
 * @property {readonly { to: string, data: string }[]} calls
 * @property {readonly GetProof[]} proofs
 * @property {Readonly<Record<string, string>>} codes by hash
 * @property {string | undefined} output of every call; undefined where only the gas counts
 */

/** Accounts of the state, and holders of the token. */
const [ACCOUNTS, HOLDERS] = [2_000, 2_000]
/** As many bytes as the code of a token that mainnet uses most. */
const CODE_BYTES = 23_464

const at = (/** @type {number} */ index) => /** @type {Hex} */ (`0x${hex(index, 20)}`)
const [CALLER, TOKEN, LOGIC, ADDS, HASHES] = [at(0), at(0xa0), at(0xa1), at(0xa2), at(0xa3)]
const [PAIR, QUOTER] = [at(0xa4), at(0xa5)]

/**
 * @param {number} value
 * @param {number} bytes
 */
function hex(value, bytes) {
  return value.toString(16).padStart(2 * bytes, '0')
}

/** @param {bigint} value */
const word = (value) => value.toString(16).padStart(64, '0')

/** Slot 0 holds the address of the code that runs here; its output is returned. */
const PROXY = '0x365f5f375f5f365f5f545af4503d5f5f3e3d5ff3'
/** Returns the slot of a mapping in slot 9, by the call's first argument. */
const BALANCE = '600435600052600960205260406000205460005260206000f3'
const LOGIC_CODE = `0x${BALANCE.padEnd(2 * CODE_BYTES, '5b')}`
/** Counts its first argument down: a product, a sum and a difference each time. */
const ADDING = '0x5f355b60038102600701811850600190038060025700'
/** The same with a hash of 64 bytes, as mappings take it. */
const HASHING = '0x5f355b60405f2050600190038060025700'

/** Returns slot 8: a time of 32 bits and two reserves of 112, the first one lowest. */
const PAIR_CODE = '0x60085460005260206000f3'
/**
 * Asks the pair for its reserves, and returns what an amount of the first token buys: of constant
 * product, less 3 ‰.
 */
const QUOTER_CODE = `0x60205f5f5f73${PAIR.slice(2)}5afa506103e5600435025f518060201b60901c82029060901b60901c6103e802820190045f5260205ff3`
const RESERVES = /** @type {const} */ ([5_000n * 10n ** 18n, 12_000_000n * 10n ** 6n])
const SWAPPED = 3n * 10n ** 18n

/** What the quoter's code is to return, by the formula. */
function quoted() {
  const [first, second] = RESERVES
  const paid = SWAPPED * 997n
  return (paid * second) / (first * 1_000n + paid)
}

/** @param {number} index of a holder */
const holder = (index) => hex(0x1_0000 + index, 32)
const balance = (/** @type {number} */ index) => BigInt(1_000_000 + index)

/**
 * The calls, on one state of a block that is made for them.
 *
 * @param {number} times that the computing contracts count down
 * @returns {Promise<RecordedCall[]>}
 */
export async function madeCalls(times) {
  const state = await madeState()
  const codes = Object.fromEntries(
    [PROXY, LOGIC_CODE, ADDING, HASHING, PAIR_CODE, QUOTER_CODE].map((code) => [
      keccak256(code),
      code,
    ]),
  )
  const header = headerOf(await state.getStateRoot())
  const balanceOf = (/** @type {number} */ index) => ({
    to: TOKEN,
    data: `0x70a08231${holder(index)}`,
  })
  /** @param {number} count of holders */
  const proofs = async (count) => {
    const slots = Array.from({ length: count }, (_, index) => fromHex(slotOf(index)))
    const token = await proofOf(state, TOKEN, [new Uint8Array(32), ...slots])
    return [token, await proofOf(state, LOGIC, []), await proofOf(state, CALLER, [])]
  }
  /**
   * @param {string} id
   * @param {string} title
   * @param {Hex} to
   */
  const computing = async (id, title, to) => ({
    id,
    title,
    header,
    codes,
    calls: [{ to, data: `0x${hex(times, 32)}` }],
    proofs: [await proofOf(state, to, []), await proofOf(state, CALLER, [])],
    output: '0x',
  })
  return [
    {
      id: 'made-balance',
      title: 'balance of a token behind a proxy',
      header,
      codes,
      calls: [balanceOf(0)],
      proofs: await proofs(1),
      output: `0x${hex(Number(balance(0)), 32)}`,
    },
    {
      id: 'made-200-balances',
      title: '200 balances of it in one request',
      header,
      codes,
      calls: Array.from({ length: 200 }, (_, index) => balanceOf(index)),
      proofs: await proofs(200),
      output: undefined,
    },
    {
      id: 'made-swap',
      title: 'quote of a swap, from a pair’s reserves',
      header,
      codes,
      calls: [{ to: QUOTER, data: `${idOf('quote(uint256)').slice(0, 10)}${word(SWAPPED)}` }],
      proofs: [
        await proofOf(state, QUOTER, []),
        await proofOf(state, PAIR, [fromHex(`0x${word(8n)}`)]),
        await proofOf(state, CALLER, []),
      ],
      output: `0x${word(quoted())}`,
    },
    await computing('made-adding', 'products, sums and differences', ADDS),
    await computing('made-hashing', 'hashes of 64 bytes', HASHES),
  ]
}

/** @returns {Promise<MerkleStateManager>} */
async function madeState() {
  const state = new MerkleStateManager()
  const put = (/** @type {Hex} */ address, nonce = 1n) =>
    state.putAccount(createAddressFromString(address), createAccount({ nonce, balance: nonce }))
  for (let i = 0; i < ACCOUNTS; i++) await put(at(0x10_0000 + i), BigInt(i + 1))
  const codes = /** @type {const} */ ([
    [TOKEN, PROXY],
    [LOGIC, LOGIC_CODE],
    [ADDS, ADDING],
    [HASHES, HASHING],
    [PAIR, PAIR_CODE],
    [QUOTER, QUOTER_CODE],
  ])
  for (const [address, code] of codes) {
    await put(address)
    await state.putCode(createAddressFromString(address), fromHex(code))
  }
  const token = createAddressFromString(TOKEN)
  await state.putStorage(token, new Uint8Array(32), fromHex(LOGIC))
  const [first, second] = RESERVES
  const reserves = (1_750_000_000n << 224n) | (second << 112n) | first
  const pair = createAddressFromString(PAIR)
  await state.putStorage(pair, fromHex(`0x${word(8n)}`), integer(reserves))
  for (let i = 0; i < HOLDERS; i++)
    await state.putStorage(token, fromHex(slotOf(i)), integer(balance(i)))
  await state.flush()
  return state
}

/** @param {number} index of a holder */
function slotOf(index) {
  return keccak256(`0x${holder(index)}${hex(9, 32)}`)
}

/**
 * @param {MerkleStateManager} state
 * @param {Hex} address
 * @param {Uint8Array[]} slots
 * @returns {Promise<GetProof>}
 */
async function proofOf(state, address, slots) {
  return getMerkleStateProof(state, createAddressFromString(address), slots)
}

/** @param {Uint8Array} stateRoot */
function headerOf(stateRoot) {
  const word = new Uint8Array(32)
  const fields = [
    ...[word, word, new Uint8Array(20), stateRoot, word, word, new Uint8Array(256)],
    ...[0n, 20_000_000n, 36_000_000n, 0n, 1_750_000_000n].map(integer),
    ...[new Uint8Array(0), word, new Uint8Array(8), integer(1_000_000_000n), word],
    ...[integer(0n), integer(0n), word, word],
  ]
  return toHex(encode(fields))
}
